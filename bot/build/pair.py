"""Both sides of a run, built the same way: for this processor, or portable where it refuses that."""

import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from bot.build.builder import BuildRequest, Built, build, illegal_instruction
from bot.build.machine import native_works, remember_native_off
from bot.build.smoke import smoke
from bot.build.toolchain import Toolchain
from bot.records import Reason, Side

#: (side, steps or bytes done, in all)
PairProgress = Callable[[Side, float, float], None]

NATIVE_OFF = Reason(code="native_off")


def build_pair(
    base: BuildRequest,
    head: BuildRequest,
    smoke_model: Path | None,
    *,
    progress: PairProgress | None = None,
    toolchain: Toolchain | None = None,
) -> tuple[Built, Built]:
    """Build base, then head, whatever becomes of base; start each once with `smoke_model`.

    When this processor refuses one of them (SIGILL), both are built again with `GGML_NATIVE=OFF`, this
    machine remembers it, and both carry the note `native_off`. Without a model only `--version` is tried.
    Raises what `build` raises.
    """
    tools = toolchain or base.toolchain()
    head = replace(head, twin=base.tag.sha == head.tag.sha)
    wanted = base.native and head.native
    if wanted and native_works(base.cache, tools):
        pair = _both(base, head, smoke_model, progress, tools)
        refused = next((built for built in pair if _is_refused(built)), None)
        if refused is None:
            return pair
        remember_native_off(base.cache, tools, refused.record.key)
    portable = _both(replace(base, native=False), replace(head, native=False), smoke_model, progress, tools)
    if not wanted:
        return portable
    return _noted(portable[0]), _noted(portable[1])


def build_alone(
    request: BuildRequest,
    smoke_model: Path | None,
    *,
    progress: PairProgress | None = None,
    toolchain: Toolchain | None = None,
) -> Built:
    """As `build_pair`, for one side whose other is not built here."""
    tools = toolchain or request.toolchain()
    if not request.native:
        return _started(request, smoke_model, progress, tools)
    if native_works(request.cache, tools):
        built = _started(request, smoke_model, progress, tools)
        if not _is_refused(built):
            return built
        remember_native_off(request.cache, tools, built.record.key)
    return _noted(_started(replace(request, native=False), smoke_model, progress, tools))


def _both(
    base: BuildRequest,
    head: BuildRequest,
    model: Path | None,
    progress: PairProgress | None,
    tools: Toolchain,
) -> tuple[Built, Built]:
    return _started(base, model, progress, tools), _started(head, model, progress, tools)


def _started(
    request: BuildRequest, model: Path | None, progress: PairProgress | None, tools: Toolchain
) -> Built:
    """Built, and tried with the model unless it has passed that before."""

    def step(done: int, total: int) -> None:
        if progress:
            progress(request.side, done, total)

    built = build(request, progress=step, toolchain=tools)
    if built.folder is None or model is None:
        return built
    passed = built.folder.parent.with_name("smoked")
    if passed.is_file() and built.record.cached:
        return built
    if smoke(built.folder, model, request.isolation) != signal.SIGILL:
        passed.touch()
        return built
    failure = illegal_instruction("").failure
    return Built(built.record.model_copy(update={"status": "failed", "failure": failure}), None)


def _is_refused(built: Built) -> bool:
    failure = built.record.failure
    return failure is not None and failure.cause == "illegal-instruction"


def _noted(built: Built) -> Built:
    return replace(built, notes=(*built.notes, NATIVE_OFF))
