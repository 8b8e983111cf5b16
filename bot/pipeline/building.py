"""The step that builds both sides."""

from pathlib import Path

from bot.build.blame import judged
from bot.build.builder import BuildRequest, Built
from bot.build.current import current
from bot.build.extras import PERPLEXITY
from bot.build.pair import PairProgress, build_alone, build_pair
from bot.build.pruning import Limits, discard, prune
from bot.config import Settings
from bot.gpu.nvml import Device
from bot.isolation import means
from bot.pipeline.context import Context
from bot.pipeline.sides import Place, ready
from bot.progress import Reporter
from bot.records import SIDES, Build, Run, Side, Tag

#: A larger model takes longer to try than a build takes to repair; the first launch tells as well.
_SMOKE_MIB = 2048


def build(context: Context, run: Run) -> Run:
    """Both builds, failed or not. Raises BotError (exit 4) where the machine cannot build at all."""
    say_sandbox(context.settings, context.reporter)
    with context.reporter.stage(
        "progress-build", base=run.pair.base.name, head=run.pair.head.name
    ) as advance:
        half = {"base": 0.0, "head": 0.0}

        def progress(side: Side, done: float, total: float) -> None:
            half[side] = 50 * done / max(total, 1)
            if side == "head":
                half["base"] = 50.0
            advance(sum(half.values()), 100)

        base, head = _made(context, run, progress)
    say_toolkits(context.reporter, base.record)
    builds = judged(base.record, head.record)
    prune_builds(context.settings)
    found = (*base.notes, *(note for note in head.notes if note not in base.notes))
    return run.model_copy(update={"builds": builds, "notes": (*run.notes, *found)})


def _made(context: Context, run: Run, progress: PairProgress) -> tuple[Built, Built]:
    """Both sides, each from its source; what is built here is tried with the model if that is small."""
    model = context.profile.model if run.profile.model.size_mib <= _SMOKE_MIB else None
    requests = {side: request_of(context, side, tag) for side, tag in _tags(run)}
    if all(_is_built(context, side) for side in SIDES):
        return build_pair(requests["base"], requests["head"], model, progress=progress)
    place = Place(context.settings, context.backend, context.device, context.reporter)

    def make(side: Side, tag: Tag) -> Built:
        if _is_built(context, side):
            return build_alone(requests[side], model, progress=progress)
        return ready(place, side, context.sides[side], tag, lambda done, total: progress(side, done, total))

    base, head = (make(side, tag) for side, tag in _tags(run))
    return base, head


def _tags(run: Run) -> tuple[tuple[Side, Tag], tuple[Side, Tag]]:
    return ("base", run.pair.base), ("head", run.pair.head)


def _is_built(context: Context, side: Side) -> bool:
    return side not in context.sides or context.sides[side].source.kind == "build"


def say_sandbox(settings: Settings, reporter: Reporter) -> None:
    """That there is none where one would be taken, and how to have it."""
    found = means()
    if settings.machine.isolation == "auto" and found.bwrap is None:
        reporter.say("progress-no-sandbox", why=found.refusal or "none")


def say_toolkits(reporter: Reporter, build: Build) -> None:
    """Which CUDA toolkit was taken and which was not, each with the reason; nothing for the CPU."""
    if not build.cached:
        for reason in build.toolkits:
            reporter.say(reason.code, **{name: str(value) for name, value in reason.args.items()})


def prune_builds(settings: Settings) -> None:
    """Old builds make room, as the settings say; what this process or the user uses stays."""
    builds = (settings.cache / "builds").resolve()
    machine = settings.machine
    used = current(settings.cache)
    limits = Limits(kept=machine.builds_kept, mib=machine.builds_gib * 1024.0)
    prune(builds, limits, spare={used.key} if used else ())


def discard_untrusted(context: Context) -> None:
    """Remove what this run built of code that is not upstream's, with its compiler caches."""
    discard((context.cache / "builds").resolve(), str(context.folder.path.absolute()))


def architectures(settings: Settings, device: Device | None) -> str | None:
    """What to compile GPU code for, as CMake takes it: the list of the settings, else this GPU's own."""
    if device is None:
        return None
    return ";".join(settings.machine.cuda_architectures) or device.cuda_arch


def request_of(context: Context, side: Side, tag: Tag) -> BuildRequest:
    """What is asked of the builder for one side of a run."""

    def export(sha: str, folder: Path) -> None:
        context.mirror.export(sha, folder)

    return BuildRequest(
        side=side,
        tag=tag,
        backend=context.backend,
        cache=context.cache,
        export=export,
        cuda_arch=architectures(context.settings, context.device),
        driver=context.device.driver if context.device else None,
        flags=context.profile.flags,
        extras=(PERPLEXITY,) if "likelihood" in context.profile.evidence else (),
        isolation=context.settings.machine.isolation,
        trusted=context.mirror.is_accepted(tag),
        run=str(context.folder.path.absolute()),
        on_wait=lambda: context.reporter.say("progress-waiting-build", tag=tag.name),
    )
