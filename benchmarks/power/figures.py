"""What is simulated of each rule on each machine, and the targets that it is held against."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from unittest.mock import patch

from benchmarks.power import machines, ours
from benchmarks.power.machines import JUDGED, METRICS, SCENARIOS, Machine, simulate
from benchmarks.power.ours import Rates
from benchmarks.power.peers import Calls, Peer, peers
from bot.records import Noise
from bot.stats import paired
from bot.stats.noise import requests_worth

#: Simulated at a time, for the sake of memory.
CHUNK = 250
CHANGES = (0.0, -0.01, -0.02, -0.03, -0.05)
#: Those that are simulated of this rule's variants too.
VARIED = (0.0, -0.03, -0.05)
HELD = (
    machines.QUIET,
    machines.TYPICAL,
    machines.NOISY,
    machines.BIMODAL,
    machines.DRIFTING,
    machines.CONTAMINATED,
)
#: Beside them: what the fall-back to pairs is for, and what the rule is known to miss.
OTHERS = (machines.UNEVEN, machines.FAULTY)
RULE, NO_PAIRS, OWN_K = "this rule", "never pairs", "K from the noise"
#: A peer is one where a false call is rarer than this and a change is found more often, in percent.
MOST_FALSE = {"typical": 0.6, "noisy": 2.5}
LEAST_FOUND = {"typical": 99.5, "noisy": 97.0}
MOST_MISSED = 5.5
MOST_LAUNCHES = {"quiet": 8.5, "typical": 16.0}


Own = dict[str, dict[float, list[Rates]]]
Called = dict[Peer, dict[float, list[Calls]]]


@dataclass(frozen=True)
class Figures:
    """One rule on one machine; percentages of reports. `called`: any change, where none was planted.

    `slower` and `missed` by planted change: the judged metric called slower, and called equal.
    `minutes`: GPU-minutes where no change was planted; `undropped`: with every scenario in every round.
    """

    machine: str
    rule: str
    launches: float
    minutes: float
    undropped: float
    called: float
    all_within: float
    slower: Mapping[float, float]
    missed: Mapping[float, float]
    fell_back: float = 0.0


def figures(machine: Machine, reports: int, seed: int) -> Iterator[Figures]:
    """This rule, its variants and every peer on the same measurements of one machine.

    `reports` is rounded up to whole chunks.
    """
    own: Own = {RULE: {change: [] for change in CHANGES}}
    own |= {rule: {change: [] for change in VARIED} for rule in (NO_PAIRS, OWN_K)}
    called: Called = {peer: {change: [] for change in CHANGES} for peer in peers()}
    worth = own_requests(machine)
    for change in CHANGES:
        for first in range(0, reports, CHUNK):
            measured = simulate(machine, change, CHUNK, seed + first)
            own[RULE][change].append(ours.rates(list(ours.sessions(measured))))
            for peer, calls in called.items():
                calls[change].append(peer(measured))
            if change not in VARIED:
                continue
            chosen = list(ours.sessions(measured, requests=worth))
            own[OWN_K][change].append(ours.rates(chosen, worth))
            with patch.object(paired, "needs_pairs", lambda *_: False):
                own[NO_PAIRS][change].append(ours.rates(list(ours.sessions(measured))))
    for rule, parts in own.items():
        yield _own(machine, rule, parts)
    for peer, calls in called.items():
        yield _peer(machine, peer, calls)


def own_requests(machine: Machine) -> dict[str, int]:
    """K by scenario, as a run here chooses it once it knows this machine's noise."""
    spread = {"launch": machine.launch_sd, "sd_round": 0.0, "rounds": 0, "detectable": 0.0}
    known = [
        Noise(
            metric=metric.id,
            scenario=metric.scenario,
            request=machine.request_sd * machines.REQUEST_NOISE[metric.scenario],
            **spread,
        )
        for metric in METRICS
    ]
    return {name: requests_worth(known, name, ours.MARGIN) or machines.REQUESTS for name in SCENARIOS}


def _own(machine: Machine, rule: str, parts: Mapping[float, Sequence[Rates]]) -> Figures:
    found = {change: ours.mean(part) for change, part in parts.items()}
    same = found[0.0]
    return Figures(
        machine=machine.name,
        rule=rule,
        launches=same.launches,
        minutes=same.minutes,
        undropped=same.minutes_undropped,
        called=same.called,
        all_within=same.all_within,
        slower={change: item.found for change, item in found.items()},
        missed={change: item.missed for change, item in found.items()},
        fell_back=same.fell_back,
    )


