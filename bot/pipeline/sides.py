"""Where each side's binaries come from, and what the sides of a run are then."""

from dataclasses import dataclass
from pathlib import Path

from bot.build.builder import Built
from bot.build.identity import is_commit
from bot.build.prebuilt import archives, own
from bot.build.prebuilt.own import Own
from bot.config import Settings
from bot.config.sources import Source
from bot.download import Progress
from bot.errors import environment, usage
from bot.gpu.nvml import Device
from bot.pipeline.request import Request
from bot.progress import Reporter
from bot.records import SIDES, Backend, Pair, Side, Tag
from bot.upstream.mirror import Mirror


@dataclass(frozen=True)
class Sided:
    """One side's source; `own` are the user's binaries where that is what it is."""

    source: Source
    own: Own | None = None

    @property
    def identity(self) -> str:
        """What makes it another question than the same pair from other sources; "" for what is built here."""
        if self.own:
            return f"path {self.own.digest}"
        return "" if self.source.kind == "build" else str(self.source)


Sides = dict[Side, Sided]


def look(settings: Settings, request: Request) -> Sides:
    """Both sides' sources: what was asked for, else the settings. Raises BotError as `own.look` does."""
    configured = {"base": settings.sources.base, "head": settings.sources.head}
    found: Sides = {}
    for side in SIDES:
        source = request.sources.get(side, configured[side])
        mine = own.look(source.folder, settings.machine.isolation) if source.kind == "path" else None
        found[side] = Sided(source, mine)
    return found


def named(side: Sided, asked: str | None, mirror: Mirror, option: str) -> str | None:
    """The tag or commit of a side: as asked, else what the user's own server says of itself.

    Raises BotError (exit 2) for one that is of no commit in the mirror.
    """
    if asked is not None or side.own is None:
        return asked
    said = side.own.found
    tag = mirror.find(said.number, said.commit)
    if tag is None:
        raise usage("path-unknown-commit", path=str(side.own.folder), said=said.version, option=option)
    return tag.name


def must_match(sides: Sides, pair: Pair) -> None:
    """Raises BotError (exit 2) where the user's binaries are of another commit than their side's tag."""
    tags: dict[Side, Tag] = {"base": pair.base, "head": pair.head}
    for side, tag in tags.items():
        mine = sides[side].own
        if mine and not (mine.found.commit and is_commit(tag.sha, mine.found.commit)):
            args = {"path": str(mine.folder), "said": mine.found.version, "tag": tag.name, "sha": tag.sha[:9]}
            raise usage("path-wrong-commit", option=f"--{side}", **args)


def identity(sides: Sides) -> str:
    """Both sides' sources as one text; "" where all is built here."""
    texts = [sides[side].identity for side in SIDES]
    return "\n".join(texts) if any(texts) else ""


@dataclass(frozen=True)
class Place:
    """What the making of a side needs to know of this machine and run."""

    settings: Settings
    backend: Backend
    device: Device | None
    reporter: Reporter


def ready(place: Place, side: Side, sided: Sided, tag: Tag, progress: Progress) -> Built:
    """The binaries of a side that is not built here. Raises BotError as the archives and the folders do."""
    cache = place.settings.cache
    if sided.own:
        return own.link(sided.own, side, tag, place.backend, cache)
    return archives.fetch(_archive(place, side, sided.source, tag, cache), progress=progress)


def _archive(place: Place, side: Side, source: Source, tag: Tag, cache: Path) -> archives.ArchiveRequest:
    upstream = place.settings.upstream.url
    api = place.settings.sources.api(upstream)
    if api is None:
        raise usage("archive-no-address", url=upstream)
    if tag.number is None:
        raise environment("archive-no-tag", commit=tag.name)
    device = place.device
    return archives.ArchiveRequest(
        side=side,
        tag=tag,
        backend=place.backend,
        variant=source.variant or place.backend,
        api=api,
        cache=cache,
        driver=device.driver if device else None,
        capability=device.compute_capability if device else None,
        isolation=place.settings.machine.isolation,
        on_wait=lambda: place.reporter.say("progress-waiting-build", tag=tag.name),
    )
