"""What a run costs and what the budget leaves of it."""

import pytest

from bot.bench.planning import Shape, Timing, plan, timing_of
from bot.records import Scenario
from tests.support.facts import CODING, launch

WIDE = Scenario(name="coding", prompt_tokens=160, n_predict=64, requests=5, judged=("prefill", "decode"))
TIMING = Timing(fixed_s=4.0, prefill_s={"coding": 1.0}, token_s={"coding": 0.05})


def shape(budget_s: float, max_rounds: int = 12) -> Shape:
    return Shape(max_rounds=max_rounds, looks=(4, 6, 8, 10, 12), warmups=2, budget_s=budget_s, seed=1)


def test_a_launch_costs_start_and_stop_and_each_request() -> None:
    assert TIMING.launch_s([WIDE], warmups=2) == pytest.approx(4 + 7 * (1 + 64 * 0.05))


def test_timing_splits_a_request_into_prefill_and_tokens() -> None:
    timing = timing_of([launch("base", 0, total_s=20.0)], [CODING])
    assert timing.token_s["coding"] == pytest.approx(1 / 50)
    assert timing.prefill_s["coding"] == pytest.approx(0.320)
    assert timing.fixed_s == pytest.approx(20.0 - 3 * (0.320 + 63 / 50))


def test_a_wide_budget_cuts_nothing() -> None:
    kept, made = plan([WIDE], TIMING, shape(3600))
    assert kept == (WIDE,)
    assert (made.max_rounds, made.looks, made.cuts) == (12, (4, 6, 8, 10, 12), ())
    assert made.estimate_s == pytest.approx(24 * made.launch_s)


def test_requests_go_before_answers_and_answers_before_rounds() -> None:
    kept, made = plan([WIDE], TIMING, shape(16 * (4 + 5 * 4.2)))
    assert (kept[0].requests, kept[0].n_predict) == (3, 64)
    assert [cut.code for cut in made.cuts] == ["cut_requests", "cut_rounds"]
    assert made.max_rounds == 8

    kept, made = plan([WIDE], TIMING, shape(16 * (4 + 5 * 2.6)))
    assert (kept[0].requests, kept[0].n_predict) == (3, 32)
    assert [cut.code for cut in made.cuts] == ["cut_requests", "cut_answer", "cut_rounds"]


def test_what_still_does_not_fit_shortens_the_rounds_and_is_said() -> None:
    _, made = plan([WIDE], TIMING, shape(2 * 3 * (4 + 5 * 2.6) + 1))
    assert (made.max_rounds, made.looks) == (3, (3,))
    assert made.cuts[-1].args == {"rounds": 3, "asked": 12}


def test_even_a_hopeless_budget_leaves_one_round() -> None:
    _, made = plan([WIDE], TIMING, shape(1))
    assert made.max_rounds == 1


def test_a_short_run_keeps_its_last_look() -> None:
    _, made = plan([WIDE], TIMING, shape(3600, max_rounds=4))
    assert (made.max_rounds, made.looks, made.cuts) == (4, (4,), ())
