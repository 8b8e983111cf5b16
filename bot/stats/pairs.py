"""A few launches of each side, summed up: the middle one and how far they scatter."""

import math
from collections.abc import Sequence
from statistics import median, stdev

from bot.records import Measure

_MEDIAN_TO_MEAN = math.sqrt(math.pi / 2)


def summed(name: str, unit: str, base: Sequence[float], head: Sequence[float]) -> Measure | None:
    """Medians of both sides with their standard errors (None for a single value); None without any value."""
    if not base and not head:
        return None
    return Measure(
        name=name,
        unit=unit,
        base=median(base) if base else None,
        head=median(head) if head else None,
        base_error=median_error(base),
        head_error=median_error(head),
    )


def median_error(values: Sequence[float]) -> float | None:
    """Standard error of a median of normal data: sqrt(pi / 2) times the mean's. None for a single value."""
    return _MEDIAN_TO_MEAN * stdev(values) / math.sqrt(len(values)) if len(values) > 1 else None
