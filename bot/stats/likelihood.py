"""Perplexity of both sides on one passage, chunk by chunk: the same text, so the comparison is paired."""

import math
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean, stdev
from typing import Literal

#: Perplexity is printed with four decimals; builds differ by about this without anybody's fault (nats).
FLOOR = 1e-3
_SURE = 2.0
#: Beyond this ratio the text is no longer understood: that is no rounding (a judgement).
BROKEN_RATIO = 1.5

Judged = Literal["same", "better", "worse"]


def chunk_losses(running: Sequence[float]) -> tuple[float, ...]:
    """Mean negative log-likelihood (nats) of each chunk, from llama-perplexity's running estimates.

    Its n-th number is exp(mean over the first n chunks).
    """
    sums = [0.0, *(place * math.log(value) for place, value in enumerate(running, 1))]
    return tuple(after - before for before, after in pairwise(sums))


def difference(base: Sequence[float], head: Sequence[float]) -> tuple[float, float]:
    """Head's mean loss minus base's over the same chunks (nats), and its paired standard error."""
    deltas = [new - old for old, new in zip(base, head, strict=True)]
    error = stdev(deltas) / math.sqrt(len(deltas)) if len(deltas) > 1 else 0.0
    return fmean(deltas), error


def judged(base: Sequence[float], head: Sequence[float]) -> Judged:
    """Beyond two paired standard errors and what printing and rounding make of it."""
    delta, error = difference(base, head)
    if abs(delta) <= max(FLOOR, _SURE * error):
        return "same"
    return "worse" if delta > 0 else "better"


def is_broken(perplexity: float, other: float | None = None) -> bool:
    """Not a number, no end, or more than half as large again as the other side's."""
    if not math.isfinite(perplexity):
        return True
    return other is not None and math.isfinite(other) and perplexity > BROKEN_RATIO * other
