"""The estimate and its standard error, against least squares and by hand."""

import math
from statistics import stdev

import numpy as np
import pytest

from bot.stats.paired import LAUNCH_SD_FLOOR, PAIR_SD_FLOOR, RoundValues, estimate, needs_pairs
from tests.stats.builders import ORDER, series

BASE = [0.010, 0.002, -0.004, 0.001, 0.006, -0.003]
HEAD = [0.003, -0.011, -0.002, 0.004, -0.008, 0.005]


def least_squares_sd(values: list[RoundValues]) -> float:
    """Launch sd by numpy: two intercepts and one slope, 2R - 3 degrees of freedom."""
    rows = sorted(
        [(item.base_slot, 1, 0, item.base) for item in values]
        + [(item.head_slot, 0, 1, item.head) for item in values]
    )
    design = np.array([[base, head, place] for place, (_, base, head, _) in enumerate(rows)], dtype=float)
    z = np.array([row[3] for row in rows])
    coefficients, *_ = np.linalg.lstsq(design, z, rcond=None)
    return math.sqrt(float(((z - design @ coefficients) ** 2).sum()) / (len(z) - 3))


@pytest.mark.parametrize("rounds", [2, 3, 4, 5, 6])
def test_standard_error_is_that_of_least_squares_with_drift(rounds: int) -> None:
    values = series(BASE[:rounds], HEAD[:rounds])
    found = estimate(values)
    launch_sd = least_squares_sd(values)
    assert found.method == "launches"
    assert found.df == 2 * rounds - 3
    assert found.sd_round == pytest.approx(launch_sd * math.sqrt(2))
    assert found.se == pytest.approx(launch_sd * math.sqrt(2 / rounds))
    assert found.effect == pytest.approx(np.mean(HEAD[:rounds]) - np.mean(BASE[:rounds]))


def test_a_case_by_hand() -> None:
    # ABBA twice over R = 2, no drift: residuals +-1 % in each arm, b = 0, s^2 = 4e-4 / 1.
    found = estimate([RoundValues(0.01, 0.05, 0, 1), RoundValues(-0.01, 0.03, 3, 2)])
    # centred slots: base -1.5 +1.5, head -0.5 +0.5; b = (-.015 -.015 -.005 -.005) / 5 = -.008
    # sum z^2 = 4e-4; b^2 sum t^2 = 3.2e-4; s^2 = 8e-5 / 1
    assert found.effect == pytest.approx(0.04)
    assert found.se == pytest.approx(math.sqrt(8e-5))
    assert found.df == 1


def test_linear_drift_costs_nothing() -> None:
    slots = [(0, 1), (3, 2), (5, 4), (6, 7)]
    values = [RoundValues(-0.02 * a, -0.02 * b + 0.01, a, b) for a, b in slots]
    found = estimate(values)
    assert found.effect == pytest.approx(0.01)
    assert found.sd_round == pytest.approx(LAUNCH_SD_FLOOR * math.sqrt(2))


def test_slots_of_rejected_launches_leave_no_gap() -> None:
    dense = series(BASE[:4], HEAD[:4])
    gaps = [
        RoundValues(v.base, v.head, v.base_slot + 2 * (i > 1), v.head_slot + 2 * (i > 1))
        for i, v in enumerate(dense)
    ]
    assert gaps[3].head_slot == 9
    assert estimate(gaps) == estimate(dense)


def test_identical_launches_meet_the_floor() -> None:
    found = estimate(series([1.0] * 4, [1.0] * 4))
    assert found.se == pytest.approx(0.00035 * math.sqrt(2 / 4))


def test_one_round_knows_no_spread_and_none_knows_nothing() -> None:
    one = estimate([RoundValues(1.0, 1.1, 0, 1)])
    assert (one.rounds, one.df, one.se, one.sd_round) == (1, 0, 0.0, 0.0)
    assert one.effect == pytest.approx(0.1)
    none = estimate([])
    assert (none.rounds, none.effect, none.df) == (0, 0.0, 0)


@pytest.mark.parametrize(
    ("rounds", "ratio", "pairs"),
    [
        (4, 9, False),
        (5, 9, False),
        (6, 2.9, False),
        (6, 3.1, True),
        (7, 1.9, False),
        (7, 2.1, True),
        (12, 2.1, True),
    ],
)
def test_when_unequal_arms_fall_back_to_pairs(rounds: int, ratio: float, pairs: bool) -> None:
    assert needs_pairs(1.0, ratio**2, rounds) is pairs
    assert needs_pairs(ratio**2, 1.0, rounds) is pairs


def test_the_fall_back_is_a_paired_standard_error() -> None:
    steady = [0.0, 0.001, -0.001, 0.0, 0.001, -0.001, 0.0, 0.001]
    jumpy = [0.0, 0.03, -0.02, 0.01, -0.04, 0.02, 0.0, -0.03]
    found = estimate(series(steady, jumpy))
    spread = stdev(b - a for a, b in zip(steady, jumpy, strict=True))
    assert found.method == "pairs"
    assert found.df == 7
    assert found.sd_round == pytest.approx(spread)
    assert found.se == pytest.approx(spread / math.sqrt(8))


def test_the_spread_compared_is_that_after_drift() -> None:
    # Both arms drift alike and wobble alike: no fall-back, however large the drift.
    wobble = [0.001, -0.001, 0.002, -0.002, 0.001, -0.001]
    values = series(wobble, wobble[::-1])
    drifting = [
        RoundValues(v.base - 0.05 * v.base_slot, v.head - 0.05 * v.head_slot, v.base_slot, v.head_slot)
        for v in values
    ]
    assert estimate(drifting).method == "launches"
    assert estimate(drifting).sd_round == pytest.approx(estimate(values).sd_round)


def test_identical_pairs_meet_their_floor() -> None:
    # The head's residuals are exactly nought only in a made-up case; the pairs differ by the base's.
    tiny = [1e-6 * (-1) ** i for i in range(8)]
    found = estimate(series(tiny, [0.0] * 8))
    assert found.method == "pairs"
    assert found.sd_round == PAIR_SD_FLOOR


def test_the_order_given_does_not_matter() -> None:
    values = series(BASE, HEAD, ORDER)
    assert estimate(values[::-1]).se == pytest.approx(estimate(values).se)
