"""Changes that the environment may have made."""

import math
from typing import Any

import pytest

from bot.bench.rounds import Next, Stop, next_step
from bot.pipeline.explaining import conclude
from bot.records import GpuTrace, HostTrace, Outcome, Reason, Round, Spread
from bot.stats.decide import compare
from bot.stats.suspicion import differing, doubt, doubted, is_proven, withheld
from tests.support import facts


def gpu(**changes: Any) -> GpuTrace:
    values = {
        "id": "GPU-1",
        "total_mib": 1.0,
        "baseline_mib": 0.0,
        "peak_mib": 1.0,
        "busy": 9,
        "start_c": 50.0,
    }
    return GpuTrace.model_validate(values | changes)


def host(others: float) -> HostTrace:
    return HostTrace(seconds=30.0, cores=2, others=others, steal=0.0, swapped_in_mib=0.0)


def rounds(count: int = 4, *, head: float = 1.0, base_with: Any = None, head_with: Any = None) -> list[Round]:
    """Rounds whose head ran at that speed, with these traces on each side."""
    made = []
    for index in range(count):
        launches = (
            facts.launch("base", 2 * index, **(base_with or {})),
            facts.launch("head", 2 * index + 1, speed=head, **(head_with or {})),
        )
        made.append(Round(index=index, order="AB", launches=launches))
    return made


WIDE = facts.profile(margin=0.10)
LOADED = {"base_with": {"host": host(0.05)}, "head_with": {"host": host(0.4)}}


@pytest.mark.parametrize(
    ("base", "head", "code"),
    [
        ({"reasons": {}}, {"reasons": {"sw_thermal": 0.3}}, "sw_thermal"),
        ({}, {"start_c": 58.0}, "hot_start"),
        (
            {"memory_mhz": Spread(low=9501, median=9501, high=9501)},
            {"memory_mhz": Spread(low=5001, median=5001, high=5001)},
            "memory_clock",
        ),
    ],
)
def test_sides_that_ran_under_other_conditions_are_told(
    base: dict[str, Any], head: dict[str, Any], code: str
) -> None:
    found = rounds(base_with={"gpus": (gpu(**base),)}, head_with={"gpus": (gpu(**head),)})
    assert list(differing(found)) == [code]


def test_what_a_build_does_to_the_gpu_is_no_condition() -> None:
    slow = Spread(low=1500, median=1500, high=1500)
    found = rounds(
        base_with={"gpus": (gpu(),)},
        head_with={"gpus": (gpu(reasons={"sw_power_cap": 1.0}, sm_mhz=slow, power_w=350.0),)},
    )
    assert list(differing(found)) == []
    assert list(differing(rounds())) == []


def test_a_common_change_under_other_conditions_is_not_judged() -> None:
    found = rounds(head=0.8, **LOADED)
    compared = compare(found, facts.profile(), looks=(4,), final=True)
    assert {item.outcome for item in compared} == {"regression"}
    doubts = doubt(found, compared, 0.03)
    assert doubts is not None
    assert doubts.reason == Reason(code="environment_differs", args={"status": "host_load"})
    assert {item.outcome for item in doubted(compared, doubts)} == {"inconclusive"}
    run = conclude(facts.run(rounds=tuple(found), plan=facts.plan()))
    assert run.verdict is not None
    assert run.verdict.code == "unknown"
    assert [(note.code, note.args) for note in run.notes] == [
        ("environment_differs", {"status": "host_load"})
    ]
    assert conclude(run).notes == run.notes


def test_the_same_change_under_equal_conditions_is_a_regression() -> None:
    even = {"base_with": {"host": host(0.4)}, "head_with": {"host": host(0.4)}}
    run = conclude(facts.run(rounds=tuple(rounds(head=0.8, **even)), plan=facts.plan()))
    assert run.verdict is not None
    assert (run.verdict.code, run.notes) == ("hold", ())


def test_equal_speed_needs_no_excuse() -> None:
    found = rounds(**LOADED)
    assert doubt(found, compare(found, facts.profile(), looks=(4,), final=True), 0.03) is None


def test_the_base_is_measured_again_before_a_suspicious_end() -> None:
    assert next_step(rounds(head=0.8), facts.profile(), facts.plan()) == Stop()
    again = next_step(rounds(head=0.8, **LOADED), facts.profile(), facts.plan())
    assert isinstance(again, Next)
    assert (again.index, set(again.sides)) == (4, {"base", "head"})
    last = rounds(12, head=0.8, **LOADED)
    assert next_step(last, facts.profile(), facts.plan()) == Stop()


