"""Who uses which build: a build that any process holds is never removed.

A shared flock(2) on `<key>.use` beside the build's folder, kept open until the process ends: however it ends,
the kernel lets go. The file's time says when the build was used last.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_held: dict[Path, int] = {}


def hold(root: Path) -> None:
    """Keep the build in `root` from being removed as long as this process lives."""
    path = _file(root)
    if path in _held:
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    fcntl.flock(descriptor, fcntl.LOCK_SH)
    with suppress(PermissionError):  # another user's file: held all the same
        os.utime(descriptor)
    _held[path] = descriptor


def release(root: Path) -> None:
    """Give up what `hold` of this process keeps."""
    descriptor = _held.pop(_file(root), None)
    if descriptor is not None:
        os.close(descriptor)


@contextmanager
def unused(root: Path) -> Iterator[bool]:
    """Whether nobody holds the build in `root`; if so, nobody can while the block runs."""
    descriptor = os.open(_file(root), os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
            return
        yield True
    finally:
        os.close(descriptor)


def last_used(root: Path) -> float:
    """When the build in `root` was used last, seconds since the epoch; before any use, its folder's time."""
    for path in (_file(root), root):
        with suppress(FileNotFoundError):
            return path.stat().st_mtime
    return 0.0


def _file(root: Path) -> Path:
    return root.with_name(f"{root.name}.use")
