"""This program's rule, by its own functions, on simulated measurements."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from statistics import fmean

import numpy as np

from benchmarks.power.machines import JUDGED, METRICS, REQUESTS, SCENARIOS, Measured
from bot.records import Outcome
from bot.stats.decide import LOOKS
from bot.stats.look import Look, next_look
from bot.stats.metrics import Metric
from bot.stats.paired import RoundValues
from bot.stats.suspicion import is_proven

MARGIN = 0.03
#: What one launch costs: start and stop, and one request (27B-like; docs/measuring.md).
LAUNCH_S, REQUEST_S, WARMUPS, FIRST_WARMUPS = 40.0, 5.0, 2, 4
#: ln 400 ms away from zero: a TTFT as long as the timer's resolution needs it to be.
_LEVEL = math.log(400)
_FLAT = dict.fromkeys(SCENARIOS, REQUESTS)

Rounds = dict[Metric, list[RoundValues]]


@dataclass(frozen=True)
class Ended:
    """One session: what each metric came out as, and in how many rounds each scenario was run."""

    looks: Mapping[Metric, Look]
    outcomes: Mapping[Metric, Outcome]
    rounds: int
    scenario_rounds: Mapping[str, int]

    @property
    def changed(self) -> bool:
        """Whether any metric is called a regression or an improvement."""
        return bool({"regression", "improvement"} & set(self.outcomes.values()))


def sessions(
    measured: Measured,
    *,
    margin: float = MARGIN,
    requests: Mapping[str, int] = _FLAT,
    looks: Sequence[int] = LOOKS,
    strict: bool = False,
) -> Iterator[Ended]:
    """Each report decided look by look. `requests`: K by scenario. `strict`: as on a busy machine."""
    for values in rounds_of(measured, requests):
        yield decided(values, margin, looks, strict)


def rounds_of(measured: Measured, requests: Mapping[str, int] = _FLAT) -> Iterator[Rounds]:
    """Per report, every metric's z of both launches in each round."""
    base, head = (_medians(values, requests) for values in (measured.base, measured.head))
    for swapped, one, other in zip(measured.swapped.tolist(), base.tolist(), head.tolist(), strict=True):
        yield {
            metric: [
                RoundValues(b[place], h[place], 2 * index + late, 2 * index + 1 - late)
                for index, (late, b, h) in enumerate(zip(swapped, one, other, strict=True))
            ]
            for place, metric in enumerate(METRICS)
        }


def _medians(values: np.ndarray, requests: Mapping[str, int]) -> np.ndarray:
    every = [
        np.median(values[:, :, place, : requests[metric.scenario]], axis=-1)
        for place, metric in enumerate(METRICS)
    ]
    return np.stack(every, axis=-1) - _LEVEL


def decided(values: Rounds, margin: float, looks: Sequence[int], strict: bool) -> Ended:
    """Measure until no metric is inconclusive, or the last look; a scenario all frozen is run no more."""
    found: dict[Metric, Look] = {}
    ran: dict[str, int] = {}
    for count in looks:
        found = {m: next_look(found.get(m), values[m][:count], m, margin) for m in values}
        outcomes = {m: _outcome(look, margin, strict) for m, look in found.items()}
        for scenario in SCENARIOS:
            if all(look.frozen for m, look in found.items() if m.scenario == scenario):
                ran.setdefault(scenario, count)
        if "inconclusive" not in outcomes.values():
            break
    return Ended(found, outcomes, count, {name: ran.get(name, count) for name in SCENARIOS})


def _outcome(look: Look, margin: float, strict: bool) -> Outcome:
    if not strict or look.outcome not in ("regression", "improvement"):
        return look.outcome
    found, tests = look.estimate, len(METRICS) * len(LOOKS)
    proven = is_proven((look.low, look.high), abs(found.effect) / found.se, found.df, margin, tests)
    return look.outcome if proven else "inconclusive"


def minutes(
    rounds: int, scenario_rounds: Mapping[str, int] | None = None, requests: Mapping[str, int] = _FLAT
) -> float:
    """GPU-minutes of a session with its warm-up pair; without `scenario_rounds` nothing is dropped."""
    ran = scenario_rounds or dict.fromkeys(SCENARIOS, rounds)
    asked = sum(ran[name] * (WARMUPS + requests[name]) for name in SCENARIOS)
    warm = LAUNCH_S + REQUEST_S * len(SCENARIOS) * (FIRST_WARMUPS + 1)
    return 2 * (warm + rounds * LAUNCH_S + asked * REQUEST_S) / 60


@dataclass(frozen=True)
class Rates:
    """Percentages of reports, launches of both builds, GPU-minutes with decided scenarios dropped or not."""

    launches: float
    called: float
    all_within: float
    found: float
    missed: float
    fell_back: float
    minutes: float
    minutes_undropped: float


def mean(parts: Sequence[Rates]) -> Rates:
    """The rates of several equally large parts together."""
    every = [astuple(part) for part in parts]
    return Rates(*(fmean(column) for column in zip(*every, strict=True)))


def rates(ended: Sequence[Ended], requests: Mapping[str, int] = _FLAT) -> Rates:
    """What these sessions came to."""
    count = len(ended)

    def share(true: Iterator[bool]) -> float:
        return 100 * sum(true) / count

    return Rates(
        launches=sum(2 * end.rounds for end in ended) / count,
        called=share(end.changed for end in ended),
        all_within=share(set(end.outcomes.values()) == {"within"} for end in ended),
        found=share(end.outcomes[JUDGED] == "regression" for end in ended),
        missed=share(end.outcomes[JUDGED] == "within" for end in ended),
        fell_back=share(any(look.estimate.method == "pairs" for look in end.looks.values()) for end in ended),
        minutes=sum(minutes(end.rounds, end.scenario_rounds, requests) for end in ended) / count,
        minutes_undropped=sum(minutes(end.rounds, None, requests) for end in ended) / count,
    )
