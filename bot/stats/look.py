"""One metric at one look: the three-zone rule (docs/measuring.md, step 6)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from bot.records import Outcome
from bot.stats.metrics import Metric
from bot.stats.paired import Estimate, RoundValues, estimate
from bot.stats.quantiles import critical, level

#: Fewer rounds than this decide nothing.
DECIDABLE_ROUNDS = 3
#: Two TTFTs closer than this are the same to the client's clock and the network stack.
RESOLUTION_MS = 2.0
#: Half-width of the interval where the spread is unknown (fewer than two rounds): half to double.
#: A stand-in, because a record holds no infinity; nothing is decided from it.
UNKNOWN_SPREAD = math.log(2)
#: Rounds needed: normal quantiles of the equivalence interval at its limit (.99) and of 90 % power.
_NEEDED = 2.33 + 1.28


@dataclass(frozen=True, slots=True)
class Look:
    """What one look says of one metric; `low` and `high` bound the effect at `level`."""

    values: tuple[RoundValues, ...]
    estimate: Estimate
    outcome: Outcome
    low: float
    high: float
    level: float
    below_resolution: bool = False

    @property
    def frozen(self) -> bool:
        """Whether later looks leave this as it is: equivalence was shown."""
        return self.outcome == "within" and not self.below_resolution


def next_look(
    previous: Look | None,
    values: Sequence[RoundValues],
    metric: Metric,
    margin: float,
    *,
    decides: bool = True,
) -> Look:
    """The metric after one more look at all its rounds so far; a frozen one stays as it was.

    `margin` is a fraction (0.03). With `decides` false, or below three rounds, the outcome is
    inconclusive whatever the numbers are.
    """
    if previous is not None and previous.frozen:
        return previous
    found = estimate(values)
    low, high = interval(found)
    outcome: Outcome = "inconclusive"
    if decides and found.rounds >= DECIDABLE_ROUNDS:
        outcome = judge(found, low, high, margin)
    unresolved = outcome in ("regression", "improvement") and below_resolution(found, metric)
    return Look(
        values=tuple(values),
        estimate=found,
        outcome="within" if unresolved else outcome,
        low=low,
        high=high,
        level=level(found.method),
        below_resolution=unresolved,
    )


def interval(found: Estimate) -> tuple[float, float]:
    """The decision interval of the effect (log-ratio), low to high."""
    if found.df < 1:
        return found.effect - UNKNOWN_SPREAD, found.effect + UNKNOWN_SPREAD
    half = critical(found.method, found.rounds)[0] * found.se
    return found.effect - half, found.effect + half


def judge(found: Estimate, low: float, high: float, margin: float) -> Outcome:
    """Within: the interval lies inside the margin. A change: beyond the margin, and surely not zero."""
    lower, upper = math.log1p(-margin), math.log1p(margin)
    if lower < low and high < upper:
        return "within"
    reach = critical(found.method, found.rounds)[1] * found.se
    if found.effect <= lower and found.effect + reach < 0:
        return "regression"
    if found.effect >= upper and found.effect - reach > 0:
        return "improvement"
    return "inconclusive"


def below_resolution(found: Estimate, metric: Metric) -> bool:
    """Whether a TTFT moved by less than a client can time."""
    return metric.kind == "ttft" and abs(exp(-found.head) - exp(-found.base)) < RESOLUTION_MS


def too_close(found: Estimate, margin: float) -> bool:
    """Whether the effect lies so near the margin (beyond 5/6 of it) that rounds alone will not tell."""
    return found.df > 0 and abs(found.effect) > margin * 5 / 6


def rounds_needed(found: Estimate, margin: float) -> int | None:
    """Rounds that would probably decide an inconclusive metric: more than it has had.

    None where the spread is unknown or the effect is too close to the margin.
    """
    if found.df < 1 or too_close(found, margin):
        return None
    needed = (_NEEDED * found.sd_round / (math.log1p(margin) - abs(found.effect) / 2)) ** 2
    return max(math.ceil(needed), found.rounds + 1)
