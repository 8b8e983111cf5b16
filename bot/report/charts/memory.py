"""Draws memory over a launch: a curve for each side, loaded and peak marked, the total of a GPU."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle

from bot.report import numbers
from bot.report.charts import captions, palette
from bot.report.charts.captions import both
from bot.report.charts.curves import Curve, MemoryStory
from bot.report.charts.identity import gid
from bot.report.charts.memory_table import COLORS, STYLES, Table
from bot.report.charts.sheet import EDGE, WIDTH, Sheet, mark, strokes, ticks
from bot.report.words import Words

_LEFT, _HEIGHT, _GAP = 62.0, 190.0, 24.0
_SPAN = WIDTH - EDGE - _LEFT
#: The scale spans this many times what lies between loaded and the top, so that the peaks come apart;
#: but at least this share of the top and this many MiB: noise must not fill the picture.
_ZOOM, _LEAST_SHARE, _LEAST_MIB = 1.8, 0.15, 512.0


@dataclass(frozen=True)
class Scale:
    """Seconds (from 0) and MiB that the picture spans."""

    seconds: float
    low: float
    high: float

    def mib(self, pixels: float) -> float:
        """So many pixels of height in MiB."""
        return (self.high - self.low) * pixels / _HEIGHT


def draw_memory(story: MemoryStory, words: Sequence[Words]) -> str:
    """The SVG of memory over a launch."""
    scale, table = scale_of(story), Table(story, words)
    notes, top = _notes(story, words, scale), table.bottom + _GAP
    sheet = Sheet(height=top + _HEIGHT + 44 + 15 * len(notes))
    plot = sheet.axes(_LEFT, top, WIDTH - EDGE, top + _HEIGHT)
    plot.set(xlim=(0, scale.seconds), ylim=(scale.low, scale.high))
    table.draw(sheet)
    _limit(sheet, plot, story, scale, words)
    _levels(sheet, plot, scale)
    _time(sheet, scale, words, top + _HEIGHT)
    for curve in reversed(story.curves):
        _curve(plot, curve, scale)
    sheet.lines(top + _HEIGHT + 48, notes)
    said = [item.text("chart-memory-description", round=story.round) for item in words]
    return sheet.finish(
        title=both(words, f"chart-memory-{story.source}"),
        description="\n".join([*said, *table.rows()]),
        language=words[0].language,
        titles=dict.fromkeys(_named(story), ""),
    )


def scale_of(story: MemoryStory) -> Scale:
    """What is shown: the peaks and all above, from 0 where that leaves them far enough apart."""
    peaks = [curve.peak[1] for curve in story.curves]
    levels = peaks + [curve.loaded[1] for curve in story.curves if curve.loaded]
    high = max(story.total or 0.0, *peaks)
    low = max(0.0, high - max(_ZOOM * (high - min(levels)), _LEAST_SHARE * high, _LEAST_MIB))
    seconds = max(point[0] for curve in story.curves for point in curve.points) or 1.0
    return Scale(seconds * 1.02, low, high + (high - low) * 0.06)


def _named(story: MemoryStory) -> list[str]:
    kinds = ("curve", "loaded", "peak")
    return ["total", "reserve", *(gid(kind, curve.side) for curve in story.curves for kind in kinds)]


def _levels(sheet: Sheet, plot: Axes, scale: Scale) -> None:
    levels = ticks(scale.low, scale.high, 5)
    strokes(plot, [(0, y, scale.seconds, y) for y in levels], color=palette.GRID, linewidth=0.8)
    strokes(plot, [(0, scale.low, scale.seconds, scale.low)], color=palette.MUTED, linewidth=1)
    x = -6 * scale.seconds / _SPAN
    for y in levels:
        text = numbers.mib(y)
        sheet.say(x, y - scale.mib(4), text, size=11, color=palette.MUTED, align="right", axes=plot)


def _time(sheet: Sheet, scale: Scale, words: Sequence[Words], floor: float) -> None:
    for second in ticks(0, scale.seconds, 6):
        x = _LEFT + second / scale.seconds * _SPAN
        strokes(sheet.page, [(x, floor, x, floor + 4)], color=palette.MUTED, linewidth=1)
        sheet.say(x, floor + 16, f"{second:g}", size=11, color=palette.MUTED, align="center")
    said = both(words, "chart-seconds")
    sheet.say(WIDTH - EDGE, floor + 31, said, size=11, color=palette.MUTED, align="right")


def _limit(sheet: Sheet, plot: Axes, story: MemoryStory, scale: Scale, words: Sequence[Words]) -> None:
    """What the GPU has, and the part of it that is to stay free."""
    total, reserve = story.total, story.run.profile.reserve_mib
    if total is None:
        return
    zone = Rectangle((0, total - reserve), scale.seconds, reserve, facecolor=palette.BAND, gid="reserve")
    plot.add_patch(zone)
    strokes(plot, [(0, total, scale.seconds, total)], color=palette.INK, linewidth=1.4, gid="total")
    kept = f"{both(words, 'chart-reserve')} {reserve} MiB"
    text = f"{both(words, 'chart-total')} {numbers.mib(total)} · {kept}"
    sheet.say(0, total + scale.mib(5), text, size=11, color=palette.MUTED, axes=plot)


def _curve(plot: Axes, curve: Curve, scale: Scale) -> None:
    color, side = COLORS[curve.side], curve.side
    xs, ys = zip(*curve.points, strict=True)
    plot.plot(xs, ys, color=color, gid=gid("curve", side), **STYLES[side])
    if curve.loaded and scale.low <= curve.loaded[1] and curve.loaded[0] <= scale.seconds:
        mark(plot, *curve.loaded, "o", color, hollow=True, gid=gid("loaded", side))
    mark(plot, *curve.peak, "^", color, gid=gid("peak", side))


def _notes(story: MemoryStory, words: Sequence[Words], scale: Scale) -> list[str]:
    """How to read it, in one language after the other."""
    said = ["chart-curve" if story.figures else "chart-curve-one", *(["chart-axis-cut"] if scale.low else [])]
    lines = [item.text(message, round=story.round) for item in words for message in said]
    return [line for text in lines for line in captions.wrapped(text, WIDTH - 2 * EDGE, 11)]
