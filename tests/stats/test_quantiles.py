"""The t distribution against scipy, and the printed numbers of the rule."""

import pytest
from scipy.stats import t as student  # type: ignore[attr-defined]

from bot.stats.quantiles import critical, degrees, level, t_quantile, t_tail

EQUIVALENCE = {4: 2.95, 6: 2.54, 8: 2.40, 10: 2.34, 12: 2.30, 3: 3.80, 5: 2.67, 7: 2.45, 9: 2.36, 11: 2.31}
CHANGE = {4: 3.57, 6: 2.96, 8: 2.77, 10: 2.68, 12: 2.62, 3: 4.93, 5: 3.16, 7: 2.84, 9: 2.71, 11: 2.64}
PAIRS = {6: (2.76, 3.37), 7: (2.61, 3.14), 8: (2.52, 3.00), 9: (2.45, 2.90), 10: (2.40, 2.82)}
PAIRS |= {11: (2.36, 2.76), 12: (2.33, 2.72)}


@pytest.mark.parametrize("df", [1, 2, 3, 4, 5, 9, 10, 21, 40])
def test_tail_agrees_with_scipy(df: int) -> None:
    for value in (-6.0, -1.5, 0.0, 0.3, 1.0, 2.5, 5.0, 12.0):
        assert t_tail(value, df) == pytest.approx(student.sf(value, df), abs=1e-13)


@pytest.mark.parametrize("df", [1, 2, 3, 5, 8, 13, 21, 30])
def test_quantile_agrees_with_scipy(df: int) -> None:
    for probability in (0.01, 0.4, 0.5, 0.9, 0.984, 0.992, 0.999):
        assert t_quantile(probability, df) == pytest.approx(student.ppf(probability, df), abs=1e-9)


def test_far_tail_never_becomes_negative() -> None:
    assert 0 <= t_tail(1e9, 21) < 1e-12


@pytest.mark.parametrize("bad", [0, -1])
def test_no_degrees_of_freedom_is_an_error(bad: int) -> None:
    with pytest.raises(ValueError, match="degrees of freedom"):
        t_tail(1.0, bad)


@pytest.mark.parametrize("bad", [0.0, 1.0, 1.5])
def test_quantile_needs_a_probability(bad: float) -> None:
    with pytest.raises(ValueError, match="probability"):
        t_quantile(bad, 3)


def test_launch_multipliers_are_the_printed_ones() -> None:
    assert {rounds: critical("launches", rounds)[0] for rounds in EQUIVALENCE} == EQUIVALENCE
    assert {rounds: critical("launches", rounds)[1] for rounds in CHANGE} == CHANGE


def test_pair_multipliers_are_the_printed_ones() -> None:
    assert {rounds: critical("pairs", rounds) for rounds in PAIRS} == PAIRS


@pytest.mark.parametrize("rounds", [2, 13, 20])
def test_other_rounds_are_computed(rounds: int) -> None:
    df = 2 * rounds - 3
    expected = (student.ppf(0.984, df), student.ppf(0.992, df))
    assert critical("launches", rounds) == pytest.approx(expected)


def test_printed_values_are_the_quantiles_to_a_hundredth() -> None:
    for rounds in range(3, 13):
        df = 2 * rounds - 3
        assert critical("launches", rounds)[0] == pytest.approx(student.ppf(0.984, df), abs=0.0071)
        assert critical("launches", rounds)[1] == pytest.approx(student.ppf(0.992, df), abs=0.0071)
        if rounds >= 6:
            assert critical("pairs", rounds)[0] == pytest.approx(student.ppf(0.98, rounds - 1), abs=0.0071)
            assert critical("pairs", rounds)[1] == pytest.approx(student.ppf(0.99, rounds - 1), abs=0.0071)


def test_levels_and_degrees_of_freedom() -> None:
    assert level("launches") == pytest.approx(0.968)
    assert level("pairs") == pytest.approx(0.96)
    assert (degrees("launches", 4), degrees("launches", 12)) == (5, 21)
    assert (degrees("pairs", 6), degrees("pairs", 12)) == (5, 11)
