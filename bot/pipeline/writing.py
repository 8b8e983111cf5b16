"""The end of a run: the record, fit to be published, and the reports made from it alone."""

from pathlib import Path

from bot import store
from bot.gpu.machine import short_hash
from bot.pipeline.context import Context
from bot.publish import public
from bot.records import Run
from bot.report.charts import charts
from bot.report.launches import FILE_NAME, launches_csv
from bot.report.render import render
from bot.report.words import catalog


def write(context: Context, run: Run) -> Run:
    """Write the reports, then the record: its presence says that the run is finished."""
    published = public(run, _names(context))
    write_reports(context.folder.path, published)
    store.save(context.folder.record, published)
    return published


def write_reports(folder: Path, run: Run, languages: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """Every file that is made from the record; returns their paths."""
    spoken = languages or run.languages
    files = dict(render(run, languages=spoken))
    drawn = charts(run, tuple(catalog(tag) for tag in spoken))
    files |= {f"charts/{name}": text for name, text in drawn.items()}
    if launches := launches_csv(run):
        files[FILE_NAME] = launches
    for name, text in files.items():
        store.write_text(folder / name, text)
    return tuple(folder / name for name in files)


def _names(context: Context) -> dict[str, str]:
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
        names[context.device.uuid] = f"GPU-{short_hash(context.device.uuid)}"
    return names
