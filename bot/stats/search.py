"""How far one flag may be turned: which setting to try next, from what the tries so far came to. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass

#: A start of a large model takes minutes.
MOST_STARTS = 4
#: The search ends when what works and what does not are this share of the computed distance apart.
_RESOLUTION = 8


@dataclass(frozen=True)
class Line:
    """Settings as whole steps from the one measured (0): + takes more memory, - gives some back.

    `computed` is where to look first; `least` and `most` are the ends.
    """

    computed: int
    least: int
    most: int


def next_step(line: Line, fits: Mapping[int, bool]) -> int | None:
    """The step to try now; None when the search is over. `fits` says of each step tried whether it worked.

    Where the measured setting keeps the reserve, a computed step that does not work is bisected towards it;
    where it does not, ever more is given up until one works.
    """
    if not fits:
        return line.computed
    if len(fits) >= MOST_STARTS or fits.get(line.computed):
        return None
    return _towards(line, fits) if line.computed > 0 else _further(line, fits)


def best_step(fits: Mapping[int, bool]) -> int | None:
    """The furthest step that worked, below all that did not; None where none did."""
    failed = min((step for step, works in fits.items() if not works), default=None)
    works = [step for step, works in fits.items() if works and (failed is None or step < failed)]
    return max(works, default=None)


def _towards(line: Line, fits: Mapping[int, bool]) -> int | None:
    good = best_step({0: True, **fits}) or 0
    bad = min(step for step, works in fits.items() if not works)
    if bad - good <= max(1, line.computed // _RESOLUTION):
        return None
    return (good + bad) // 2


def _further(line: Line, fits: Mapping[int, bool]) -> int | None:
    if any(fits.values()):
        return None
    lowest = min(fits)
    return max(line.least, 2 * lowest) if lowest > line.least else None