def scattered(heads: tuple[float, ...], others: float) -> list[Round]:
    """Rounds on a machine where other programs take that share, the head at these speeds."""
    return [
        Round(
            index=index,
            order="AB",
            launches=(
                facts.launch("base", 2 * index, host=host(others)),
                facts.launch("head", 2 * index + 1, speed=speed, host=host(others)),
            ),
        )
        for index, speed in enumerate(heads)
    ]


def test_on_a_busy_machine_a_change_must_be_beyond_the_margin_with_all_its_interval() -> None:
    """Seen: others took 80 % of two cores, and a build that was no slower was called 15 % slower."""
    uneven = (0.80, 0.90, 0.86, 0.82)
    busy = conclude(facts.run(rounds=tuple(scattered(uneven, 0.8)), plan=facts.plan(), profile=WIDE))
    assert [note.code for note in busy.notes] == ["machine_busy"]
    assert busy.notes[0].args == {"percent": 80}
    assert {item.outcome for item in busy.comparisons} == {"inconclusive"}
    calm = conclude(facts.run(rounds=tuple(scattered(uneven, 0.1)), plan=facts.plan(), profile=WIDE))
    assert ({item.outcome for item in calm.comparisons}, calm.notes) == ({"regression"}, ())


@pytest.mark.parametrize(
    ("interval", "statistic", "tests", "proven"),
    [
        ((-0.50, -0.20), 8.0, 15, True),  # p = 0.0005 in each of 15
        ((-0.50, -0.20), 4.0, 15, False),  # p = 0.010: one of 15 comes to that by chance
        ((-0.50, -0.20), 4.0, 4, True),
        ((-0.50, -0.05), 8.0, 15, False),
        ((0.20, 0.50), 8.0, 15, True),
    ],
)
def test_what_a_busy_machine_must_prove_holds_over_all_metrics_and_looks(
    interval: tuple[float, float], statistic: float, tests: int, proven: bool
) -> None:
    assert is_proven(interval, statistic, 5, 0.10, tests) is proven


def test_beyond_the_margin_is_not_enough_where_chance_has_many_tries() -> None:
    """t = 5.0: its interval lies beyond 10 %, and one of fifteen tries comes to that in 6 %."""
    uneven = (0.61, 0.81, 0.65, 0.79)
    calm, busy = (
        conclude(facts.run(rounds=tuple(scattered(uneven, share)), plan=facts.plan(), profile=WIDE))
        for share in (0.1, 0.8)
    )
    assert {item.outcome for item in calm.comparisons} == {"regression"}
    assert all(item.high < math.log(0.9) for item in busy.comparisons)
    assert {item.outcome for item in busy.comparisons} == {"inconclusive"}
    assert [note.code for note in busy.notes] == ["machine_busy"]


def noted(code: str, *outcomes: Outcome) -> list[Outcome]:
    """What is left of these outcomes of one metric where the self-test here left that note on it."""
    (item, *_) = compare(rounds(), facts.profile(), looks=(4,), final=True)
    found = tuple(item.model_copy(update={"outcome": outcome}) for outcome in outcomes)
    note = Reason(code=code, args={"metrics": f"other:one {item.metric}"})
    return [one.outcome for one in withheld(found, [note])]


def test_a_self_test_takes_away_what_it_leaves_no_ground_for() -> None:
    all_ = ("regression", "improvement", "within")
    assert noted("self_test_alarm", *all_) == ["inconclusive"] * 3
    assert noted("self_test_failed", *all_) == ["regression", "improvement", "inconclusive"]
    assert noted("self_test_side_alarm", *all_) == ["inconclusive", "inconclusive", "within"]
    assert noted("self_test_side", *all_) == list(all_)


def test_a_change_beyond_doubt_is_found_on_a_busy_machine_too() -> None:
    halved = conclude(
        facts.run(rounds=tuple(scattered((0.5, 0.52, 0.49, 0.5), 0.8)), plan=facts.plan(), profile=WIDE)
    )
    assert ({item.outcome for item in halved.comparisons}, halved.notes) == ({"regression"}, ())
