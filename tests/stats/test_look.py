"""The three-zone rule of one metric at one look."""

import math

import pytest

from bot.stats.look import UNKNOWN_SPREAD, Look, interval, judge, next_look, rounds_needed, too_close
from bot.stats.metrics import Metric
from bot.stats.paired import Estimate, RoundValues
from tests.stats.builders import series

DECODE, TTFT = Metric("decode", "coding"), Metric("ttft", "chat")
LOWER, UPPER = math.log(0.97), math.log(1.03)


def found(effect: float, se: float, rounds: int = 8) -> Estimate:
    return Estimate(rounds, effect, se, se * math.sqrt(rounds), 2 * rounds - 3, "launches", 0.0, effect)


def outcome(effect: float, se: float, rounds: int = 8, margin: float = 0.03) -> str:
    estimate = found(effect, se, rounds)
    return judge(estimate, *interval(estimate), margin)


def test_within_needs_the_whole_interval_inside_the_margin() -> None:
    # R = 8: 2.40 se on either side.
    assert outcome(0.0, (UPPER - 1e-6) / 2.40) == "within"
    assert outcome(0.0, (UPPER + 1e-6) / 2.40) == "inconclusive"
    assert outcome(0.01, (UPPER - 0.01 - 1e-6) / 2.40) == "within"
    assert outcome(-0.01, (-LOWER - 0.01 + 1e-6) / 2.40) == "inconclusive"


def test_the_lower_bound_is_the_farther_one_in_logs() -> None:
    se = 0.0002
    assert outcome(-0.0299, se) == "within"
    assert outcome(0.0299, se) == "improvement"  # ln 1.03 = 0.02956


def test_a_change_is_beyond_the_margin_and_surely_not_zero() -> None:
    # R = 8: 2.77 se must not reach zero.
    assert outcome(LOWER, -LOWER / 2.77 - 1e-6) == "regression"
    assert outcome(LOWER, -LOWER / 2.77 + 1e-6) == "inconclusive"
    assert outcome(LOWER + 1e-6, -LOWER / 2.77 - 1e-5) == "inconclusive"
    assert outcome(UPPER, UPPER / 2.77 - 1e-6) == "improvement"
    assert outcome(UPPER - 1e-6, UPPER / 2.77 - 1e-5) == "inconclusive"


def test_the_margin_is_the_profile_s() -> None:
    assert outcome(-0.05, 0.005) == "regression"
    assert outcome(-0.05, 0.005, margin=0.10) == "within"


def test_a_small_but_certain_change_is_not_called_one() -> None:
    assert outcome(-0.02, 0.001) == "within"


def test_two_rounds_decide_nothing_and_three_do() -> None:
    slower = series([0.0] * 3, [-0.2, -0.2, -0.2])
    assert next_look(None, slower[:2], DECODE, 0.03).outcome == "inconclusive"
    assert next_look(None, slower, DECODE, 0.03).outcome == "regression"
    assert next_look(None, slower, DECODE, 0.03, decides=False).outcome == "inconclusive"


@pytest.mark.parametrize("rounds", [0, 1])
def test_an_unknown_spread_has_a_wide_finite_interval(rounds: int) -> None:
    look = next_look(None, series([0.0] * rounds, [-0.2] * rounds), DECODE, 0.03)
    assert look.outcome == "inconclusive"
    assert look.high - look.low == pytest.approx(2 * UNKNOWN_SPREAD)
    assert rounds_needed(look.estimate, 0.03) is None
    assert not too_close(look.estimate, 0.03)


def test_three_rounds_use_their_own_quantiles() -> None:
    look = next_look(None, series([0.0, 0.004, -0.004], [0.0, -0.004, 0.004]), DECODE, 0.03)
    assert look.high - look.estimate.effect == pytest.approx(3.80 * look.estimate.se)


def test_within_is_frozen() -> None:
    first = next_look(None, series([0.0] * 4, [0.0] * 4), DECODE, 0.03)
    assert first.outcome == "within" and first.frozen
    assert next_look(first, series([0.0] * 6, [-0.5] * 6), DECODE, 0.03) is first


def look_at(head: list[float], previous: Look | None = None) -> Look:
    return next_look(previous, series([0.0] * len(head), head), DECODE, 0.03)


def test_a_change_is_judged_anew() -> None:
    called = look_at([-0.05] * 4)
    assert called.outcome == "regression" and not called.frozen
    again = look_at([-0.05] * 4 + [0.07] * 2, called)
    assert again.outcome == "inconclusive"
    assert look_at([-0.05] * 6, called).outcome == "regression"


def ttft(base_ms: float, head_ms: float, rounds: int = 4) -> Look:
    base, head = -math.log(base_ms), -math.log(head_ms)
    return next_look(None, series([base] * rounds, [head] * rounds), TTFT, 0.03)


def test_ttft_below_the_timer_s_resolution_is_within_but_not_frozen() -> None:
    look = ttft(20.0, 21.9)
    assert (look.outcome, look.below_resolution, look.frozen) == ("within", True, False)
    assert ttft(20.0, 22.1).outcome == "regression"
    assert ttft(22.1, 20.0).outcome == "improvement"
    assert ttft(21.9, 20.0).below_resolution


def test_a_rate_has_no_resolution() -> None:
    values = series([math.log(20.0)] * 4, [math.log(18.5)] * 4)
    assert next_look(None, values, DECODE, 0.03).outcome == "regression"


def test_ttft_below_the_resolution_may_yet_become_a_regression() -> None:
    below = ttft(20.0, 21.9)
    values = series([-math.log(20.0)] * 6, [-math.log(22.5)] * 6)
    assert next_look(below, values, TTFT, 0.03).outcome == "regression"


def test_an_inconclusive_ttft_stays_so_however_small() -> None:
    noisy = [0.1, -0.1, 0.1, -0.1]
    values = [
        RoundValues(item.base - math.log(20), item.head - math.log(20), item.base_slot, item.head_slot)
        for item in series(noisy, noisy[::-1])
    ]
    look = next_look(None, values, TTFT, 0.03)
    assert (look.outcome, look.below_resolution) == ("inconclusive", False)


def test_pairs_use_their_own_quantiles_and_level() -> None:
    steady = [0.0, 0.0001, -0.0001, 0.0, 0.0001, -0.0001]
    jumpy = [0.0, 0.06, -0.04, 0.02, -0.08, 0.04]
    look = next_look(None, series(steady, jumpy), DECODE, 0.03)
    assert look.estimate.method == "pairs"
    assert look.level == pytest.approx(0.96)
    assert look.high - look.estimate.effect == pytest.approx(2.76 * look.estimate.se)


def test_rounds_needed_by_hand() -> None:
    # (3.61 * .03 / (ln 1.03 - .005))^2 = (.1083 / .0245588)^2 = 19.45
    estimate = found(0.01, 0.03 / math.sqrt(8))
    assert rounds_needed(estimate, 0.03) == 20
    assert rounds_needed(found(-0.01, 0.03 / math.sqrt(8)), 0.03) == 20


def test_more_rounds_are_needed_than_did_not_suffice() -> None:
    assert rounds_needed(found(0.0, 0.001, rounds=12), 0.03) == 13


def test_too_close_to_the_margin_from_five_sixths_of_it() -> None:
    assert not too_close(found(0.0249, 0.004), 0.03)
    assert too_close(found(0.0251, 0.004), 0.03)
    assert too_close(found(-0.0251, 0.004), 0.03)
    assert rounds_needed(found(0.0251, 0.004), 0.03) is None
