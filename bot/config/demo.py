"""The demo's own settings: `templates/demo.yml`, with this run's model and source."""

from pathlib import Path

from bot import resources
from bot.config.load import load
from bot.config.models import UpstreamConfig
from bot.config.settings import Settings


def demo_settings(model: Path, *, upstream: str | None = None, cache: Path | None = None) -> Settings:
    """The settings of the demo for that model file; `upstream` is a git address or a repository's path."""
    settings = load(resources.templates() / "demo.yml")
    profiles = {
        name: item.model_copy(update={"model": model.absolute()}) for name, item in settings.profiles.items()
    }
    changes: dict[str, object] = {"profiles": profiles}
    if upstream is not None:
        changes["upstream"] = UpstreamConfig(url=upstream)
    if cache is not None:
        changes["cache"] = cache
    return settings.model_copy(update=changes)
