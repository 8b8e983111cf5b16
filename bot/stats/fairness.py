"""How evenly parallel streams are served."""

from collections.abc import Sequence


def jain(rates: Sequence[float]) -> float:
    """Jain's index: 1 where all are equal, 1/n where one of n has everything; 0 for none.

    Jain, Chiu and Hawe 1984, DEC-TR-301.
    """
    squares = sum(rate * rate for rate in rates)
    return sum(rates) ** 2 / (len(rates) * squares) if squares else 0.0
