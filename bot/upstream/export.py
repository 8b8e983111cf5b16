"""One commit's tree as plain files, without a checkout that git would remember."""

import shutil
import tempfile
from pathlib import Path

from bot.errors import environment
from bot.upstream.git import TRANSFER_S, Git

#: The files are what the commit holds, whatever the user's own git configuration says.
_AS_COMMITTED = (
    *("-c", "core.autocrlf=false", "-c", "core.attributesFile=/dev/null"),
    *("-c", "core.symlinks=true", "-c", "core.fileMode=true"),
)


def export(git: Git, sha: str, folder: Path) -> Path:
    """Lay the tree of `sha` under `folder`; a folder that is there already is complete and left alone.

    Missing blobs of a partial clone come in one request. A killed export leaves nothing under `folder`.
    Raises BotError (exit 4) when the remote or the disk fails.
    """
    folder = folder.absolute()
    if folder.exists():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        _clear(folder)
        temporary = Path(tempfile.mkdtemp(dir=folder.parent, prefix=_prefix(folder)))
    except OSError as error:
        raise environment("cannot-write", path=str(folder), why=error.strerror or str(error)) from error
    try:
        _checkout(git, sha, temporary)
        (temporary / "tree").replace(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return folder


def _checkout(git: Git, sha: str, temporary: Path) -> None:
    tree = temporary / "tree"
    tree.mkdir()
    # `git archive` would fetch missing blobs one by one and obey export-ignore; read-tree does neither.
    git.network(
        *(*_AS_COMMITTED, "read-tree", "--reset", "-u", sha),
        timeout_s=TRANSFER_S,
        env={"GIT_WORK_TREE": str(tree), "GIT_INDEX_FILE": str(temporary / "index")},
    )


def _clear(folder: Path) -> None:
    for rest in folder.parent.glob(f"{_prefix(folder)}*"):
        shutil.rmtree(rest, ignore_errors=True)


def _prefix(folder: Path) -> str:
    return f".{folder.name}.export-"
