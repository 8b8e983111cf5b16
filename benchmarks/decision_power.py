"""How often the decision rule errs and how much it costs, on simulated machines.

    python -m benchmarks.decision_power [--reports N] [--seed S] [--json]

Every report is nine metrics (three scenarios of TTFT, prefill, decode) decided by `bot.stats` itself,
look by look, until none is inconclusive or twelve rounds are done. Prints a table, or with `--json` its
rows; exits 1 when a stated target is missed. The noise of a machine is an assumption: the profiles are
those of docs/measuring.md, and a machine's own A/A run says which of them it resembles.
"""

import argparse
import json
import math
import random
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from unittest.mock import patch

from rich.console import Console
from rich.table import Table

from bot.records import MetricKind
from bot.stats import paired
from bot.stats.decide import LOOKS
from bot.stats.look import Look, next_look
from bot.stats.metrics import Metric
from bot.stats.order import orders
from bot.stats.paired import RoundValues

MARGIN, REQUESTS = 0.03, 5
KINDS: tuple[MetricKind, ...] = ("ttft", "prefill", "decode")
SCENARIOS = ("chat", "document", "coding")
METRICS = tuple(Metric(kind, scenario) for scenario in SCENARIOS for kind in KINDS)
JUDGED = Metric("decode", "coding")
LAUNCHES = 2 * LOOKS[-1]
#: Requests of a short chat are the noisiest: a fixed cost is a larger part of them.
REQUEST_NOISE = {"chat": 2.0, "document": 1.0, "coding": 1.0}


@dataclass(frozen=True)
class Machine:
    """Noise of a simulated machine; all sizes are fractions of the rate, shares are of launches.

    A launch's own offset, its clock mode, a contamination and a fault of the head are shared by all its
    metrics; requests of each metric vary on their own. `drift` is reached linearly over 24 launches,
    `heat` is lost over the first few, after the discarded warm-up pair.
    """

    name: str
    request_sd: float = 0.01
    launch_sd: float = 0.005
    head_launch_sd: float | None = None
    outliers: float = 0.03
    drift: float = -0.01
    heat: float = 0.0
    walk: float = 0.0005
    mode_share: float = 0.0
    contaminated: float = 0.0
    head_faults: float = 0.0


QUIET = Machine("quiet", 0.003, 0.002, outliers=0.01, drift=0.0, walk=0.0)
TYPICAL = Machine("typical")
NOISY = Machine("noisy", 0.02, outliers=0.05, drift=-0.02, heat=0.015, walk=0.001, contaminated=0.02)
BIMODAL = replace(TYPICAL, name="bimodal", mode_share=0.2)
#: 8 % of launches disturbed, of which the guards catch and repeat 70 %.
CONTAMINATED = replace(TYPICAL, name="contaminated", contaminated=0.08 * 0.3)
UNEVEN = replace(TYPICAL, name="uneven arms", head_launch_sd=0.02)
#: The head loses 12 % in a quarter of its launches: a call is right here, "within" is wrong.
FAULTY = replace(TYPICAL, name="faulty head", head_faults=0.25)


@dataclass(frozen=True)
class Launched:
    """What one launch shares among its metrics."""

    slot: int
    offset: float


