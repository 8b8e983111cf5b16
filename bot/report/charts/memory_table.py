"""The numbers above the memory curves: what each side took, as the report prints it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bot.records import Side
from bot.report import numbers
from bot.report.charts import captions, palette
from bot.report.charts.captions import both
from bot.report.charts.curves import Curve, MemoryStory
from bot.report.charts.sheet import EDGE, WIDTH, Sheet, strokes
from bot.report.words import Words

COLORS: dict[Side, str] = {"base": palette.BASE, "head": palette.HEAD}
#: Base is dashed, thin and lies above head, so that both are seen where they are the same.
STYLES: dict[Side, dict[str, Any]] = {
    "base": {"linewidth": 1.5, "linestyle": (0, (4, 3))},
    "head": {"linewidth": 3, "linestyle": "-"},
}
#: The right edges of the columns, and of what a side without numbers is told instead.
_COLUMNS = (226.0, 326.0, float(WIDTH - EDGE))
_STATUS_WIDTH = 270.0
_FIRST, _LEADING = 68.0, 18.0


@dataclass(frozen=True)
class Table:
    """One line for each side that has a curve."""

    story: MemoryStory
    words: Sequence[Words]

    @property
    def bottom(self) -> float:
        """The baseline of its last line, pixels from the top of the sheet."""
        return _FIRST + _LEADING * len(self.story.curves)

    def draw(self, sheet: Sheet) -> None:
        """Title, model, heads, and a line for each side."""
        sheet.title(both(self.words, f"chart-memory-{self.story.source}"))
        model = captions.outside(self.story.run.profile.model.name, captions.cells(WIDTH - 2 * EDGE - 50, 12))
        sheet.say(EDGE, 45, f"{model} · MiB", color=palette.MUTED)
        heads = [f"{sign} {name}".strip() for sign, name in zip("○▲ ", self._heads, strict=False)]
        self._cells(sheet, _FIRST, heads, size=11, color=palette.MUTED)
        for number, curve in enumerate(self.story.curves, 1):
            self._line(sheet, curve, _FIRST + number * _LEADING)

    def rows(self) -> list[str]:
        """The same in words."""
        return [f"{self._names[curve.side]}: {self._told(curve)}" for curve in self.story.curves]

    @property
    def _heads(self) -> list[str]:
        known = any(figures.headroom is not None for figures in self.story.figures.values())
        names = ("chart-loaded", "chart-peak", *(("chart-headroom",) if known else ()))
        return [both(self.words, name) for name in names]

    @property
    def _names(self) -> dict[Side, str]:
        base, head = captions.sides(self.story.run.pair)
        return {"base": base, "head": head}

    def _line(self, sheet: Sheet, curve: Curve, y: float) -> None:
        side = curve.side
        strokes(sheet.page, [(EDGE, y - 4, EDGE + 24, y - 4)], color=COLORS[side], **STYLES[side])
        sheet.say(EDGE + 32, y, self._names[side])
        if curve.status == "ok":
            self._cells(sheet, y, self._numbers(curve))
            return
        said = captions.shortened(self._status(curve), captions.cells(_STATUS_WIDTH, 12))
        sheet.say(WIDTH - EDGE, y, said, align="right", color=palette.SLOWER)

    def _cells(self, sheet: Sheet, y: float, texts: list[str], **style: Any) -> None:  # noqa: ANN401 - Sheet.say's own
        for x, text in zip(_COLUMNS[-len(texts) :], texts, strict=True):
            sheet.say(x, y, text, align="right", **style)

    def _status(self, curve: Curve) -> str:
        return both(self.words, f"status-{curve.status}")

    def _told(self, curve: Curve) -> str:
        if curve.status != "ok":
            return self._status(curve)
        pairs = zip(self._heads, self._numbers(curve), strict=True)
        return ", ".join(f"{name} {value} MiB" for name, value in pairs if value)

    def _numbers(self, curve: Curve) -> list[str]:
        """Of all valid launches, as the report prints them; of this launch where none is valid."""
        figures = self.story.figures.get(curve.side)
        loaded = figures.loaded if figures else curve.loaded[1] if curve.loaded else None
        peak = figures.peak if figures else curve.peak[1]
        found = [loaded, peak, figures.headroom if figures else None][: len(self._heads)]
        return ["" if value is None else numbers.mib(value) for value in found]
