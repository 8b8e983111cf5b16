"""Where the code comes from: git, the upstream repository, the mirror of it on this machine."""

import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot import process
from bot.doctor.finding import Finding, missing, ok, warning
from bot.errors import BotError
from bot.upstream import tags
from bot.upstream.git import Git, public
from bot.upstream.mirror import Mirror, mirror_path
from bot.upstream.remote import address

if TYPE_CHECKING:
    from bot.doctor.case import Case

#: 2.29 brought `fetch --stdin` and `--no-write-fetch-head`; partial clones are older.
GIT_LEAST = (2, 29)
#: Listing all tags of llama.cpp takes about two seconds on a common line.
REACH_S = 10.0


@dataclass(frozen=True)
class Upstream:
    """`newest` and `count` are of the remote's release tags; `why` says why they could not be listed.

    `mirrored` is the newest release tag that the mirror on this machine knows, None without one.
    """

    url: str
    newest: str | None = None
    count: int = 0
    why: str = ""
    mirrored: str | None = None


def git(_case: "Case") -> Iterator[Finding]:
    """Git is there and new enough."""
    try:
        finished = process.run(["git", "--version"], timeout_s=10)
    except BotError:
        yield missing("git", "missing")
        return
    yield judge_git(finished.output)


def judge_git(said: str) -> Finding:
    """`said` is what `git --version` prints."""
    found = re.search(r"\d+(?:\.\d+)+", said)
    version = found[0] if found else "?"
    least = ".".join(map(str, GIT_LEAST))
    if found and tuple(map(int, version.split("."))) < GIT_LEAST:
        return missing("git", "old", version=version, least=least)
    return ok("git", version=version)


def upstream(case: "Case") -> Iterator[Finding]:
    """The remote answers, or the mirror has to do."""
    if shutil.which("git") is None:
        return  # said under git
    url = case.settings.upstream.url
    yield judge_upstream(look(url, mirror_path(case.settings.cache, url)))


def judge_upstream(seen: Upstream) -> Finding:
    """Without the remote, the tags of the mirror go on working."""
    if seen.newest:
        return ok("upstream", url=seen.url, newest=seen.newest, count=seen.count)
    if seen.why and seen.mirrored:
        return warning("upstream", "offline", url=seen.url, why=seen.why, newest=seen.mirrored)
    if seen.why:
        return missing("upstream", "missing", url=seen.url, why=seen.why)
    return missing("upstream", "no-tags", url=seen.url)


def look(url: str, mirror: Path, *, limit_s: float = REACH_S) -> Upstream:
    """Ask the remote for its tags, for at most `limit_s` seconds, and see what the mirror has."""
    shown, mirrored = public(url), _mirrored(url, mirror)
    try:
        listed = Git(mirror, url).network("ls-remote", "--tags", "--refs", address(url), timeout_s=limit_s)
    except BotError as error:
        why = str(error.values.get("why") or f"> {error.values.get('seconds', '?')} s")
        return Upstream(shown, why=why, mirrored=mirrored)
    releases = tags.releases(line.partition("refs/tags/")[2] for line in listed.splitlines())
    return Upstream(shown, tags.newest(releases), len(releases), mirrored=mirrored)


def _mirrored(url: str, mirror: Path) -> str | None:
    if not (mirror / "objects").is_dir():
        return None
    try:
        return tags.newest(Mirror(address(url), mirror).tags())
    except BotError:
        return None