def _peer(machine: Machine, peer: Peer, calls: Mapping[float, Sequence[Calls]]) -> Figures:
    judged = METRICS.index(JUDGED)

    def share(change: float, sign: int) -> float:
        return 100 * sum(int((part[:, judged] == sign).sum()) for part in calls[change]) / count

    count = sum(len(part) for part in calls[0.0])
    false = sum(int((part != 0).any(axis=1).sum()) for part in calls[0.0])
    cost = peer.launches * (ours.minutes(1) - ours.minutes(0)) / 2
    return Figures(
        machine=machine.name,
        rule=peer.name,
        launches=peer.launches,
        minutes=cost,
        undropped=cost,
        called=100 * false / count,
        all_within=100 - 100 * false / count,
        slower={change: share(change, -1) for change in CHANGES},
        missed={change: share(change, 0) for change in CHANGES},
    )


def by_rule(found: Sequence[Figures]) -> dict[tuple[str, float], dict[str, Figures]]:
    """(rule, launches for a peer or 0) -> machine -> figures."""
    grouped: dict[tuple[str, float], dict[str, Figures]] = {}
    for item in found:
        is_ours = item.rule in (RULE, NO_PAIRS, OWN_K)
        grouped.setdefault((item.rule, 0 if is_ours else item.launches), {})[item.machine] = item
    return grouped


def meets(on: Mapping[str, Figures], reports: int) -> bool:
    """Whether a rule errs no more often than this one may, on any machine that it is held against."""
    return (
        all(on[name].called <= _most(bound, reports) for name, bound in MOST_FALSE.items())
        and all(on[name].slower[-0.05] >= _least(bound, reports) for name, bound in LEAST_FOUND.items())
        and all(on[machine.name].missed[-0.03] <= _most(MOST_MISSED, reports) for machine in HELD)
    )


def _most(percent: float, reports: int) -> float:
    """The bound with two standard errors of a share of so many reports."""
    return percent + 200 * math.sqrt(percent / 100 * (1 - percent / 100) / reports)


def _least(percent: float, reports: int) -> float:
    return 100 - _most(100 - percent, reports)


@dataclass(frozen=True)
class Row:
    """One figure; `target` is an upper bound, or a lower one where `at_least`; `slack`: Monte Carlo's."""

    name: str
    value: float
    unit: str = "%"
    target: float | None = None
    at_least: bool = False
    slack: float = 0.0

    @property
    def met(self) -> bool:
        """True where no target is stated."""
        if self.target is None:
            return True
        if self.at_least:
            return self.value >= self.target - self.slack
        return self.value <= self.target + self.slack


def rows(found: Sequence[Figures], reports: int) -> list[Row]:
    """Every figure as a row, this rule's with their targets."""
    every = [row for item in found for row in _rows(item)]
    rule = by_rule(found)
    cheaper = sum(
        meets(on, reports) and on["typical"].launches < rule[RULE, 0]["typical"].launches
        for (name, launches), on in rule.items()
        if launches and set(on) >= {machine.name for machine in HELD}
    )
    aimed = [_aimed(row, reports) for row in every]
    return [*aimed, Row("peers as reliable with fewer launches", float(cheaper), "rules", 0.0)]


def _rows(item: Figures) -> Iterator[Row]:
    name = item.rule if item.rule in (RULE, NO_PAIRS, OWN_K) else f"{item.rule}, {item.launches:g} launches"
    start = f"{item.machine}: {name}"
    yield Row(f"{start}: launches", item.launches, "launches")
    yield Row(f"{start}: GPU time", item.minutes, "min")
    yield Row(f"{start}: GPU time, nothing dropped", item.undropped, "min")
    yield Row(f"{start}: any false call", item.called)
    yield Row(f"{start}: all within", item.all_within)
    for change, found in item.slower.items():
        if change:
            yield Row(f"{start}: {change:.0%} found", found)
    yield Row(f"{start}: -3% called equal", item.missed[-0.03])
    yield Row(f"{start}: any from pairs", item.fell_back)


def _aimed(row: Row, reports: int) -> Row:
    machine, _, rest = row.name.partition(": ")
    rule, _, what = rest.partition(": ")
    if rule != RULE:
        return row
    bounds = {
        "launches": MOST_LAUNCHES.get(machine),
        "any false call": MOST_FALSE.get(machine),
        "-5% found": LEAST_FOUND.get(machine),
        "-3% called equal": MOST_MISSED if machine in {item.name for item in HELD} else None,
    }
    target = bounds.get(what)
    slack = _most(target, reports) - target if target and row.unit == "%" else 0.0
    return replace(row, target=target, at_least=what == "-5% found", slack=slack)
