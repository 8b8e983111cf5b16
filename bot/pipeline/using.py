"""`use TAG`: what the user runs, switched in one step and switched back the same way."""

from dataclasses import dataclass
from pathlib import Path

from bot.build.current import current, link_of, switch
from bot.config import Settings
from bot.pipeline.single import build_one
from bot.progress import Reporter
from bot.records import Build


@dataclass(frozen=True)
class Switched:
    """`link` is the folder to start the server from; None where the build failed. `before`: what was used."""

    build: Build
    link: Path | None
    before: Build | None


def use(settings: Settings, name: str, reporter: Reporter) -> Switched:
    """Switch to the build of a tag or full commit id; one that is not there is built first.

    Raises BotError as `build_one` does.
    """
    before = current(settings.cache)
    built = build_one(settings, name, reporter)
    if built.folder is None:
        return Switched(built.record, None, before)
    switch(settings.cache, built.record)
    return Switched(built.record, link_of(settings.cache), before)
