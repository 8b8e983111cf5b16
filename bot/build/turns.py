"""One process at a time works on a build; the others wait and are told so."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from filelock import FileLock, Timeout

from bot.build.layout import Folder


@contextmanager
def turn(folder: Folder, on_wait: Callable[[], None] | None) -> Iterator[None]:
    """Hold the build's lock; `on_wait` is called when another process has it."""
    lock = FileLock(folder.lock)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        if on_wait:
            on_wait()
        lock.acquire()
    try:
        yield
    finally:
        lock.release()
