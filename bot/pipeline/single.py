"""One tag built by itself, with the same cache as any run."""

from pathlib import Path

from bot.build.builder import BuildRequest, Built, build
from bot.config import Settings
from bot.pipeline.begin import find_device, open_mirror
from bot.pipeline.building import architectures, prune_builds, say_sandbox, say_toolkits
from bot.progress import Reporter


def build_one(settings: Settings, name: str, reporter: Reporter) -> Built:
    """The build of a tag or full commit id. Raises BotError as the steps of a run do."""
    device = find_device(settings)
    mirror = open_mirror(settings, reporter)
    tag = mirror.named(name)

    def export(sha: str, folder: Path) -> None:
        mirror.export(sha, folder)

    say_sandbox(settings, reporter)
    with reporter.stage("progress-build-one", tag=tag.name) as advance:
        request = BuildRequest(
            side="head",
            tag=tag,
            backend="cuda" if device else "cpu",
            cache=settings.cache,
            export=export,
            cuda_arch=architectures(settings, device),
            driver=device.driver if device else None,
            flags=settings.profile().flags,
            isolation=settings.machine.isolation,
            trusted=mirror.is_accepted(tag),
            on_wait=lambda: reporter.say("progress-waiting-build", tag=tag.name),
        )
        built = build(request, progress=advance)
    say_toolkits(reporter, built.record)
    prune_builds(settings)
    return built
