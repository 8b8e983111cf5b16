"""From launch values to one estimate with its standard error (docs/measuring.md, step 5).

Values are z = ln(median over a launch's requests), sign flipped for TTFT, so that + = better.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from statistics import fmean, stdev

from bot.stats.quantiles import Method, degrees

#: Below this, launches are closer to each other than timers can tell (log units; 0.035 %).
LAUNCH_SD_FLOOR = 0.00035
#: The same for the difference of two launches (0.05 %, about sqrt(2) times the above).
PAIR_SD_FLOOR = 0.0005
#: From this many rounds on, unequal arms make the standard error fall back to pairs.
FALLBACK_ROUNDS = 6


@dataclass(frozen=True, slots=True)
class RoundValues:
    """One metric in one round: z of both launches and their places in the order run."""

    base: float
    head: float
    base_slot: int
    head_slot: int

    @property
    def ratio(self) -> float:
        """z_head - z_base: the log-ratio of this round, + = better."""
        return self.head - self.base


@dataclass(frozen=True, slots=True)
class Estimate:
    """Mean log-ratio and its standard error.

    `base` and `head` are the arms' mean z. `df` is 0 where nothing speaks of the spread (fewer than
    two rounds): `se` and `sd_round` are then 0, meaning unknown.
    """

    rounds: int
    effect: float
    se: float
    sd_round: float
    df: int
    method: Method
    base: float
    head: float


@dataclass(frozen=True, slots=True)
class _Residuals:
    """Sums of squares of each arm after its own mean and the common linear drift."""

    base: float
    head: float

    @property
    def both(self) -> float:
        return self.base + self.head


def estimate(values: Sequence[RoundValues]) -> Estimate:
    """Estimate a metric from its rounds, in any number from 0 and in any order.

    Slots are renumbered 0 ... 2R-1 in the order run, over the launches given.
    """
    rounds = len(values)
    base, head = [item.base for item in values], [item.head for item in values]
    base_mean, head_mean = (fmean(base), fmean(head)) if rounds else (0.0, 0.0)
    if rounds < 2:
        return Estimate(rounds, head_mean - base_mean, 0.0, 0.0, 0, "launches", base_mean, head_mean)
    residuals = _residuals(values, base_mean, head_mean)
    method: Method = "pairs" if needs_pairs(residuals.base, residuals.head, rounds) else "launches"
    sd_round = _sd_from_pairs(values) if method == "pairs" else _sd_from_launches(residuals, rounds)
    return Estimate(
        rounds,
        head_mean - base_mean,
        sd_round / math.sqrt(rounds),
        sd_round,
        degrees(method, rounds),
        method,
        base_mean,
        head_mean,
    )


def needs_pairs(base_squares: float, head_squares: float, rounds: int) -> bool:
    """Whether the arms' spreads differ too much for one pooled launch sd.

    Takes each arm's sum of squared residuals: one arm's sd beyond twice the other's (three times at
    six rounds, where a ratio of two comes by chance). By chance alone this happens to some metric in a
    tenth of a typical machine's reports and in four tenths of a noisy one's. It is harmless: false calls,
    missed changes and changes found agree to a point with and without it
    (`benchmarks/decision_power.py`), because with as many launches in both arms either error holds.
    """
    if rounds < FALLBACK_ROUNDS:
        return False
    factor = 3 if rounds == FALLBACK_ROUNDS else 2
    small, large = sorted((base_squares, head_squares))
    return large > factor**2 * small


def _residuals(values: Sequence[RoundValues], base_mean: float, head_mean: float) -> _Residuals:
    rank = {slot: place for place, slot in enumerate(_slots(values))}
    base = _centred([(rank[item.base_slot], item.base) for item in values], base_mean)
    head = _centred([(rank[item.head_slot], item.head) for item in values], head_mean)
    moment = sum(t * z for t, z in chain(base, head))
    drift = moment / sum(t * t for t, _ in chain(base, head))
    return _Residuals(*(sum((z - drift * t) ** 2 for t, z in arm) for arm in (base, head)))


def _slots(values: Sequence[RoundValues]) -> list[int]:
    return sorted(chain.from_iterable((item.base_slot, item.head_slot) for item in values))


def _centred(arm: list[tuple[int, float]], mean: float) -> list[tuple[float, float]]:
    """(slot, z) of one arm, each less the arm's own mean."""
    middle = sum(slot for slot, _ in arm) / len(arm)
    return [(slot - middle, z - mean) for slot, z in arm]


def _sd_from_launches(residuals: _Residuals, rounds: int) -> float:
    """sd of a round from s_L: the launch sd with the drift removed, on 2R - 3 degrees of freedom."""
    launch_sd = math.sqrt(residuals.both / degrees("launches", rounds))
    return max(launch_sd, LAUNCH_SD_FLOOR) * math.sqrt(2)


def _sd_from_pairs(values: Sequence[RoundValues]) -> float:
    return max(stdev(item.ratio for item in values), PAIR_SD_FLOOR)
