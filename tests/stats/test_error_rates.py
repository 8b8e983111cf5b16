"""How often the rule errs, on a small fixed-seed simulation (the full one: benchmarks/decision_power.py)."""

from functools import cache
from unittest.mock import patch

import pytest

from benchmarks.power import ours
from benchmarks.power.machines import (
    BUSY,
    FAULTY,
    METRICS,
    NOISY,
    QUIET,
    TYPICAL,
    Machine,
    simulate,
)
from benchmarks.power.ours import Rates, decided, rates, rounds_of, sessions
from bot.records import MetricKind, Scenario, Side
from bot.stats import look, quantiles
from bot.stats.decide import LOOKS, compare, is_settled
from bot.stats.order import Order
from tests.stats.builders import Values, profile, round_of

REPORTS, SEED = 600, 11


@cache
def simulated(machine: Machine, change: float) -> Rates:
    return rates(list(sessions(simulate(machine, change, REPORTS, SEED))))


def test_a_quiet_machine_is_done_at_the_first_look() -> None:
    found = simulated(QUIET, 0.0)
    assert (found.launches, found.called, found.all_within) == (8.0, 0.0, 100.0)


def test_a_typical_machine_hardly_ever_calls_a_change_that_is_none() -> None:
    found = simulated(TYPICAL, 0.0)
    assert found.called <= 1.0
    assert found.all_within >= 96
    assert 12 <= found.launches <= 16


def test_five_percent_is_found_on_a_typical_machine() -> None:
    found = simulated(TYPICAL, -0.05)
    assert found.found >= 99.5
    assert found.missed == 0


def test_a_change_at_the_margin_is_seldom_called_none() -> None:
    found = simulated(TYPICAL, -0.03)
    assert 2.5 <= found.missed <= 7
    assert 58 <= found.found <= 72


def test_a_noisy_machine_says_it_cannot_tell_rather_than_guess() -> None:
    nothing = simulated(NOISY, 0.0)
    assert 0.5 <= nothing.called <= 3
    assert nothing.all_within <= 30
    assert simulated(NOISY, -0.05).found >= 96


def test_not_even_a_machine_that_others_use_calls_much_changed() -> None:
    assert 2 <= simulated(BUSY, 0.0).called <= 8


def test_an_intermittent_fault_is_mostly_not_called_equal() -> None:
    assert simulated(FAULTY, 0.0).missed <= 40


@pytest.mark.parametrize(
    ("place", "machine", "change", "figure", "bounds"),
    [
        (0, TYPICAL, -0.03, "missed", (2.5, 7)),
        (1, BUSY, 0.0, "called", (2, 8)),
    ],
)
def test_the_bounds_above_would_notice_a_textbook_quantile(
    place: int, machine: Machine, change: float, figure: str, bounds: tuple[float, float]
) -> None:
    """90 % for equality (two one-sided tests at 5 %), 95 % for a change: what one look would take."""
    real, tail = quantiles.critical, (0.05, 0.025)[place]

    def textbook(method: quantiles.Method, rounds: int) -> tuple[float, float]:
        found = list(real(method, rounds))
        found[place] = quantiles.t_quantile(1 - tail, quantiles.degrees(method, rounds))
        return found[0], found[1]

    with patch.object(look, "critical", textbook):
        wrong = rates(list(sessions(simulate(machine, change, REPORTS, SEED))))
    low, high = bounds
    assert low <= getattr(simulated(machine, change), figure) <= high < getattr(wrong, figure)


def test_a_scenario_that_is_decided_costs_no_more_time() -> None:
    found = simulated(TYPICAL, 0.0)
    assert 0.75 < found.minutes / found.minutes_undropped < 0.95


def test_the_price_of_a_session_is_its_launches_and_requests() -> None:
    warm = 2 * (40 + 5 * 3 * 5)
    assert ours.minutes(4) == pytest.approx((warm + 8 * (40 + 5 * 3 * 7)) / 60)
    dropped = ours.minutes(6, {"chat": 6, "document": 4, "coding": 4})
    assert ours.minutes(6) - dropped == pytest.approx(2 * 2 * 2 * 7 * 5 / 60)


@pytest.mark.parametrize("machine", [TYPICAL, NOISY, FAULTY], ids=lambda machine: machine.name)
def test_what_is_simulated_is_what_is_shipped(machine: Machine) -> None:
    names = dict.fromkeys(metric.scenario for metric in METRICS)
    judged: tuple[MetricKind, ...] = ("ttft", "prefill", "decode")
    only = profile(
        *(Scenario(name=n, prompt_tokens=63, n_predict=64, requests=1, judged=judged) for n in names)
    )
    for values in rounds_of(simulate(machine, 0.0, 3, SEED)):
        ended = decided(values, ours.MARGIN, LOOKS, strict=False)
        rounds = []
        for index in range(LOOKS[-1]):
            at = {metric: rows[index] for metric, rows in values.items()}
            order: Order = "AB" if at[METRICS[0]].base_slot < at[METRICS[0]].head_slot else "BA"

            def side(which: Side, at: dict = at) -> Values:  # type: ignore[type-arg]
                return {(m.scenario, m.kind): m.sign * getattr(value, which) for m, value in at.items()}

            rounds.append(round_of(index, side("base"), side("head"), order))
            if is_settled(found := compare(rounds, only)):
                break
        assert len(rounds) == ended.rounds
        assert {item.metric: item.outcome for item in found} == {
            m.id: outcome for m, outcome in ended.outcomes.items()
        }
        for metric, last in ended.looks.items():
            (one,) = (item for item in found if item.metric == metric.id)
            assert (one.low, one.high) == pytest.approx((last.low, last.high))
