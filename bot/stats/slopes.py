"""Growth over many requests: a line that single steps do not tilt, and how sure it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median

from bot.stats.robust import MAD_TO_SD

#: Asymptotic efficiency of the Theil-Sen slope against least squares for normal data is 3 / pi (Sen 1968).
_SEN_TO_LEAST_SQUARES = math.sqrt(math.pi / 3)
#: What is still being allocated at first is no leak: this share of the requests is left out.
SETTLING = 0.25
#: With fewer points than this no slope is told.
FEWEST = 8


@dataclass(frozen=True)
class Slope:
    """Growth per step of x, with its standard error."""

    value: float
    error: float


def theil_sen(xs: Sequence[float], ys: Sequence[float]) -> Slope | None:
    """The median of all pairwise slopes (Theil 1950, Sen 1968); None with fewer than 8 points.

    The error is that of least squares with the residuals' robust sd, widened to Theil-Sen's efficiency.
    """
    if len(xs) < FEWEST:
        return None
    pairs = combinations(zip(xs, ys, strict=True), 2)
    slope = median((b[1] - a[1]) / (b[0] - a[0]) for a, b in pairs if b[0] != a[0])
    offsets = [y - slope * x for x, y in zip(xs, ys, strict=True)]
    middle = median(offsets)
    scatter = MAD_TO_SD * median(abs(item - middle) for item in offsets)
    centre = fmean(xs)
    width = math.sqrt(sum((x - centre) ** 2 for x in xs))
    return Slope(slope, _SEN_TO_LEAST_SQUARES * scatter / width)


def growth(counts: Sequence[float], mib: Sequence[float]) -> Slope | None:
    """MiB per 100 requests from memory after each request, its first quarter left out."""
    start = math.ceil(len(counts) * SETTLING)
    found = theil_sen(counts[start:], mib[start:])
    return Slope(100 * found.value, 100 * found.error) if found else None
