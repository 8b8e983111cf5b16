"""One GPU, one run: a lock per GPU (or for the host where there is none), for all users of a machine."""

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from bot import store
from bot.errors import BotError, environment
from bot.records import Record

_POLL_S = 0.2


class Holder(Record):
    """Who holds a lock; `since` is local time with its offset, ISO 8601."""

    pid: int
    since: str
    run: str


@contextmanager
def gpu_lock(
    name: str,
    *,
    wait: bool,
    on_wait: Callable[[], None] | None = None,
    run: str = "",
    folder: Path | None = None,
) -> Iterator[None]:
    """Hold the lock of one GPU (its UUID, or "host") while the block runs.

    The kernel frees it when its holder ends, however it ends (flock(2)). Where another run holds it: with
    `wait`, `on_wait` is called once and the lock is waited for; without, BotError `busy` (exit 4) names
    the holder. `run` is the run id that others are told. `folder` is where the lock files lie (default: one
    that is the same for every user of this machine).
    """
    path = _path(name, folder)
    lock = FileLock(path, mode=0o666)
    try:
        _acquire(lock, name, path, wait, on_wait)
    except OSError as error:
        raise _unusable(path, error) from error
    try:
        me = Holder(pid=os.getpid(), since=time.strftime("%Y-%m-%dT%H:%M:%S%z"), run=run)
        with suppress(BotError):  # the lock is held; a full disk only hides by whom
            store.save(_note(path), me)
        yield
    finally:
        with suppress(OSError):
            _note(path).unlink(missing_ok=True)
        lock.release()


def holder(name: str, folder: Path | None = None) -> Holder | None:
    """Who says to hold that GPU's lock; None where nobody says so."""
    try:
        return store.load(_note(_path(name, folder)), Holder)
    except BotError:
        return None


def _acquire(lock: FileLock, name: str, path: Path, wait: bool, on_wait: Callable[[], None] | None) -> None:
    try:
        lock.acquire(blocking=False)
    except Timeout:
        if not wait:
            raise _busy(holder(name, path.parent)) from None
        if on_wait is not None:
            on_wait()
        lock.acquire(poll_interval=_POLL_S)


def _busy(other: Holder | None) -> BotError:
    if other is None:
        return environment("busy-unknown")
    return environment("busy", pid=str(other.pid), since=other.since, run=other.run or "-")


def _path(name: str, folder: Path | None) -> Path:
    return (folder or _shared_folder()) / f"{re.sub(r'[^A-Za-z0-9-]', '_', name)}.lock"


def _note(path: Path) -> Path:
    return path.with_suffix(".holder.json")


def _shared_folder() -> Path:
    """A folder that every user of this machine agrees on.

    Neither $XDG_RUNTIME_DIR nor $TMPDIR: a terminal, a service and another user see different ones, and would
    not exclude each other. Writable by all and without the sticky bit, because `fs.protected_regular`
    (proc(5)) would keep one user from opening another's lock file in a sticky one.
    """
    place = Path("/run/lock")
    try:
        is_open = bool(place.stat().st_mode & stat.S_IWOTH)
    except OSError:
        is_open = False
    folder = (place if is_open else Path("/tmp")) / "llama-release-bot"  # noqa: S108 - meant to be shared
    try:
        folder.mkdir(exist_ok=True)
        if folder.stat().st_uid == os.geteuid():
            folder.chmod(0o777)
    except OSError as error:
        raise _unusable(folder, error) from error
    return folder


def _unusable(path: Path, error: OSError) -> BotError:
    return environment("lock-unusable", path=str(path), why=error.strerror or str(error))
