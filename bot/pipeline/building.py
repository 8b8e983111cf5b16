"""The step that builds both sides."""

from pathlib import Path

from bot.build.blame import judged
from bot.build.builder import BuildRequest
from bot.build.current import current
from bot.build.pair import build_pair
from bot.build.pruning import Limits, prune
from bot.config import Settings
from bot.gpu.nvml import Device
from bot.pipeline.context import Context
from bot.progress import Reporter
from bot.records import Build, Run, Side, Tag

#: A larger model takes longer to try than a build takes to repair; the first launch tells as well.
_SMOKE_MIB = 2048


def build(context: Context, run: Run) -> Run:
    """Both builds, failed or not. Raises BotError (exit 4) where the machine cannot build at all."""
    with context.reporter.stage(
        "progress-build", base=run.pair.base.name, head=run.pair.head.name
    ) as advance:
        half = {"base": 0.0, "head": 0.0}

        def progress(side: Side, done: int, total: int) -> None:
            half[side] = 50 * done / total
            if side == "head":
                half["base"] = 50.0
            advance(sum(half.values()), 100)

        base, head = build_pair(
            _request(context, "base", run.pair.base),
            _request(context, "head", run.pair.head),
            context.profile.model if run.profile.model.size_mib <= _SMOKE_MIB else None,
            progress=progress,
        )
    say_toolkits(context.reporter, base.record)
    builds = judged(base.record, head.record)
    prune_builds(context.settings)
    found = (*base.notes, *(note for note in head.notes if note not in base.notes))
    return run.model_copy(update={"builds": builds, "notes": (*run.notes, *found)})


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


def architectures(settings: Settings, device: Device | None) -> str | None:
    """What to compile GPU code for, as CMake takes it: the list of the settings, else this GPU's own."""
    if device is None:
        return None
    return ";".join(settings.machine.cuda_architectures) or device.cuda_arch


def _request(context: Context, side: Side, tag: Tag) -> BuildRequest:
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
        on_wait=lambda: context.reporter.say("progress-waiting-build", tag=tag.name),
    )
