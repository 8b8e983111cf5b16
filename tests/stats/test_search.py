"""Which setting to try next: few starts, each of them minutes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.stats.search import MOST_STARTS, Line, best_step, next_step


def search(line: Line, fits_up_to: int) -> tuple[list[int], int | None]:
    """The steps tried where everything up to one step fits, and what they came to."""
    seen: dict[int, bool] = {}
    while (step := next_step(line, seen)) is not None:
        assert step not in seen
        seen[step] = step <= fits_up_to
    return list(seen), best_step(seen)


@pytest.mark.parametrize(
    ("line", "fits_up_to", "tried", "best"),
    [
        (Line(2, -50, 15), 5, [2], 2),  # the computation was right
        (Line(2, -50, 15), 1, [2, 1], 1),  # one layer too many
        (Line(2, -50, 15), 0, [2, 1], None),  # only what was measured fits
        (Line(1, -50, 15), 0, [1], None),
        (Line(12, -95, 12), 8, [12, 6, 9, 7], 7),
        (Line(64, -95, 64), 20, [64, 32, 16, 24], 16),
        (Line(-1, -50, 15), -2, [-1, -2], -2),  # the reserve was missed: ever more is given up
        (Line(-1, -50, 15), -9, [-1, -2, -4, -8], None),
        (Line(-3, -4, 15), -9, [-3, -4], None),  # there is no more to give up
    ],
)
def test_what_is_tried(line: Line, fits_up_to: int, tried: list[int], best: int | None) -> None:
    assert search(line, fits_up_to) == (tried, best)


def test_what_worked_above_a_failure_counts_for_nothing() -> None:
    assert best_step({52: True, 51: False, 50: True}) == 50
    assert best_step({}) is None


@given(st.integers(-60, 60).filter(bool), st.integers(-80, 80))
def test_a_search_ends_in_few_starts_and_never_names_what_does_not_fit(computed: int, edge: int) -> None:
    line = Line(computed, min(computed, -60), max(computed, 60))
    tried, best = search(line, edge)
    assert 1 <= len(tried) <= MOST_STARTS
    assert tried[0] == computed
    assert all(line.least <= step <= line.most for step in tried)
    assert best is None or best <= edge
