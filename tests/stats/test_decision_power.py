"""The simulated comparison with peers: each rule answers as its tool would; the page holds its figures."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.power import figures, page, peers
from benchmarks.power.busy import Busy
from benchmarks.power.figures import CHANGES, HELD, RULE, Figures
from benchmarks.power.machines import (
    DRIFTING,
    JUDGED,
    METRICS,
    QUIET,
    TYPICAL,
    Machine,
    Measured,
    simulate,
)

DOCUMENT = Path(__file__).parents[2] / "docs" / "measuring.md"
PLACE = METRICS.index(JUDGED)
STILL = Machine("still", 0.0001, 0.0001, outliers=0.0, drift=0.0, walk=0.0)


def calls(name: str, launches: int, measured: Measured) -> np.ndarray:
    (peer,) = (one for one in peers.peers() if one.name.startswith(name) and one.launches == launches)
    return peer(measured)


EVERY = [(peer.name, peer.launches) for peer in peers.peers()]


@pytest.mark.parametrize(("name", "launches"), EVERY)
def test_a_rule_sees_ten_percent_where_nothing_else_moves(name: str, launches: int) -> None:
    for change, sign in ((-0.10, -1), (0.10, 1)):
        found = calls(name, launches, simulate(STILL, change, 20, 1))
        assert set(found[:, PLACE]) == {0 if "200 %" in name else sign}, (name, change)


@pytest.mark.parametrize(
    ("name", "launches", "change", "called"),
    [
        ("llama-bench", 2, -0.02, False),
        ("llama-bench", 2, -0.04, True),
        ("github-action-benchmark, 200", 16, -0.45, False),
        ("github-action-benchmark, 200", 16, -0.55, True),
        ("Nanosoldier", 16, -0.045, False),
        ("Nanosoldier", 16, -0.055, True),
        ("benchstat (", 16, -0.002, True),
        ("benchstat and", 16, -0.02, False),
        ("criterion", 16, -0.009, False),
        ("criterion", 16, -0.012, True),
    ],
)
def test_each_threshold_is_its_tools(name: str, launches: int, change: float, called: bool) -> None:
    found = calls(name, launches, simulate(STILL, change, 20, 1))
    assert set(found[:, PLACE]) == {-1 if called else 0}


def test_rules_with_a_history_are_as_wide_as_it_was() -> None:
    measured = simulate(STILL, -0.03, 200, 1)
    wild = replace(measured, history=measured.history * 300)
    for name, launches in (("rustc-perf", 2), ("conbench", 1)):
        assert (calls(name, launches, measured)[:, PLACE] == -1).all()
        assert (calls(name, launches, wild)[:, PLACE] == -1).mean() < 0.1


def test_pooling_requests_of_a_launch_calls_identical_builds_different() -> None:
    found = calls("benchstat (", 16, simulate(TYPICAL, 0.0, 200, 1))
    assert 0.06 < (found != 0).mean() < 0.2  # nominal: 0.05


def test_the_same_seed_gives_the_same_measurements_and_another_machine_others() -> None:
    one, same, other = (simulate(m, 0.0, 3, 1) for m in (TYPICAL, TYPICAL, DRIFTING))
    assert np.array_equal(one.base, same.base) and np.array_equal(one.swapped, same.swapped)
    assert not np.array_equal(one.base, other.base)


def test_a_planted_change_is_in_the_heads_judged_metric_alone() -> None:
    measured = simulate(STILL, -0.05, 50, 1)
    ratio = np.exp(np.median(measured.head - measured.base, axis=(0, 1, 3)))
    assert ratio[PLACE] == pytest.approx(0.95, abs=0.001)
    assert np.delete(ratio, PLACE) == pytest.approx(1.0, abs=0.001)


def test_drift_goes_with_the_order_run() -> None:
    sloped = replace(STILL, drift=-0.24)
    measured = simulate(sloped, 0.0, 1, 1)
    base, head = (np.median(side, axis=(2, 3))[0] for side in (measured.base, measured.head))
    later = np.where(measured.swapped[0], base, head)
    earlier = np.where(measured.swapped[0], head, base)
    assert later - earlier == pytest.approx(-0.01, abs=0.001)
    assert base[-1] - base[0] == pytest.approx(-0.22, abs=0.015)


def made(machine: str, rule: str = RULE, launches: float = 14.0, **changes: float) -> Figures:
    slower = {0.0: 0.0, -0.01: 0.0, -0.02: 2.0, -0.03: 64.0, -0.05: 99.9}
    missed = {**dict.fromkeys(CHANGES, 0.0), -0.03: changes.pop("missed", 4.4)}
    values = {"minutes": 30.0, "undropped": 35.0, "called": 0.2, "all_within": 98.0}
    return Figures(machine, rule, launches, slower=slower, missed=missed, **(values | changes))


def every(rule: str = RULE, **changes: float) -> list[Figures]:
    return [made(machine.name, rule, 8.0 if machine is QUIET else 14.0, **changes) for machine in HELD]


def test_targets_are_held_with_the_slack_of_a_simulation_and_no_more() -> None:
    assert all(row.met for row in figures.rows(every(called=0.6), 5000))
    missed = [row.name for row in figures.rows(every(called=0.9, missed=7.0), 5000) if not row.met]
    assert "typical: this rule: any false call" in missed
    assert "drift: this rule: -3% called equal" in missed
    assert "noisy: this rule: any false call" not in missed


def test_a_peer_as_reliable_with_fewer_launches_is_a_missed_target() -> None:
    better = [made(machine.name, "oracle", 4.0) for machine in HELD]
    rows = figures.rows([*every(), *better], 5000)
    assert (rows[-1].value, rows[-1].met) == (1, False)
    rash = [made(machine.name, "rash", 4.0, called=20.0) for machine in HELD]
    assert figures.rows([*every(), *rash], 5000)[-1].met


def lines_of(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("|")]


def test_the_page_says_how_it_was_made_and_marks_this_rule(tmp_path: Path) -> None:
    shares = dict.fromkeys((-0.10, -0.15, -0.25, -0.50), 50.0)
    busy = Busy(True, 4, called=1.0, all_within=0.0, launches=8.0, found=shares, missed=shares)
    peer = [made(machine.name, "oracle", 16.0, called=20.0) for machine in HELD]
    text = page.page([*every(), *peer], [busy], 5000, 7)
    assert "N = 5000" in text and "seed 7" in text and "benchmarks/power/machines.py" in text
    assert "| typical | 14.0 | 30.0 | 35.0 | 0.20 | 98.0 |" in text
    assert lines_of(text)[-6].startswith("| **this rule** |")
    assert "| oracle | 16 | 30.0 | 20.0 / 20.0 / 20.0 / 20.0 / 20.0 / 20.0 |" in text
    document = tmp_path / "page.md"
    document.write_text(f"before\n{page.BEGIN}\nold\n{page.END}\nafter\n")
    page.write(document, text)
    assert document.read_text() == f"before\n{page.BEGIN}\n{text}\n{page.END}\nafter\n"
    document.write_text("no markers")
    with pytest.raises(ValueError, match="no markers"):
        page.write(document, text)


def test_the_documents_tables_are_the_generators() -> None:
    text = DOCUMENT.read_text(encoding="utf-8").partition(page.BEGIN)[2].partition(page.END)[0]
    reports = re.search(r"N = (\d+) reports", text)
    assert reports and int(reports[1]) >= 2000 and re.search(r"seed \d+", text)
    heads = [f"| {' | '.join(head)} |" for head in (page.OWN, page.PEERS, page.VARIANTS, page.ON_BUSY)]
    found = lines_of(text)
    assert [line for line in found if line in heads] == heads
    for machine in (*HELD, *figures.OTHERS):
        assert any(line.startswith(f"| {machine.name} |") for line in found), machine.name
    for name, launches in EVERY:
        assert any(line.startswith(f"| {name} | {launches} |") for line in found), name
