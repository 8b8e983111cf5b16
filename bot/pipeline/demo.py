"""The main job on a machine with no GPU, token or model: sources and model from a package index."""

from pathlib import Path

from bot.config import demo_settings
from bot.config.settings import default_cache
from bot.demo import model, sources
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.request import Request
from bot.pipeline.run import run
from bot.progress import Reporter
from bot.records import Run


def demo(out: Path, reporter: Reporter, *, again: bool = False) -> tuple[Run, RunFolder]:
    """Fetch what is missing, then take the same path as any run. Raises BotError as `run` does."""
    cache = default_cache()
    folder = cache / "demo"
    if not model.is_ready(folder):
        reporter.say(
            "demo-model-terms", name=model.NAME, size=round(model.SIZE_BYTES / 1e6), url=model.TERMS_URL
        )
    with reporter.stage("progress-demo-sources") as advance:
        repository = sources.prepare(folder, progress=advance)
    with reporter.stage("progress-demo-model") as advance:
        gguf = model.prepare(folder, progress=advance)
    settings = demo_settings(gguf, upstream=str(repository), cache=cache)
    request = Request(
        base=sources.SDISTS[0].tag,
        head=sources.SDISTS[1].tag,
        out=out,
        again=again,
        asked_by="demo",
        notes=("demo",),
    )
    return run(settings, request, reporter)
