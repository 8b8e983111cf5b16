"""Room for a run: host memory, disk, and folders that can be written and run from."""

import os
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from bot.doctor.finding import Finding, missing, ok, size, warning
from bot.doctor.gpu import gpu_mib
from bot.records import Backend
from bot.upstream.mirror import mirror_path

if TYPE_CHECKING:
    from bot.doctor.case import Case

MIB = 2**20
#: One build with its sources, as measured; cuda for one architecture.
_BUILD_MIB: dict[Backend, float] = {"cpu": 90.0, "cuda": 600.0}
#: All of llama.cpp's history without its files, as measured, and what compiling adds to ccache.
_MIRROR_MIB, _CCACHE_MIB = 60.0, 50.0
#: Logs, rounds and reports of one run.
_RUN_MIB = 20.0
_GROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")


@dataclass(frozen=True)
class Place:
    """A folder that a run writes to, and what it will take there. `disk` tells file systems apart."""

    path: Path
    disk: int
    free_mib: float
    needed_mib: float


@dataclass(frozen=True)
class Folder:
    """Whether a folder can be written (`why` not, else "") and whether programs in it may run."""

    path: Path
    why: str
    runnable: bool


def ram(case: "Case") -> Iterator[Finding]:
    """Memory against the weights that stay in it."""
    if isinstance(case.weights, Exception):
        return
    memory = psutil.virtual_memory()
    needed = case.weights.size_mib
    if case.backend == "cuda" and not (case.gpu and case.gpu.total_mib is None):
        needed -= gpu_mib(case.weights, case.profile.flags)
    yield judge_ram(min(memory.total / MIB, group_limit_mib()), memory.available / MIB, needed)


def judge_ram(total_mib: float, free_mib: float, needed_mib: float) -> Finding:
    """A model that is paged from the disk measures the disk."""
    args = {"total": size(total_mib), "free": size(min(free_mib, total_mib)), "needed": size(needed_mib)}
    if needed_mib > total_mib:
        return missing("ram", "small", **args)
    if needed_mib > free_mib:
        return warning("ram", "taken", **args)
    return ok("ram", **args)


def disk(case: "Case") -> Iterator[Finding]:
    """Free space where the cache and the run's folder lie."""
    is_mirrored = mirror_path(case.settings.cache, case.settings.upstream.url).exists()
    cached = 2 * _BUILD_MIB[case.backend] + _CCACHE_MIB + (0.0 if is_mirrored else _MIRROR_MIB)
    yield from judge_disk([place(case.settings.cache, cached), place(case.runs, _RUN_MIB)])


def judge_disk(places: Iterable[Place]) -> Iterator[Finding]:
    """One finding per file system: what lies on the same one is added up."""
    by_disk: dict[int, list[Place]] = {}
    for item in places:
        by_disk.setdefault(item.disk, []).append(item)
    for items in by_disk.values():
        needed, free = sum(item.needed_mib for item in items), items[0].free_mib
        args = {"path": str(items[0].path), "free": size(free), "needed": size(needed)}
        if free < needed:
            yield missing("disk", "full", **args)
        elif free < 2 * needed:
            yield warning("disk", "low", **args)
        else:
            yield ok("disk", **args)


def cache(case: "Case") -> Iterator[Finding]:
    """The cache folder can be written, and the servers built there can be started."""
    yield judge_folder("cache", folder(case.settings.cache))


def runs(case: "Case") -> Iterator[Finding]:
    """The folder of the runs can be written."""
    found = folder(case.runs)
    yield judge_folder("runs", Folder(found.path, found.why, runnable=True))


def judge_folder(check: str, found: Folder) -> Finding:
    """`check`: "cache" or "runs"."""
    if found.why:
        return missing(check, "readonly", path=str(found.path), why=found.why)
    if not found.runnable:
        return missing(check, "noexec", path=str(found.path))
    return ok(check, path=str(found.path))


def place(path: Path, needed_mib: float) -> Place:
    """The disk that `path` is on, or would be."""
    there = _existing(path)
    status = os.statvfs(there)
    return Place(
        path.expanduser().absolute(), there.stat().st_dev, status.f_bavail * status.f_frsize / MIB, needed_mib
    )


def folder(path: Path) -> Folder:
    """Tried with a nameless file in the folder, or in the one that it would be made in."""
    whole = path.expanduser().absolute()
    there = _existing(whole)
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
    except OSError as error:
        return Folder(whole, error.strerror or str(error), runnable=True)
    return Folder(whole, "", runnable=not os.statvfs(there).f_flag & os.ST_NOEXEC)


def group_limit_mib() -> float:
    """The memory limit of this container, MiB (cgroup v2); infinite where there is none."""
    try:
        return int(_GROUP_LIMIT.read_text("ascii")) / MIB
    except (OSError, ValueError):
        return float("inf")


def _existing(path: Path) -> Path:
    whole = path.expanduser().absolute()
    return next(item for item in (whole, *whole.parents) if item.exists())
