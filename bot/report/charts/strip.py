"""One metric's strip: its name and printed change, every round, the interval below, the margin behind."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from rich.cells import cell_len

from bot.records import Run
from bot.report import numbers
from bot.report.charts import captions, palette
from bot.report.charts.captions import both
from bot.report.charts.identity import gid
from bot.report.charts.points import MetricRounds, Point, margin_band
from bot.report.charts.sheet import EDGE, WIDTH, Align, Sheet, mark, strokes, ticks
from bot.report.phrases import SYMBOLS
from bot.report.rows import Symbol
from bot.report.words import Words

HEIGHT = 56.0
#: From the strip's top: label, first and last round, interval, and the two ends of the margin's band.
_LABEL, _FIRST, _LAST, _INTERVAL = 14.0, 24.0, 39.0, 47.0
_CEILING, _FLOOR = 19.0, 53.0
#: Space at the right for the printed change; what stands before it ends here.
_CHANGE = 72.0
#: Beyond this part of the scale a round would lie under the figures of one that is off the scale.
_NEAR = 0.7
COLORS: dict[Symbol, str] = {"faster": palette.FASTER, "slower": palette.SLOWER}
_ESTIMATES: dict[Symbol, str] = {"faster": "^", "slower": "v", "within": "s", "unresolved": "D"}


@dataclass(frozen=True)
class Strip:
    """Where a metric is drawn: `top` in pixels, the scale from -`half` to `half` in ln(head/base)."""

    sheet: Sheet
    plot: Axes
    metric: MetricRounds
    top: float
    half: float

    def draw(self, run: Run, words: Sequence[Words]) -> None:
        """All of it, from back to front."""
        self._band(run.profile.margin)
        self._grid()
        self._names(run, words)
        for number, point in enumerate(self.metric.points):
            self._round(point, self._lane(number))
        self._beyond()
        self._interval()

    @property
    def _color(self) -> str:
        return COLORS.get(self.metric.row.symbol, palette.MUTED)

    def _id(self, *parts: str) -> str:
        return gid(*parts, self.metric.comparison.metric)

    def _band(self, margin: float) -> None:
        low, high = margin_band(self.metric.comparison, margin)
        corner = (low, self.top + _CEILING)
        size = (high - low, _FLOOR - _CEILING)
        self.plot.add_patch(Rectangle(corner, *size, facecolor=palette.BAND, gid=self._id("band")))

    def _grid(self) -> None:
        ceiling, floor = self.top + _CEILING, self.top + _FLOOR
        levels = [math.log1p(value / 100) for value in percents(self.half)]
        strokes(self.plot, [(x, ceiling, x, floor) for x in levels], color=palette.GRID, linewidth=0.8)
        strokes(self.plot, [(0, ceiling, 0, floor)], color=palette.MUTED, linewidth=1)

    def _names(self, run: Run, words: Sequence[Words]) -> None:
        row, y = self.metric.row, self.top + _LABEL
        label = captions.metric_label(words, row)
        told = f"{SYMBOLS[row.symbol]} {row.change}"
        self.sheet.say(EDGE, y, label)
        self.sheet.say(WIDTH - EDGE, y, told, size=13, weight="bold", color=self._color, align="right")
        room = captions.cells(WIDTH - 2 * EDGE - _CHANGE, 12) - cell_len(label) - 2
        if (slow := self._slow(run)) and room > 0:
            said = captions.shortened(f"{both(words, 'chart-slow')} {slow}", room)
            self.sheet.say(WIDTH - EDGE - _CHANGE, y, said, size=11, color=palette.MUTED, align="right")

    def _slow(self, run: Run) -> str:
        """Which sides have slow launches, and how many: `b9602 ×2`."""
        item = self.metric.comparison
        counts = zip(captions.sides(run.pair), (item.slow_base, item.slow_head), strict=True)
        return ", ".join(f"{name} ×{count}" for name, count in counts if count)

    def _lane(self, number: int) -> float:
        """The rounds' heights: in the order run, from the first above to the last below."""
        count = len(self.metric.points)
        share = 0.5 if count == 1 else number / (count - 1)
        return self.top + _FIRST + share * (_LAST - _FIRST)

    def _round(self, point: Point, y: float) -> None:
        beyond = abs(point.log_change) > self.half
        is_invalid = point.use == "invalid"
        x = math.copysign(self.half, point.log_change) if beyond else point.log_change
        marker = (">" if x > 0 else "<") if beyond else "x" if is_invalid else "o"
        mark(
            self.plot,
            x,
            y,
            marker,
            palette.MUTED if is_invalid else self._color,
            hollow=point.use != "used",
            gid=self._id("round", point.place),
        )

    def _beyond(self) -> None:
        """The furthest round that the scale does not hold, in figures, at either end where there is room."""
        values = [point.log_change for point in self.metric.points]
        for sign, align in ((-1.0, "left"), (1.0, "right")):
            furthest = max((sign * value for value in values), default=0.0)
            taken = any(self.half * _NEAR < sign * value <= self.half for value in values)
            if furthest > self.half and not taken:
                self._figures(sign * furthest, "left" if align == "left" else "right")

    def _figures(self, value: float, align: Align) -> None:
        x = math.copysign(self.half * (1 - 16 / (WIDTH / 2)), value)
        y = self.top + (_FIRST + _LAST) / 2 + 4
        text = numbers.percent(numbers.change(value))
        self.sheet.say(x, y, text, size=10, align=align, axes=self.plot)

    def _interval(self) -> None:
        symbol, y = self.metric.row.symbol, self.top + _INTERVAL
        ends = self.metric.log_interval
        low, high = (max(-self.half, min(self.half, end)) for end in ends)
        style = (0, (3, 1.5)) if symbol == "unresolved" else "-"
        strokes(
            self.plot,
            [(low, y, high, y)],
            color=self._color,
            linewidth=2,
            linestyle=style,
            gid=self._id("interval"),
        )
        for end, shown in zip(ends, (low, high), strict=True):
            mark(self.plot, shown, y, "|" if end == shown else "<" if end < 0 else ">", self._color)
        if abs(self.metric.log_change) <= self.half:
            hollow, marker = symbol == "unresolved", _ESTIMATES[symbol]
            x = self.metric.log_change
            mark(self.plot, x, y, marker, self._color, hollow=hollow, gid=self._id("estimate"))


def percents(half: float) -> list[float]:
    """The round changes that are marked on a scale, in percent."""
    shown = half * (1 - 14 / (WIDTH / 2))
    return ticks(math.expm1(-shown) * 100, math.expm1(shown) * 100, 6)
