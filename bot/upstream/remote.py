"""The remote: how it is addressed, cloned and fetched from."""

import re
import shutil
import tempfile
from pathlib import Path

from bot.errors import BotError
from bot.upstream.git import TRANSFER_S, Git, Progress

_GITHUB = re.compile(
    r"(?:https?://(?:[^@/]*@)?|ssh://(?:[^@/]*@)?|git://|[^@/:]+@)github\.com(?::\d+/|[:/])"
    r"([\w.-]+)/([\w.-]+?)(?:\.git)?/?"
)


def address(url: str) -> str:
    """A path as an absolute one, since git runs in the mirror's folder; any other address as it is."""
    local = Path(url).expanduser()
    return str(local.absolute()) if "://" not in url and local.exists() else url


def web_address(url: str) -> str | None:
    """The address of a GitHub repository's pages; None for any other remote."""
    match = _GITHUB.fullmatch(url)
    return f"https://github.com/{match[1]}/{match[2]}" if match else None


def clone(url: str, path: Path, progress: Progress | None) -> None:
    """Make a bare repository at `path` with all tags of `url`, in one step; BotError (exit 4) else."""
    for rest in path.parent.glob(f".{path.name}.clone-*"):
        shutil.rmtree(rest, ignore_errors=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name}.clone-"))
    try:
        git = Git(temporary, url)
        git.raw("init", "--bare", "--quiet", "--initial-branch=master", "--object-format=sha1", str(git.path))
        git.raw("config", "remote.origin.url", url)
        # A background repack would disturb a measurement.
        git.raw("config", "gc.autoDetach", "false")
        transfer(git, ["refs/tags/*:refs/tags/*"], progress)
        temporary.replace(path)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def transfer(git: Git, refspecs: list[str], progress: Progress | None) -> None:
    """Fetch these refs without blobs, or with them from a server that has no such filter."""

    def fetch(*options: str) -> None:
        git.network(
            *("fetch", "--no-tags", "--no-write-fetch-head", "--progress", *options, "--stdin", "origin"),
            timeout_s=TRANSFER_S,
            stdin="\n".join([*refspecs, ""]).encode(),
            progress=progress,
        )

    try:
        fetch("--filter=blob:none")
    except BotError as error:
        # A server that knows filters may still refuse this one.
        if "filter" not in str(error.values.get("why", "")):
            raise
        fetch("--no-filter")
