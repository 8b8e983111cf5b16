"""How often the rule errs, on a small fixed-seed simulation (the full one: benchmarks/decision_power.py)."""

import random

import pytest

from benchmarks.decision_power import (
    FAULTY,
    METRICS,
    NOISY,
    QUIET,
    TYPICAL,
    Machine,
    Simulation,
    rates,
    session,
)
from bot.records import MetricKind, Scenario, Side
from bot.stats.decide import compare, is_settled
from bot.stats.metrics import Metric
from bot.stats.order import Order
from bot.stats.paired import RoundValues
from tests.stats.builders import Values, profile, round_of

REPORTS = 400


def test_a_quiet_machine_is_done_at_the_first_look() -> None:
    found = rates(QUIET, 0.0, REPORTS, seed=11)
    assert (found.launches, found.called, found.all_within) == (8.0, 0.0, 100.0)


def test_a_typical_machine_hardly_ever_calls_a_change_that_is_none() -> None:
    found = rates(TYPICAL, 0.0, REPORTS, seed=11)
    assert found.called <= 1.0
    assert found.all_within >= 96
    assert 12 <= found.launches <= 16


def test_five_percent_is_found_on_a_typical_machine() -> None:
    found = rates(TYPICAL, -0.05, REPORTS, seed=11)
    assert found.found >= 99.5
    assert found.missed == 0


def test_a_change_at_the_margin_is_seldom_called_none() -> None:
    found = rates(TYPICAL, -0.03, REPORTS, seed=11)
    assert found.missed <= 8
    assert 55 <= found.found <= 75


def test_a_noisy_machine_says_it_cannot_tell_rather_than_guess() -> None:
    nothing = rates(NOISY, 0.0, REPORTS, seed=11)
    assert nothing.called <= 3.5
    assert nothing.all_within <= 30
    assert rates(NOISY, -0.05, REPORTS, seed=11).found >= 95


def test_an_intermittent_fault_is_mostly_not_called_equal() -> None:
    assert rates(FAULTY, 0.0, REPORTS, seed=11).missed <= 40


def to_values(values: dict[Metric, RoundValues], side: Side) -> Values:
    return {
        (metric.scenario, metric.kind): metric.sign * getattr(value, side) for metric, value in values.items()
    }


@pytest.mark.parametrize("machine", [TYPICAL, NOISY, FAULTY], ids=lambda machine: machine.name)
def test_what_is_simulated_is_what_is_shipped(machine: Machine) -> None:
    names = dict.fromkeys(metric.scenario for metric in METRICS)
    judged: tuple[MetricKind, ...] = ("ttft", "prefill", "decode")
    only = profile(
        *(Scenario(name=n, prompt_tokens=63, n_predict=64, requests=1, judged=judged) for n in names)
    )
    for seed in range(3):
        looks = session(Simulation(machine, {}, random.Random(seed)))
        rounds = []
        for index, values in enumerate(Simulation(machine, {}, random.Random(seed)).rounds()):
            order: Order = "AB" if values[METRICS[0]].base_slot < values[METRICS[0]].head_slot else "BA"
            rounds.append(round_of(index, to_values(values, "base"), to_values(values, "head"), order))
            if is_settled(found := compare(rounds, only)):
                break
        assert {item.metric: item.outcome for item in found} == {
            m.id: look.outcome for m, look in looks.items()
        }
        for metric, look in looks.items():
            (one,) = (item for item in found if item.metric == metric.id)
            assert (one.low, one.high) == pytest.approx((look.low, look.high))
