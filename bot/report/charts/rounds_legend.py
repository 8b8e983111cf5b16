"""The legend of the rounds: only what the picture uses."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.patches import Rectangle

from bot.report import numbers
from bot.report.charts import captions, palette
from bot.report.charts.captions import both
from bot.report.charts.points import RoundsStory, reach
from bot.report.charts.sheet import EDGE, WIDTH, Sheet, mark, strokes
from bot.report.phrases import SYMBOLS
from bot.report.words import Words

_SIZE, _LEADING, _INDENT = 11.0, 16.0, 26.0


@dataclass(frozen=True)
class Legend:
    """(what is drawn, its lines of text) of each entry."""

    items: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def height(self) -> float:
        """Pixels that it takes, with the space below."""
        return _LEADING * sum(len(lines) for _, lines in self.items) + 2

    def draw(self, sheet: Sheet, y: float) -> None:
        """Draw it from this baseline downwards."""
        for kind, lines in self.items:
            _sample(sheet, kind, EDGE + 9, y - 4)
            for line in lines:
                sheet.say(EDGE + _INDENT, y, line, size=_SIZE, color=palette.MUTED)
                y += _LEADING


def entries(story: RoundsStory, words: Sequence[Words], half: float) -> Legend:
    """What has to be explained of a picture whose scale ends at +-`half` (ln of head/base)."""
    uses = {point.use for metric in story.metrics for point in metric.points}
    margin = numbers.share(story.run.profile.margin)
    texts = {"used": both(words, "chart-round")}
    if "unused" in uses:
        texts["unused"] = both(words, "chart-round-unused")
    if story.invalid:
        shown = captions.shortened(", ".join(story.invalid), 40)
        texts["invalid"] = f"{both(words, 'chart-round-invalid')} {shown}"
    if reach(story) > half:
        texts["beyond"] = both(words, "chart-beyond")
    levels = dict.fromkeys(numbers.share(metric.comparison.level) for metric in story.metrics)
    texts["interval"] = f"{both(words, 'chart-interval')} {', '.join(levels)}"
    texts["band"] = f"{both(words, 'chart-margin')} ±{margin}"
    used = {metric.row.symbol for metric in story.metrics}
    texts |= {
        sign: both(words, f"legend-{symbol}", margin=margin)
        for symbol, sign in SYMBOLS.items()
        if symbol in used
    }
    width = WIDTH - 2 * EDGE - _INDENT
    return Legend(tuple((kind, tuple(captions.wrapped(text, width, _SIZE))) for kind, text in texts.items()))


def _sample(sheet: Sheet, kind: str, x: float, y: float) -> None:
    page, color = sheet.page, palette.MUTED
    if kind == "band":
        page.add_patch(Rectangle((x - 9, y - 5), 18, 10, facecolor=palette.BAND))
    elif kind == "interval":
        strokes(page, [(x - 9, y, x + 9, y)], color=color, linewidth=2)
        for at, marker in ((x - 9, "|"), (x + 9, "|"), (x, "s")):
            mark(page, at, y, marker, color)
    elif kind in SYMBOLS.values():
        sheet.say(x, y + 4, kind, size=_SIZE, color=color, align="center")
    else:
        marker = {"invalid": "x", "beyond": ">"}.get(kind, "o")
        mark(page, x, y, marker, color, hollow=kind == "unused")
