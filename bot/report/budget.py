"""Fitting a report into a comment: whole blocks go, in a fixed order, and each is named."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bot.report.markdown import BUDGET, check

#: What goes first when a report is too long; what is not here always stays.
DROP_ORDER = (
    "charts",
    "launches",
    "commits",
    "evidence",
    "metrics",
    "trouble",
    "environment",
    "method",
    "failure",
    "reproduce",
    "translations",
)


@dataclass(frozen=True)
class Block:
    """One part of a report: a name of the layout, and its Markdown."""

    name: str
    text: str


def fit(
    blocks: Sequence[Block],
    say: Callable[[tuple[str, ...]], str],
    budget: int = BUDGET,
    images: str | None = None,
) -> tuple[str, tuple[str, ...]]:
    """The report's text, at most `budget` code points, and the names of the blocks left out.

    `say` makes the sentence that names them; it stands before the last block. A block that is too long
    on its own, or would not render as it should (outside text that found a way), is the first to go.
    `images`: where a picture may come from, see `check`.
    """
    optional = [block for block in blocks if block.name in DROP_ORDER]
    dropped = tuple(block.name for block in optional if check(block.text, budget, images))
    text = _joined(blocks, dropped, say)
    for name in DROP_ORDER:
        if len(text) <= budget:
            break
        if name not in dropped and any(block.name == name for block in blocks):
            dropped += (name,)
            text = _joined(blocks, dropped, say)
    return text, dropped


def _joined(blocks: Sequence[Block], dropped: tuple[str, ...], say: Callable[[tuple[str, ...]], str]) -> str:
    kept = [block.text for block in blocks if block.name not in dropped]
    if dropped:
        kept.insert(len(kept) - 1, say(dropped))
    return "\n\n".join(kept) + "\n"
