"""What is known of a metric that stayed inconclusive, and what would tell more."""

from collections.abc import Iterator
from typing import Literal

from bot.records import Comparison, Reason, Run

#: The interval of fewer rounds than this is a stand-in, the spread of it unknown (docs/measuring.md).
FEWEST_ROUNDS = 3
#: Within this share of the margin around it, more rounds would hardly tell (docs/measuring.md).
_EDGE = 1 / 6


def has_spread(item: Comparison) -> bool:
    """Whether the comparison's interval and spread are estimates, not stand-ins."""
    return item.rounds >= FEWEST_ROUNDS


def doubt(item: Comparison, margin: float) -> Literal["too_close", "beyond", "rounds"] | None:
    """Why an inconclusive metric is that: at the margin's edge, far beyond it but noisy, or too few rounds.

    None where it is decided, or nothing can be said yet. The record's `too_close` is true from 5/6 of the
    margin on, however far; noise alone hides a change that looks larger than the margin.
    """
    if item.outcome != "inconclusive" or not has_spread(item):
        return None
    if item.too_close:
        return "beyond" if abs(item.effect) > margin * (1 + _EDGE) else "too_close"
    return "rounds" if item.rounds_needed is not None else None


def outlooks(run: Run) -> Iterator[Reason]:
    """For the primary metrics that are open: what more rounds would do. `metrics` joins their ids."""
    open_ = [item for item in run.comparisons if item.primary]
    margin = run.profile.margin
    for code in ("beyond", "too_close"):
        if found := [item.metric for item in open_ if doubt(item, margin) == code]:
            yield Reason(code=code, args={"metrics": " ".join(found)})
    needed = [item.rounds_needed or 0 for item in open_ if doubt(item, margin) == "rounds"]
    if needed and max(needed) > len(run.valid_rounds):
        yield Reason(code="rounds", args={"rounds_needed": max(needed)})
