"""The numbers beside the estimate."""

import random

import pytest
from scipy.stats import norm  # type: ignore[attr-defined]

from bot.stats.robust import hodges_lehmann, holm, slow_launches


def test_hodges_lehmann_by_hand() -> None:
    # Walsh averages of 0, 1, 5: 0, .5, 2.5, 1, 3, 5 -> median 1.75
    assert hodges_lehmann([0.0, 1.0, 5.0]) == 1.75
    assert hodges_lehmann([0.3]) == 0.3
    assert hodges_lehmann([]) == 0.0


def test_hodges_lehmann_shrugs_off_one_wild_round() -> None:
    assert hodges_lehmann([0.0, 0.001, -0.001, 0.002, -0.002, -0.5]) == pytest.approx(0.0, abs=0.002)


def test_an_intermittent_fault_of_one_arm_is_counted() -> None:
    base = [0.001, -0.002, 0.0, 0.002, -0.001, 0.001, 0.0, -0.001]
    head = [0.0, -0.12, 0.001, -0.002, -0.13, 0.002, 0.001, 0.0]
    assert slow_launches(base, head) == (0, 2)
    assert slow_launches(head, base) == (2, 0)


def test_a_fast_launch_is_not_slow() -> None:
    assert slow_launches([0.0, 0.0, 0.1, 0.0], [0.0, 0.0, 0.0, 0.0]) == (0, 0)


def test_less_than_one_percent_is_not_worth_a_word() -> None:
    assert slow_launches([0.0, 0.0, -0.009, 0.0], [0.0] * 4) == (0, 0)
    assert slow_launches([0.0, 0.0, -0.011, 0.0], [0.0] * 4) == (1, 0)


def test_each_arm_is_compared_with_itself() -> None:
    # A head that is 10 % slower throughout has no slow launches.
    assert slow_launches([0.001, 0.0, -0.001, 0.0], [-0.1, -0.101, -0.099, -0.1]) == (0, 0)


def test_nothing_is_slow_where_there_is_nothing() -> None:
    assert slow_launches([], []) == (0, 0)
    assert slow_launches([0.1], [0.4]) == (0, 0)


def test_ordinary_noise_is_rarely_called_slow() -> None:
    draw = random.Random(7)
    counts = [
        sum(slow_launches(*[[draw.gauss(0, 0.0075) for _ in range(8)] for _ in range(2)])) for _ in range(500)
    ]
    assert sum(counts) / (500 * 16) < 0.01


def test_holm_by_hand() -> None:
    # .01 <= .05/4; .013 <= .05/3; .03 > .05/2 stops, and with it .04.
    assert holm([0.03, 0.01, 0.04, 0.013]) == (False, True, False, True)
    assert holm([0.05]) == (True,)
    assert holm([]) == ()


def test_holm_keeps_the_family_at_its_level() -> None:
    draw = random.Random(3)
    families = 2000
    false = sum(any(holm([2 * norm.sf(abs(draw.gauss(0, 1))) for _ in range(9)])) for _ in range(families))
    assert false / families == pytest.approx(0.05, abs=0.015)
