"""Source distributions laid into a local bare git repository as tags.

Author, date, message and file modes are fixed, so the same distributions give the same commit ids everywhere.
"""

import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from filelock import FileLock

from bot.errors import environment
from bot.model import digest
from bot.upstream.git import Git

_WHO = "llama-release-bot demo <demo@localhost> 1767225600 +0000"
_TRAILER = "Sdist-SHA256: "
_FOLDER = "llama.cpp"
#: Every file gets this mode: what the packager's machine made executable is no fact of upstream.
_MODE = "100644"


def lay_tags(repository: Path, sdists: Mapping[str, Path]) -> Path:
    """Make `repository` hold the `llama.cpp/` trees of `sdists` (tag name to file) as its tags; returns it.

    Each tag is a commit without parents: there is no history between them. Nothing is extracted to disk. A
    repository that holds these tags already is left as it is; else a new one takes its place in one step.
    Raises BotError (exit 4) when a distribution is damaged or has no such tree.
    """
    wanted = {tag: digest(sdist) for tag, sdist in sdists.items()}
    repository.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(f"{repository}.lock"):
        if _laid(repository) != wanted:
            _lay(repository, sdists, wanted)
    return repository


def _laid(repository: Path) -> dict[str, str]:
    if not (repository / "HEAD").is_file():
        return {}
    listed = Git(repository).text(
        "for-each-ref", "--format=%(refname:lstrip=2) %(contents:body)%00", "refs/tags/"
    )
    entries = (entry.split() for entry in listed.split("\0"))
    return {words[0]: words[-1] for words in entries if len(words) > 1}


def _lay(repository: Path, sdists: Mapping[str, Path], digests: Mapping[str, str]) -> None:
    for rest in repository.parent.glob(f".{repository.name}.new-*"):
        shutil.rmtree(rest, ignore_errors=True)
    temporary = Path(tempfile.mkdtemp(dir=repository.parent, prefix=f".{repository.name}.new-"))
    try:
        git = Git(temporary)
        git.raw("init", "--bare", "--quiet", "--initial-branch=master", "--object-format=sha1", str(git.path))
        for tag, sdist in sdists.items():
            git.raw("fast-import", "--quiet", stdin=b"".join(_commit(tag, sdist, digests[tag])))
        shutil.rmtree(repository, ignore_errors=True)
        temporary.replace(repository)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


def _commit(tag: str, sdist: Path, sha256: str) -> Iterator[bytes]:
    message = f"{tag}: source tree of a distribution\n\n{_TRAILER}{sha256}\n".encode()
    yield f"commit refs/tags/{tag}\nauthor {_WHO}\ncommitter {_WHO}\n".encode()
    yield _data(message)
    count = 0
    try:
        with tarfile.open(sdist) as archive:
            for member in archive:
                path = _path(member)
                file = archive.extractfile(member) if path else None
                if file:
                    count += 1
                    yield f"M {_MODE} inline {path}\n".encode() + _data(file.read())
    except (tarfile.TarError, EOFError, OSError) as error:
        raise environment("sdist-damaged", path=str(sdist), why=str(error)) from error
    if not count:
        raise environment("sdist-without-source", path=str(sdist), folder=_FOLDER)


def _path(member: tarfile.TarInfo) -> str | None:
    """Where a member belongs in the tree, None for what is not of the tree or would leave it."""
    parts = PurePosixPath(member.name).parts
    inside = parts[2:] if parts[1:2] == (_FOLDER,) else ()
    if not member.isreg() or not inside or {"..", ".git"} & {part.lower() for part in inside}:
        return None
    quoted = "/".join(inside).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{quoted}"'


def _data(content: bytes) -> bytes:
    return b"data %d\n%b\n" % (len(content), content)
