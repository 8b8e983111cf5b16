"""Which round comes next, and when to stop."""

import pytest

from bot.bench.rounds import Next, Stop, next_step, run, spent_s
from bot.records import Reason, Round
from tests.support.facts import CHAT, CODING, launch, plan, profile, round_of


def noisy(count: int, head: float = 1.0) -> list[Round]:
    """Rounds whose noise is too large to decide 3 %."""
    swing = [0.9, 1.1, 1.05, 0.95, 1.12, 0.9, 1.0, 1.1, 0.93, 1.07, 0.9, 1.1]
    return [round_of(index, base=1.0, head=head * swing[index]) for index in range(count)]


def test_a_run_begins_with_round_0_in_slot_0_with_every_scenario() -> None:
    step = next_step([], profile(CODING, CHAT), plan())
    assert isinstance(step, Next)
    assert (step.index, step.attempt, step.slot, step.scenarios) == (0, 0, 0, ("coding", "chat"))


def test_the_order_of_sides_follows_ab_or_ba() -> None:
    assert Next(0, 0, "AB", 0, ()).sides == ("base", "head")
    assert Next(0, 0, "BA", 0, ()).sides == ("head", "base")


def test_the_first_four_rounds_hold_two_of_each_order() -> None:
    orders = []
    for count in range(4):
        step = next_step(noisy(count), profile(), plan())
        assert isinstance(step, Next)
        orders.append(step.order)
    assert sorted(orders) == ["AB", "AB", "BA", "BA"]


def test_four_equal_rounds_settle_everything() -> None:
    done = [round_of(index) for index in range(4)]
    assert next_step(done, profile(), plan()) == Stop()


def test_between_two_looks_nothing_stops() -> None:
    assert isinstance(next_step([round_of(index) for index in range(3)], profile(), plan()), Next)


def test_noise_goes_on_to_the_last_look_and_then_stops() -> None:
    assert isinstance(next_step(noisy(11), profile(), plan()), Next)
    assert next_step(noisy(12), profile(), plan()) == Stop()


def test_an_invalid_pair_is_measured_again_in_the_same_order() -> None:
    first = next_step([], profile(), plan())
    assert isinstance(first, Next)
    bad = Round(
        index=0,
        order=first.order,
        launches=(launch("base", 0), launch("head", 1, invalid="protocol:cached")),
    )
    again = next_step([bad], profile(), plan())
    assert isinstance(again, Next)
    assert (again.index, again.attempt, again.order, again.slot) == (0, 1, first.order, 2)


def test_a_round_that_stays_invalid_ends_as_environment_unstable() -> None:
    bad = [
        Round(
            index=0,
            attempt=attempt,
            order="AB",
            launches=(launch("base", 0), launch("head", 1, invalid="protocol:cached")),
        )
        for attempt in range(3)
    ]
    assert next_step(bad, profile(), plan()) == Stop(Reason(code="environment_unstable", args={"reruns": 3}))


def test_two_crashes_of_one_side_stop_the_run_and_name_it() -> None:
    bad = [
        Round(
            index=0,
            attempt=attempt,
            order="AB",
            launches=(launch("base", 0), launch("head", 1, status="crashed_serving")),
        )
        for attempt in range(2)
    ]
    assert next_step(bad, profile(), plan()) == Stop(
        Reason(code="stopped_broken", args={"side": "head", "count": 2})
    )


def test_a_crash_that_a_guard_explains_is_none_of_the_builds_doing() -> None:
    stranger = launch("head", 1, status="out_of_memory", invalid="foreign_process")
    bad = [
        Round(index=0, attempt=attempt, order="AB", launches=(launch("base", 0), stranger))
        for attempt in range(2)
    ]
    step = next_step(bad, profile(), plan())
    assert isinstance(step, Next)
    assert (step.index, step.attempt) == (0, 2)


def test_the_budget_stops_before_a_round_that_would_not_fit() -> None:
    done = noisy(5)
    assert spent_s(done) == pytest.approx(100.0)
    assert isinstance(next_step(done, profile(), plan(budget_s=120.0)), Next)
    assert next_step(done, profile(), plan(budget_s=119.0)) == Stop(
        Reason(code="budget_spent", args={"rounds": 5})
    )


def test_a_decided_scenario_is_not_run_again() -> None:
    both = (CODING, CHAT)
    swing = [1.0, 1.3, 0.8, 1.2]
    done = [
        Round(
            index=index,
            order="AB",
            launches=(
                launch("base", 2 * index, scenarios=both),
                launch("head", 2 * index + 1, scenarios=(CODING,)).model_copy(
                    update={
                        "samples": launch("head", 0, scenarios=(CODING,)).samples
                        + launch("head", 0, scenarios=(CHAT,), speed=swing[index]).samples
                    }
                ),
            ),
        )
        for index in range(4)
    ]
    step = next_step(done, profile(*both), plan())
    assert isinstance(step, Next)
    assert step.scenarios == ("chat",)


def test_run_measures_until_the_stop_and_keeps_what_was_done() -> None:
    asked: list[int] = []

    def measure(step: Next) -> Round:
        asked.append(step.index)
        return round_of(step.index)

    rounds, note = run(profile(), plan(), [round_of(0), round_of(1)], measure)
    assert asked == [2, 3]
    assert [item.index for item in rounds] == [0, 1, 2, 3]
    assert note is None
