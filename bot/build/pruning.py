"""Old builds make room: by number, by disk space, and unfinished ones by age. Never one that is in use."""

import os
import shutil
import time
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from bot.build.layout import Folder, size_mib, untrusted
from bot.build.usage import last_used, release, unused

#: Nobody goes on with an unfinished build after this long; its objects are in ccache anyway.
_STALE_S = 14 * 86400.0
#: A run of untrusted code removes its builds at its end; one that was killed may be gone on with for so long.
_UNTRUSTED_S = 86400.0
_TRASH = ".removed-"


@dataclass(frozen=True)
class Limits:
    """`kept`: finished builds; `mib`: disk space of all builds together."""

    kept: int
    mib: float


def prune(builds: Path, limits: Limits, spare: Collection[str] = ()) -> tuple[str, ...]:
    """Remove what is over the limits, the one used longest ago first; the keys of what went.

    A build that a process holds or works on stays, and so do those whose keys are in `spare`. `builds` is the
    folder of all builds. A removal that is interrupted is finished by the next call.
    """
    for rest in builds.glob(f"{_TRASH}*"):
        shutil.rmtree(rest, ignore_errors=True)
    found = sorted((_Found.of(path) for path in _folders(builds)), key=lambda item: item.used, reverse=True)
    removed: list[str] = []
    kept, mib = 0, 0.0
    for item in found:
        mib += item.mib
        kept += item.is_finished
        if _is_over(item, kept, mib, limits) and item.root.name not in spare and _remove(item.root):
            removed.append(item.root.name)
            mib -= item.mib
            kept -= item.is_finished
    return tuple(removed)


def discard(builds: Path, run: str) -> tuple[str, ...]:
    """Remove the builds of code that is not upstream's, made for this run, with their compiler caches.

    To be called by that run, at its end: its own hold on them is given up. Returns the keys of what went.
    """
    gone = sorted(path for path in builds.glob(f"*{untrusted(run)}") if path.is_dir())
    for root in gone:
        release(root)
    return tuple(root.name for root in gone if _remove(root))


@dataclass(frozen=True)
class _Found:
    root: Path
    used: float
    mib: float
    is_finished: bool

    @classmethod
    def of(cls, root: Path) -> "_Found":
        ready = Folder(root).marker()
        return cls(root, last_used(root), ready.size_mib if ready else size_mib(root), ready is not None)


def _is_over(item: _Found, kept: int, mib: float, limits: Limits) -> bool:
    is_untrusted = Folder(item.root).is_throwaway
    unused_s = time.time() - item.used
    is_stale = (not item.is_finished and unused_s > _STALE_S) or (is_untrusted and unused_s > _UNTRUSTED_S)
    return is_stale or mib > limits.mib or (item.is_finished and kept > limits.kept)


def _remove(root: Path) -> bool:
    """Whether it is gone: in one step, under both locks, so that nobody sees half a build."""
    trash = root.with_name(f"{_TRASH}{root.name}")
    try:
        with FileLock(Folder(root).lock, blocking=False), unused(root) as is_free:
            if not is_free:
                return False
            root.rename(trash)
    except (Timeout, OSError):
        return False
    shutil.rmtree(trash, ignore_errors=True)
    return True


def _folders(builds: Path) -> list[Path]:
    if not builds.is_dir():
        return []
    return [Path(entry.path) for entry in os.scandir(builds) if _is_build(entry)]


def _is_build(entry: "os.DirEntry[str]") -> bool:
    return entry.is_dir(follow_symlinks=False) and not entry.name.startswith(".")
