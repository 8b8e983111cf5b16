"""Student's t for whole degrees of freedom, and the quantiles of the decision rule."""

import math
from functools import cache
from typing import Literal

Method = Literal["launches", "pairs"]

#: Tail probability beyond each bound of the equivalence interval, by method.
EQUIVALENCE_TAIL: dict[Method, float] = {"launches": 0.016, "pairs": 0.02}
#: Tail probability beyond each bound of the interval that a change must clear, by method.
CHANGE_TAIL: dict[Method, float] = {"launches": 0.008, "pairs": 0.01}

#: (equivalence, change) at each number of rounds, as the published rule prints them (docs/measuring.md).
#: They are constants of the method: the error rates were simulated with these very numbers, two of
#: which differ from the exact quantile in the last digit.
_PRINTED: dict[Method, dict[int, tuple[float, float]]] = {
    "launches": {
        3: (3.80, 4.93),
        4: (2.95, 3.57),
        5: (2.67, 3.16),
        6: (2.54, 2.96),
        7: (2.45, 2.84),
        8: (2.40, 2.77),
        9: (2.36, 2.71),
        10: (2.34, 2.68),
        11: (2.31, 2.64),
        12: (2.30, 2.62),
    },
    "pairs": {
        6: (2.76, 3.37),
        7: (2.61, 3.14),
        8: (2.52, 3.00),
        9: (2.45, 2.90),
        10: (2.40, 2.82),
        11: (2.36, 2.76),
        12: (2.33, 2.72),
    },
}


def degrees(method: Method, rounds: int) -> int:
    """Degrees of freedom: 2R - 3 from launches (two means and a drift), R - 1 from pairs."""
    return 2 * rounds - 3 if method == "launches" else rounds - 1


def level(method: Method) -> float:
    """Nominal coverage of the decision interval: 0.968 from launches, 0.96 from pairs."""
    return 1 - 2 * EQUIVALENCE_TAIL[method]


def critical(method: Method, rounds: int) -> tuple[float, float]:
    """(equivalence, change) multipliers of the standard error at `rounds` rounds.

    Raises ValueError where no degree of freedom is left.
    """
    printed = _PRINTED[method].get(rounds)
    if printed is not None:
        return printed
    df = degrees(method, rounds)
    return t_quantile(1 - EQUIVALENCE_TAIL[method], df), t_quantile(1 - CHANGE_TAIL[method], df)


def t_tail(value: float, df: int) -> float:
    """P(T > value) of Student's t with a whole number `df` >= 1 of degrees of freedom.

    The finite series in the angle atan(t / sqrt(df)): Abramowitz & Stegun 26.7.3 (odd), 26.7.4 (even).
    Absolute error below 1e-14. Raises ValueError for df < 1.
    """
    if df < 1:
        raise ValueError(f"no degrees of freedom: {df}")
    angle = math.atan(abs(value) / math.sqrt(df))
    inside = _inside_odd(angle, df) if df % 2 else _inside_even(angle, df)
    tail = max(0.0, (1 - inside) / 2)
    return tail if value >= 0 else 1 - tail


def _inside_odd(angle: float, df: int) -> float:
    if df == 1:
        return 2 * angle / math.pi
    series = _series(math.cos(angle), first=math.cos(angle), terms=(df - 1) // 2, start=2)
    return 2 / math.pi * (angle + math.sin(angle) * series)


def _inside_even(angle: float, df: int) -> float:
    return math.sin(angle) * _series(math.cos(angle), first=1.0, terms=df // 2, start=1)


def _series(cosine: float, *, first: float, terms: int, start: int) -> float:
    """first * (1 + c^2 * start/(start+1) * (1 + c^2 * (start+2)/(start+3) * ...)), `terms` terms."""
    total = term = first
    for step in range(1, terms):
        numerator = start + 2 * (step - 1)
        term *= cosine * cosine * numerator / (numerator + 1)
        total += term
    return total


@cache
def t_quantile(probability: float, df: int) -> float:
    """The t with P(T <= t) = probability, by bisection of `t_tail` to the last bit.

    Raises ValueError for df < 1 or a probability outside (0, 1).
    """
    if not 0 < probability < 1:
        raise ValueError(f"not a probability: {probability}")
    if probability < 0.5:
        return -t_quantile(1 - probability, df)
    low, high = 0.0, 1.0
    while t_tail(high, df) > 1 - probability:
        low, high = high, high * 2
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if t_tail(middle, df) > 1 - probability else (low, middle)
    return high
