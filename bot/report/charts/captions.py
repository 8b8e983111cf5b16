"""Words on a picture: several languages side by side, outside text made harmless, lines that fit."""

import re
from collections.abc import Sequence

from rich.cells import cell_len

from bot.records import Pair
from bot.report import phrases
from bot.report.markdown import clean
from bot.report.rows import Row
from bot.report.words import Words

#: Width of a terminal cell (half a Han character) in ems, on the safe side for Latin sans-serif.
_CELL_EM = 0.6


def both(words: Sequence[Words], message: str, **args: str | int) -> str:
    """A label in every language, each text once: `峰值 peak`."""
    return " ".join(dict.fromkeys(item.text(message, **args) for item in words))


def outside(text: str, most_cells: int) -> str:
    """Text from outside on one line, without characters that act, shortened; XML is escaped by its writer."""
    line = re.sub(r"[\ufffe\uffff]", "\N{REPLACEMENT CHARACTER}", " ".join(clean(text).split()))
    return shortened(line, most_cells)


def shortened(text: str, most_cells: int) -> str:
    """The text, or its beginning with an ellipsis."""
    if cell_len(text) <= most_cells:
        return text
    while cell_len(text) > most_cells - 1:
        text = text[:-1]
    return text.rstrip() + "…"


def cells(width: float, size: float) -> int:
    """How many terminal cells of text of this font size (px) surely fit into a width (px)."""
    return int(width / (size * _CELL_EM))


def wrapped(text: str, width: float, size: float) -> list[str]:
    """Lines that fit into a width; broken at spaces and beside Han characters."""
    most, lines = cells(width, size), [""]
    for piece in re.findall(r"[\u2e80-\u9fff][\u3000-\u303f\uff00-\uff65]*|[^\s\u2e80-\u9fff]+\s*|\s+", text):
        if lines[-1] and cell_len((lines[-1] + piece).rstrip()) > most:
            lines.append("")
        lines[-1] += piece
    return [shortened(line.rstrip(), most) for line in lines]


def metric_label(words: Sequence[Words], row: Row) -> str:
    """A metric in full: `💬 短对话 chat · TTFT`; `Decode` where it stands for every scenario."""
    name = both(words, f"metric-{row.kind}")
    if row.scenario is None:
        return name
    emoji = phrases.EMOJI.get(row.scenario)
    return f"{emoji + ' ' if emoji else ''}{scenario(words, row.scenario)} · {name}"


def scenario(words: Sequence[Words], name: str) -> str:
    """A scenario as its reader calls it; a name of the user's own as it is."""
    message = f"scenario-{name}"
    return both(words, message) if words[0].has(message) else outside(name, 28)


def sides(pair: Pair, most_cells: int = 12) -> tuple[str, str]:
    """The names of both sides; those of a self-test are told apart as in the report's table."""
    if pair.is_self_test:
        return f"{outside(pair.base.name, most_cells - 2)} A", f"{outside(pair.head.name, most_cells - 2)} B"
    return outside(pair.base.name, most_cells), outside(pair.head.name, most_cells)
