"""One side's build: from a commit to binaries whose `--version` names that commit."""

import hashlib
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot import process
from bot.build import boxes, extras, git_shim
from bot.build import options as table
from bot.build.cmake import Progress, StepError, Steps, default_jobs
from bot.build.diagnosis import Stage, diagnose
from bot.build.identity import foreign_libraries, is_commit, loaded_libraries, version
from bot.build.layout import SERVER, TARGETS, Folder, hashes, untrusted
from bot.build.toolchain import Target, Toolchain, find, native_identity
from bot.build.turns import turn
from bot.build.usage import hold
from bot.isolation import Level, demand
from bot.records import Backend, Build, BuildFailure, FailureClass, Reason, Side, Tag

Export = Callable[[str, Path], object]


@dataclass(frozen=True, kw_only=True)
class BuildRequest:
    """What to build. `export(sha, folder)` lays the tree of a commit into a folder that does not exist yet.

    `cache` is the root of `builds/`, `ccache/`, `toolkits/` and `machine.json`. `cuda_arch` as CMake takes it
    ("86", "120a"; several with semicolons), needed for cuda. `driver`: its version, `flags`: the profile's;
    None and empty where nothing is to be fitted to them. `jobs` None: by cores and memory. `twin`: the second
    folder of one commit that is compared with itself. `extras`: optional programs to have beside the others;
    without one that does not compile, the build stays what it is. `isolation`: how far compilers and programs
    are shut in. `trusted`: upstream has accepted the code; what is not is built with a compiler cache of its
    own, in a folder that only the run named `run` finds again (see `discard`). `on_wait` is called when
    another process builds this.
    """

    side: Side
    tag: Tag
    backend: Backend
    cache: Path
    export: Export
    native: bool = True
    cuda_arch: str | None = None
    driver: str | None = None
    flags: tuple[str, ...] = ()
    jobs: int | None = None
    twin: bool = False
    extras: tuple[str, ...] = ()
    isolation: Level = "auto"
    trusted: bool = True
    run: str = ""
    on_wait: Callable[[], None] | None = None

    @property
    def kv(self) -> str:
        """The K-V pair that needs an attention kernel of its own on a GPU, "" for none."""
        return table.kv_kernel(self.flags) if self.backend == "cuda" else ""

    def toolchain(self) -> Toolchain:
        """The tools for this build. Raises BotError (exit 4) for a missing one."""
        architectures = tuple((self.cuda_arch or "").split(";")) if self.cuda_arch else ()
        return find(self.backend, Target(architectures, self.driver, self.cache.resolve() / "toolkits"))


@dataclass(frozen=True)
class Built:
    """What came of it. `folder` holds llama-server and llama-bench; None where the build failed."""

    record: Build
    folder: Path | None
    notes: tuple[Reason, ...] = ()


def build(
    request: BuildRequest, *, progress: Progress | None = None, toolchain: Toolchain | None = None
) -> Built:
    """Build, go on with an interrupted build, or take the finished one (verified by hash; under a second).

    A build that fails is a record with a `BuildFailure`, not an exception. Another process that builds the
    same key is waited for. As long as this process lives, nobody removes the build. `progress(done, total)`
    counts the build's steps.
    Raises BotError (exit 4) where a tool is missing, the disk is full or a required isolation cannot be had,
    and what `export` raises.
    """
    started = time.monotonic()
    demand(request.isolation)
    tools = toolchain or request.toolchain()
    folder = folder_of(request, tools)
    folder.root.parent.mkdir(parents=True, exist_ok=True)
    hold(folder.root)
    with turn(folder, request.on_wait):
        boxes.name_libraries(folder, [Path(tools.cuda.cublas.path)] if tools.cuda else [])
        ready = folder.finished()
        if ready is not None:
            record = ready.build.model_copy(update=_asked(request) | {"cached": True})
        else:
            record = _make(request, folder, tools, progress)
        cache = request.cache.resolve()
        record = extras.added(folder, record, tools, request.extras, cache, level=request.isolation)
    record = record.model_copy(update={"seconds": round(time.monotonic() - started, 2)})
    return Built(record, folder.bin if record.status == "ok" else None)


def folder_of(request: BuildRequest, toolchain: Toolchain) -> Folder:
    """`builds/<commit>-<backend>-<hash>`: the hash is of options, toolchain and, for native builds, the CPU.

    Neither the tag nor the build number is in it: one commit is built once, whatever it is called.
    """
    cpu = native_identity(toolchain) if request.native else "portable"
    what = (request.backend, request.cuda_arch or "", request.kv)
    parts = (table.digest(request.backend), *what, toolchain.identity, cpu)
    digest = hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
    key = f"{request.tag.sha[:12]}-{request.backend}-{digest}{'-aa' if request.twin else ''}"
    if not request.trusted:
        key += untrusted(request.run)
    return Folder((request.cache / "builds").resolve() / key)


def _asked(request: BuildRequest) -> dict[str, Any]:
    return {"side": request.side, "tag": request.tag.name, "sha": request.tag.sha}


