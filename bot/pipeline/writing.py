"""The end of a run: the record, fit to be published, and the reports made from it alone."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot import store
from bot.publish import public
from bot.records import Run
from bot.report.charts import charts
from bot.report.launches import FILE_NAME, launches_csv
from bot.report.render import render
from bot.report.words import catalog

if TYPE_CHECKING:
    from bot.pipeline.context import Context


def write(context: "Context", run: Run) -> Run:
    """Write the reports, then the record: its presence says that the run is finished."""
    published = public(run, _names(context))
    for _ in write_reports(context.folder.path, published):
        pass
    store.save(context.folder.record, published)
    return published


def write_reports(folder: Path, run: Run, languages: tuple[str, ...] = ()) -> Iterator[Path]:
    """Write every file that is made from the record; each path as soon as it is there, pictures last."""
    for name, text in _files(run, languages or run.languages):
        store.write_text(folder / name, text)
        yield folder / name


def _files(run: Run, languages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    yield from render(run, languages=languages).items()
    if launches := launches_csv(run):
        yield FILE_NAME, launches
    drawn = charts(run, tuple(catalog(tag) for tag in languages))
    yield from ((f"charts/{name}", text) for name, text in drawn.items())


def _names(context: "Context") -> dict[str, str]:
    """What of this machine's folders stands in a record, and what is shown instead."""
    model = context.profile.model
    names = {
        str(model): model.name,
        str(model.resolve()): model.name,
        f"{context.cache}/builds": "builds",
        f"{context.cache.resolve()}/builds": "builds",
        str(context.folder.path.absolute()): "RUN",
    }
    if context.device:
        from bot.gpu.machine import short_hash  # noqa: PLC0415 - costs 0.1 s, `render` needs none

        for device in context.device.each:
            names[device.uuid] = f"GPU-{short_hash(device.uuid)}"
    return names
