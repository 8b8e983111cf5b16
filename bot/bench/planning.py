"""What a run costs, and what its budget leaves of it: pure arithmetic over one calibration pair."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.records import Launch, Plan, Reason, Scenario

#: Rounds that a typical machine needs until nothing is inconclusive (14 launches, measurement.md 1.8);
#: the budget shortens requests and answers before it goes below these.
TYPICAL_ROUNDS = 8
#: K <= 2 fails in simulation (measurement.md 1.8).
FEWEST_REQUESTS = 3
#: Below this, the first decode steps weigh too much.
SHORTEST_ANSWER = 32


@dataclass(frozen=True)
class Timing:
    """Seconds of one launch: `fixed_s` for start and stop, per request by scenario.

    `prefill_s` and `token_s` split a request, so that a shorter answer can be priced.
    """

    fixed_s: float
    prefill_s: dict[str, float]
    token_s: dict[str, float]

    def launch_s(self, scenarios: Sequence[Scenario], warmups: int) -> float:
        """What one launch takes with these scenarios."""
        return self.fixed_s + sum((warmups + item.requests) * self.request_s(item) for item in scenarios)

    def request_s(self, scenario: Scenario) -> float:
        """What one request takes."""
        return self.prefill_s[scenario.name] + scenario.n_predict * self.token_s[scenario.name]


def timing_of(launches: Sequence[Launch], scenarios: Sequence[Scenario]) -> Timing:
    """The mean over the calibration launches (each side's own speed counts)."""
    parts = [_timing(launch, scenarios) for launch in launches]
    count = len(parts)
    names = [item.name for item in scenarios]
    return Timing(
        fixed_s=sum(part.fixed_s for part in parts) / count,
        prefill_s={name: sum(part.prefill_s[name] for part in parts) / count for name in names},
        token_s={name: sum(part.token_s[name] for part in parts) / count for name in names},
    )


def _timing(launch: Launch, scenarios: Sequence[Scenario]) -> Timing:
    prefill: dict[str, float] = {}
    token: dict[str, float] = {}
    for scenario in scenarios:
        last = [item for item in launch.samples if item.scenario == scenario.name][-1]
        token[scenario.name] = last.predicted_ms / max(1, last.predicted_n - 1) / 1000
        prefill[scenario.name] = max(0.0, last.wall_ms - last.predicted_ms) / 1000
    asked = sum(item.wall_ms for item in launch.samples) / 1000
    return Timing(max(0.0, launch.seconds.get("total", 0.0) - asked), prefill, token)


@dataclass(frozen=True)
class Shape:
    """How a run is to go before the budget has its say."""

    max_rounds: int
    looks: tuple[int, ...]
    warmups: int
    budget_s: float
    seed: int


def plan(scenarios: Sequence[Scenario], timing: Timing, shape: Shape) -> tuple[tuple[Scenario, ...], Plan]:
    """The scenarios and rounds that fit the budget, each cut named.

    First fewer requests per launch (down to 3), then shorter answers (down to 32 tokens), until a typical
    number of rounds fits; what still does not fit shortens the rounds, to one at least.
    """
    wanted = min(TYPICAL_ROUNDS, shape.max_rounds)
    kept = tuple(scenarios)
    for candidate in _ever_shorter(kept):
        kept = candidate
        if 2 * wanted * timing.launch_s(kept, shape.warmups) <= shape.budget_s:
            break
    launch_s = timing.launch_s(kept, shape.warmups)
    fits = max(1, math.floor(shape.budget_s / (2 * launch_s))) if launch_s else shape.max_rounds
    rounds = min(shape.max_rounds, fits)
    looks = tuple(look for look in shape.looks if look <= rounds) or (rounds,)
    return kept, Plan(
        seed=shape.seed,
        max_rounds=rounds,
        looks=looks,
        budget_s=shape.budget_s,
        estimate_s=2 * rounds * launch_s,
        launch_s=launch_s,
        warmups=shape.warmups,
        cuts=tuple(_cuts(scenarios, kept, shape.max_rounds, rounds)),
    )


def _ever_shorter(scenarios: tuple[Scenario, ...]) -> Iterator[tuple[Scenario, ...]]:
    most = max(item.requests for item in scenarios)
    for requests in range(most, min(most, FEWEST_REQUESTS) - 1, -1):
        kept = tuple(_fewer(item, requests) for item in scenarios)
        yield kept
    longest = max(item.n_predict for item in kept)
    for answer in (48, SHORTEST_ANSWER):
        if answer < longest:
            yield tuple(item.model_copy(update={"n_predict": min(item.n_predict, answer)}) for item in kept)


def _fewer(scenario: Scenario, requests: int) -> Scenario:
    return scenario.model_copy(update={"requests": min(scenario.requests, requests)})


def _cuts(
    asked: Sequence[Scenario], kept: Sequence[Scenario], rounds_asked: int, rounds: int
) -> Iterator[Reason]:
    pairs = list(zip(asked, kept, strict=True))
    if any(before.requests != after.requests for before, after in pairs):
        yield Reason(code="cut_requests", args={"requests": max(item.requests for item in kept)})
    if any(before.n_predict != after.n_predict for before, after in pairs):
        yield Reason(code="cut_answer", args={"tokens": max(item.n_predict for item in kept)})
    if rounds < rounds_asked:
        yield Reason(code="cut_rounds", args={"rounds": rounds, "asked": rounds_asked})