def _make(request: BuildRequest, folder: Folder, tools: Toolchain, progress: Progress | None) -> Build:
    if folder.is_claimed():  # finished once, damaged since: nothing compiled here is trusted
        folder.reset()
    clock = _Clock()
    folder.lay(request.tag.sha, request.export)
    clock.lap("source")
    tree = table.known(folder.src)
    options = table.compose(tree, request.backend, values_of(request, tools))
    programs = table.programs(tree)
    git = (
        git_shim.write(folder.root / "git", request.tag.sha, request.tag.number or 0)
        if tree.asks_git
        else None
    )
    targets = tuple(programs.values())
    steps = Steps(folder, tools, request.cache.resolve(), targets, git, request.isolation)
    jobs = request.jobs or default_jobs(request.backend)
    record = _record(request, steps, options, jobs)
    try:
        steps.configure(options)
        clock.lap("configure")
        steps.compile(jobs, progress)
        clock.lap("compile")
        folder.name_programs(programs)
        said = _identify(folder, request)
        clock.lap("identity")
        made: dict[str, Any] = {"version": said, "binaries": hashes(folder.bin)}
    except StepError as failed:
        clock.lap(failed.failure.stage)
        made = {"status": "failed", "failure": failed.failure}
    how = {"stages": clock.laps, "units": steps.units(), "isolation": steps.isolation}
    record = record.model_copy(update=made | how)
    if record.status == "ok":
        folder.finish(record)
    return record


class _Clock:
    """Seconds of each stage."""

    def __init__(self) -> None:
        self.laps: dict[str, float] = {}
        self._since = time.monotonic()

    def lap(self, stage: str) -> None:
        now = time.monotonic()
        self.laps[stage] = round(now - self._since, 2)
        self._since = now


def values_of(request: BuildRequest, tools: Toolchain) -> dict[str, str]:
    """What fills the braces of the table of options."""
    cuda = tools.cuda
    return {
        "cc": tools.cc.path,
        "cxx": tools.cxx.path,
        "ccache": tools.ccache.path,
        "native": "ON" if request.native else "OFF",
        "number": str(request.tag.number or 0),
        "commit": request.tag.sha[:7],
        "nvcc": cuda.nvcc.path if cuda else "",
        "host": cuda.host.path if cuda else "",
        "cuda_lib": cuda.cublas.path if cuda else "",
        "no_vmm": "OFF" if cuda and cuda.has_driver else "ON",
        "cuda_arch": request.cuda_arch or "",
        "kv": request.kv,
    }


def _record(request: BuildRequest, steps: Steps, options: dict[str, str], jobs: int) -> Build:
    """The record before anything was done; without paths of this machine."""
    short = {f"{steps.folder.root}/": "", **steps.toolchain.short_names}
    commands = (steps.configure_command(options), steps.compile_command(jobs))
    return Build(
        **_asked(request),
        key=steps.folder.root.name,
        backend=request.backend,
        options={name: _shortened(value, short) for name, value in options.items()},
        native=request.native,
        tools=steps.toolchain.tools,
        toolkits=steps.toolchain.cuda.reasons if steps.toolchain.cuda else (),
        commands=tuple(tuple(_shortened(word, short) for word in command) for command in commands),
    )


def _shortened(text: str, names: dict[str, str]) -> str:
    for long, short in names.items():
        text = text.replace(long, short)
    return text


def _identify(folder: Folder, request: BuildRequest) -> str:
    """What the server says of itself. Raises StepError unless it starts and names the commit asked for."""
    box = boxes.running(folder.bin, request.isolation)
    if folder.bin.is_symlink() or not all((folder.bin / name).is_file() for name in TARGETS):
        raise _failed("identity", "configuration", "binaries-missing", "")
    finished = process.run([str(folder.bin / SERVER), "--version"], timeout_s=60, network="none", box=box)
    if finished.signal == signal.SIGILL:
        raise illegal_instruction(finished.output)
    said = version(finished.output)
    if said is None:
        found = diagnose(finished.output.splitlines())
        known = found.cause != "unknown"
        raise (
            StepError(found.at("smoke"))
            if known
            else _failed("identity", "unknown", "no-version", finished.output)
        )
    if not is_commit(request.tag.sha, said[1]):
        raise _failed("identity", "configuration", "wrong-commit", finished.output)
    # The loader that the program itself names is what ldd(1) starts.
    loaded = process.run(["ldd", str(folder.bin / SERVER)], timeout_s=60, network="none", box=box).output
    if foreign := foreign_libraries(loaded_libraries(loaded), folder.bin):
        raise _failed("identity", "environment", "foreign-library", "\n".join(foreign))
    return said[0]


def illegal_instruction(output: str) -> StepError:
    """The failure of a binary that this processor refuses."""
    return _failed("smoke", "environment", "illegal-instruction", output)


def _failed(stage: Stage, kind: FailureClass, cause: str, output: str) -> StepError:
    tail = "\n".join(output.splitlines()[-25:])
    return StepError(BuildFailure(stage=stage, kind=kind, cause=cause, excerpt=tail, tail=tail))
