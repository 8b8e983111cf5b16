"""CMake and ninja on one build folder: configure once, compile, report progress. No network inside."""

import os
import re
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bot import process, store
from bot.build import boxes
from bot.build import options as table
from bot.build.diagnosis import Diagnosis, Stage, diagnose_file
from bot.build.layout import Folder
from bot.build.toolchain import Toolchain
from bot.isolation import Level, read_plain
from bot.records import Backend, BuildFailure

Progress = Callable[[int, int], None]

_STEP = re.compile(r"^\[(\d+)/(\d+)\] ")
_STATUS = "[%f/%t] "
_CONFIGURE_S = 900.0
#: A CUDA build for many architectures takes hours on few cores; none takes longer than this unless it hangs.
_COMPILE_S = 8 * 3600.0
#: What one compiler may need at its peak: cc1plus on the server's sources, cicc on the attention kernels.
_JOB_MIB: dict[Backend, float] = {"cpu": 1024.0, "cuda": 1536.0}
#: Diagnoses that fewer jobs at a time may cure.
_CROWDED = frozenset({"out-of-memory", "compiler-crashed"})


_OUTCOMES = {"direct_cache_hit": "hit", "preprocessed_cache_hit": "hit", "cache_miss": "miss"}


class StepError(Exception):
    """One step of a build ended badly."""

    def __init__(self, failure: BuildFailure) -> None:
        super().__init__(failure.cause)
        self.failure = failure


@dataclass(frozen=True)
class Steps:
    """The commands of one build. `cache` is the root of `builds/` and `ccache/`, `targets` what is built.

    `programs` is a folder that goes before PATH. `level`: how far the commands are shut in.
    """

    folder: Folder
    toolchain: Toolchain
    cache: Path
    targets: tuple[str, ...]
    programs: Path | None = None
    level: Level = "auto"
    _reached: list[tuple[str, ...]] = field(default_factory=list, init=False, compare=False)

    def configure(self, options: Mapping[str, str]) -> None:
        """Run CMake unless it has finished here before; an interrupted one starts over. Raises StepError."""
        stamp = self.folder.bld / "configured"
        if stamp.is_file():
            return
        self.folder.reset()
        finished = self._run("configure", self.configure_command(options), _CONFIGURE_S)
        if finished.code != 0:
            raise StepError(self._failure("configure", finished))
        store.write_text(stamp, "")

    def compile(self, jobs: int, progress: Progress | None) -> None:
        """Build the targets; once more with a quarter of the jobs when memory ran out. Raises StepError."""
        for attempt in dict.fromkeys((jobs, max(1, jobs // 4))):
            finished = self._run("compile", self.compile_command(attempt), _COMPILE_S, progress)
            if finished.code == 0:
                return
            failure = self._failure("compile", finished)
            if failure.cause not in _CROWDED:
                break
        raise StepError(failure)

    def configure_command(self, options: Mapping[str, str]) -> list[str]:
        """CMake's command line, with full paths."""
        where = ["-S", str(self.folder.src), "-B", str(self.folder.bld)]
        ninja = f"-DCMAKE_MAKE_PROGRAM={self.toolchain.ninja.path}"
        return [self.toolchain.cmake.path, "-G", "Ninja", *where, ninja, *table.arguments(options)]

    def compile_command(self, jobs: int) -> list[str]:
        """The build's command line, with full paths."""
        build = [self.toolchain.cmake.path, "--build", str(self.folder.bld), "--parallel", str(jobs)]
        return [*build, "--target", *self.targets]

    def environment(self) -> dict[str, str]:
        """Clean, with ccache set so that the same tree in another folder below `builds/` hits.

        ccache notes in the build folder how each call went.
        """
        path = os.environ.get("PATH", os.defpath)
        return process.clean_environment(
            {
                "PATH": f"{self.programs}:{path}" if self.programs else path,
                "CCACHE_DIR": str(self.folder.ccache(self.cache)),
                "CCACHE_BASEDIR": str(self.folder.root.parent),
                "CCACHE_NOHASHDIR": "1",
                "CCACHE_COMPILERCHECK": "content",
                "CCACHE_STATSLOG": str(self._calls),
                "NINJA_STATUS": _STATUS,
                # The tree's CMake asks git for the commit: a repository above the cache is not ours.
                "GIT_CEILING_DIRECTORIES": str(self.folder.root),
            }
        )

    def units(self) -> dict[str, int]:
        """How the compiler calls since configuring went: "hit", "miss" and "other" (not cacheable)."""
        try:
            lines = read_plain(self._calls).decode("utf-8", "replace").splitlines()
        except OSError:
            return {}
        counted = {"hit": 0, "miss": 0, "other": 0}
        for line in lines:
            if not line.startswith("#") and line in _OUTCOMES:
                counted[_OUTCOMES[line]] += 1
        counted["other"] += sum(line.startswith("#") for line in lines) - sum(counted.values())
        return counted

    @property
    def isolation(self) -> tuple[str, ...]:
        """What all commands so far were shut off from."""
        first = self._reached[0] if self._reached else ()
        return tuple(code for code in first if all(code in one for one in self._reached))

    @property
    def _calls(self) -> Path:
        return self.folder.bld / "ccache-calls.log"

    def _run(
        self, stage: Stage, argv: list[str], timeout_s: float, progress: Progress | None = None
    ) -> process.Finished:
        finished = process.run(
            argv,
            cwd=self.folder.root,
            env=self.environment(),
            timeout_s=timeout_s,
            log=self.folder.log(stage),
            on_line=_watch(progress) if progress else None,
            network="none",
            box=boxes.compiling(self.folder, self.toolchain, self.cache, self.level),
        )
        self._reached.append(finished.isolation)
        return finished

    def _failure(self, stage: Stage, finished: process.Finished) -> BuildFailure:
        found = diagnose_file(self.folder.log(stage))
        return _unless_killed(found, finished).at(stage)


def default_jobs(backend: Backend) -> int:
    """As many compilers at a time as there are cores, fewer where memory would not hold them."""
    cores = len(psutil.Process().cpu_affinity() or ()) or 1
    room = min(psutil.virtual_memory().available / 2**20, _group_limit_mib())
    return max(1, min(cores, int(room / _JOB_MIB[backend])))


def _group_limit_mib() -> float:
    """The memory limit of this container, MiB (cgroup v2); infinite where there is none."""
    try:
        return int(Path("/sys/fs/cgroup/memory.max").read_text("ascii")) / 2**20
    except (OSError, ValueError):
        return float("inf")


def _unless_killed(found: Diagnosis, finished: process.Finished) -> Diagnosis:
    """What the log cannot say: that the build as a whole was ended from outside."""
    if finished.timed_out:
        return Diagnosis("resource", "timed-out", found.excerpt, found.tail)
    killed = finished.oom_kills > 0 or (finished.signal == signal.SIGKILL and not finished.stopped)
    if killed and found.cause == "unknown":
        return Diagnosis("resource", "out-of-memory", found.excerpt, found.tail)
    return found


def _watch(progress: Progress) -> Callable[[str], None]:
    def line(text: str) -> None:
        step = _STEP.match(text)
        if step:
            progress(int(step[1]), int(step[2]))

    return line