@dataclass
class Simulation:
    """One session on one machine: an endless supply of rounds."""

    machine: Machine
    effects: Mapping[Metric, float]
    draw: random.Random
    walked: float = 0.0
    metrics: Sequence[Metric] = field(default=METRICS)

    def rounds(self) -> Iterator[dict[Metric, RoundValues]]:
        """Round after round in balanced random order, every metric's z of both launches."""
        for index, order in enumerate(orders(self.draw.getrandbits(32), LOOKS[-1])):
            first, second = self._launch(2 * index, order[0]), self._launch(2 * index + 1, order[1])
            base, head = (first, second) if order == "AB" else (second, first)
            yield {metric: self._values(metric, base, head) for metric in self.metrics}

    def _launch(self, slot: int, arm: str) -> Launched:
        machine, draw = self.machine, self.draw
        self.walked += draw.gauss(0, machine.walk)
        launch_sd = machine.head_launch_sd if arm == "B" and machine.head_launch_sd else machine.launch_sd
        offset = machine.drift * slot / LAUNCHES + machine.heat * math.exp(-(slot + 2) / 2) + self.walked
        offset += draw.gauss(0, launch_sd)
        offset -= 0.03 * (draw.random() < machine.mode_share)
        offset -= draw.uniform(0.05, 0.15) * (draw.random() < machine.contaminated)
        offset -= 0.12 * (arm == "B" and draw.random() < machine.head_faults)
        return Launched(slot, offset)

    def _values(self, metric: Metric, base: Launched, head: Launched) -> RoundValues:
        effect = self.effects.get(metric, 0.0)
        return RoundValues(
            base.offset + self._request_median(metric),
            head.offset + self._request_median(metric) + effect,
            base.slot,
            head.slot,
        )

    def _request_median(self, metric: Metric) -> float:
        draw, outliers = self.draw, self.machine.outliers
        sd = self.machine.request_sd * REQUEST_NOISE[metric.scenario]
        requests = sorted(
            draw.gauss(0, sd) - (draw.uniform(0.05, 0.20) if draw.random() < outliers else 0.0)
            for _ in range(REQUESTS)
        )
        # ln 400 ms away from zero: a TTFT as long as the timer's resolution needs it to be.
        return requests[REQUESTS // 2] - math.log(400)


def session(simulation: Simulation) -> dict[Metric, Look]:
    """Measure until no metric is inconclusive, or the last look: what each metric came out as."""
    seen: dict[Metric, list[RoundValues]] = {metric: [] for metric in simulation.metrics}
    looks: dict[Metric, Look] = {}
    for count, values in enumerate(simulation.rounds(), start=1):
        for metric, value in values.items():
            seen[metric].append(value)
        if count in LOOKS:
            looks = {m: next_look(looks.get(m), seen[m], m, MARGIN) for m in seen}
            if all(look.outcome != "inconclusive" for look in looks.values()):
                break
    return looks


@dataclass(frozen=True)
class Rates:
    """Percentages of reports, and the mean number of launches of both builds."""

    launches: float
    called: float
    all_within: float
    found: float
    missed: float
    fell_back: float


def rates(machine: Machine, change: float, reports: int, seed: int) -> Rates:
    """Simulate `reports` sessions with `change` (-0.05 = 5 % slower) planted in coding's decode."""
    effects = {JUDGED: math.log1p(change)}
    ended = [
        session(Simulation(machine, effects, random.Random(f"{seed}:{machine.name}:{change}:{report}")))
        for report in range(reports)
    ]

    def share(true: Callable[[dict[Metric, Look]], bool]) -> float:
        return 100 * sum(map(true, ended)) / reports

    return Rates(
        launches=sum(2 * max(len(look.values) for look in end.values()) for end in ended) / reports,
        called=share(lambda end: any(is_change(look) for look in end.values())),
        all_within=share(lambda end: all(look.outcome == "within" for look in end.values())),
        found=share(lambda end: end[JUDGED].outcome == "regression"),
        missed=share(lambda end: end[JUDGED].outcome == "within"),
        fell_back=share(lambda end: any(look.estimate.method == "pairs" for look in end.values())),
    )


def is_change(look: Look) -> bool:
    """Whether the look calls a regression or an improvement."""
    return look.outcome in ("regression", "improvement")


@dataclass(frozen=True)
class Row:
    """One figure; `target` is an upper bound, or a lower one where `at_least`."""

    name: str
    value: float
    unit: str
    target: float | None = None
    at_least: bool = False

    @property
    def met(self) -> bool:
        """True where no target is stated."""
        if self.target is None:
            return True
        return self.value >= self.target if self.at_least else self.value <= self.target


MACHINES = (QUIET, TYPICAL, NOISY, BIMODAL, CONTAMINATED, UNEVEN, FAULTY)
#: The measures of one machine, in the table's order; (0): no change planted, so that a call is false.
LAUNCHES_MADE, CALLED, WITHIN = "launches (0)", "any call (0)", "all within (0)"
FOUND_3, MISSED_3, FOUND_5 = "-3 % found", "-3 % within", "-5 % found"
PAIRED = "any from pairs"
#: (machine, measure): bound, and whether it is a lower one.
TARGETS: dict[tuple[str, str], tuple[float, bool]] = {
    ("quiet", LAUNCHES_MADE): (8.5, False),
    ("typical", LAUNCHES_MADE): (16.0, False),
    ("typical", CALLED): (0.6, False),
    ("noisy", CALLED): (2.5, False),
    ("typical", FOUND_5): (99.5, True),
    ("noisy", FOUND_5): (97.0, True),
}


def measure(machine: Machine, reports: int, seed: int) -> dict[str, float]:
    """Every measure of one machine."""
    same, three, five = (rates(machine, change, reports, seed) for change in (0.0, -0.03, -0.05))
    return {
        LAUNCHES_MADE: same.launches,
        CALLED: same.called,
        WITHIN: same.all_within,
        FOUND_3: three.found,
        MISSED_3: three.missed,
        FOUND_5: five.found,
        PAIRED: same.fell_back,
    }


def rows_of(machine: Machine, reports: int, seed: int) -> list[Row]:
    """The rule as it ships, with its targets, then the same sessions without the paired fall-back."""
    shipped = measure(machine, reports, seed)
    with patch.object(paired, "needs_pairs", lambda *_: False):
        pooled = measure(machine, reports, seed)
    rows = []
    for name, value in shipped.items():
        target, at_least = TARGETS.get((machine.name, name), (None, False))
        rows.append(Row(f"{machine.name}: {name}", value, _unit(name), target, at_least))
    return rows + [
        Row(f"{machine.name}, never pairs: {name}", value, _unit(name)) for name, value in pooled.items()
    ]


def _unit(measure_name: str) -> str:
    return "launches" if measure_name == LAUNCHES_MADE else "%"


def table(rows: Sequence[Row]) -> Table:
    """One line per machine and rule, one column per measure; a missed target is marked with `!`."""
    shown = Table(title="decision rule, simulated (% of reports; 0: no change planted)")
    columns = (LAUNCHES_MADE, CALLED, WITHIN, FOUND_3, MISSED_3, FOUND_5, PAIRED)
    for column in ("machine", *columns):
        shown.add_column(column, justify="left" if column == "machine" else "right")
    lines: dict[str, dict[str, Row]] = {}
    for row in rows:
        machine, _, name = row.name.partition(": ")
        lines.setdefault(machine, {})[name] = row
    for machine, cells in lines.items():
        shown.add_row(machine, *(f"{cells[c].value:.2f}{'' if cells[c].met else ' !'}" for c in columns))
    return shown


def main() -> int:
    """Run it; 1 where a target is missed."""
    parser = argparse.ArgumentParser(description="Error rates and cost of the decision rule, simulated.")
    parser.add_argument("--reports", type=int, default=2000, help="sessions per cell (default 2000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    options = parser.parse_args()
    rows = [row for machine in MACHINES for row in rows_of(machine, options.reports, options.seed)]
    if options.json:
        print(json.dumps([asdict(row) | {"met": row.met} for row in rows], indent=1))
    else:
        Console(width=150).print(table(rows))
    return 0 if all(row.met for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
