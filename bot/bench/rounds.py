"""The rounds of a run: what comes next, until every metric is decided or the budget is spent.

`next_step` is a pure function of the rounds done, so that a run that was killed goes on exactly where it was.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.records import BROKEN_STATUSES, Plan, Profile, Reason, Round, Side
from bot.stats.decide import compare, is_settled, open_scenarios
from bot.stats.order import orders
from bot.stats.suspicion import doubt

#: measurement.md 1.8 step 4: more reruns would hide an unstable machine.
RERUNS_PER_ROUND = 2
RERUNS_PER_RUN = 4
#: One crash may be a fluke of the machine, two of the same build are a finding.
BROKEN_LAUNCHES = 2

Order = Literal["AB", "BA"]


@dataclass(frozen=True)
class Next:
    """One more round to run: its place, its order, the scenarios still open."""

    index: int
    attempt: int
    order: Order
    slot: int
    scenarios: tuple[str, ...]

    @property
    def sides(self) -> tuple[Side, Side]:
        """The sides in the order they are launched."""
        return ("base", "head") if self.order == "AB" else ("head", "base")


@dataclass(frozen=True)
class Stop:
    """No more rounds; `note` says why where a reader should know."""

    note: Reason | None = None


def next_step(done: Sequence[Round], profile: Profile, plan: Plan) -> Next | Stop:
    """What to do after these rounds (every attempt, in the order run)."""
    valid = [item for item in done if item.is_valid]
    index = len(valid)
    attempt = sum(1 for item in done if item.index == index)
    stop = _broken(done) or _unstable(done, attempt) or _finished(valid, profile, plan)
    if stop:
        return stop
    if done and spent_s(done) + _round_s(done[-1]) > plan.budget_s:
        return Stop(Reason(code="budget_spent", args={"rounds": index}))
    return Next(
        index=index,
        attempt=attempt,
        order=orders(plan.seed, plan.max_rounds)[index],
        slot=sum(len(item.launches) for item in done),
        scenarios=_still_open(valid, profile, plan),
    )


def run(
    profile: Profile,
    plan: Plan,
    done: Sequence[Round],
    launch_round: Callable[[Next], Round],
) -> tuple[tuple[Round, ...], Reason | None]:
    """Every round until the stop; `launch_round` runs one and puts it on disk."""
    rounds = list(done)
    while isinstance(step := next_step(rounds, profile, plan), Next):
        rounds.append(launch_round(step))
    return tuple(rounds), step.note


def spent_s(rounds: Sequence[Round]) -> float:
    """Seconds that these rounds took, from their own records (a pause between two sittings is free)."""
    return sum(_round_s(item) for item in rounds)


def _round_s(item: Round) -> float:
    return sum(launch.seconds.get("total", 0.0) for launch in item.launches)


def _finished(valid: Sequence[Round], profile: Profile, plan: Plan) -> Stop | None:
    if len(valid) >= plan.max_rounds:
        return Stop()
    if len(valid) not in plan.looks:
        return None
    found = compare(valid, profile, looks=plan.looks)
    # A change that the environment may have made is measured again, base and head, up to the last look.
    return Stop() if is_settled(found) and doubt(valid, found, profile.margin) is None else None


def _still_open(valid: Sequence[Round], profile: Profile, plan: Plan) -> tuple[str, ...]:
    names = tuple(item.name for item in profile.scenarios)
    if len(valid) < min(plan.looks):
        return names
    return open_scenarios(compare(valid, profile, looks=plan.looks), profile) or names


def _broken(done: Sequence[Round]) -> Stop | None:
    for side in ("base", "head"):
        count = sum(
            1
            for item in done
            for launch in item.launches
            if launch.side == side
            and launch.status in BROKEN_STATUSES
            and launch.invalid in (None, launch.status)
        )
        if count >= BROKEN_LAUNCHES:
            return Stop(Reason(code="stopped_broken", args={"side": side, "count": count}))
    return None


def _unstable(done: Sequence[Round], attempt: int) -> Stop | None:
    reruns = sum(1 for item in done if item.attempt > 0) + (1 if attempt else 0)
    if attempt > RERUNS_PER_ROUND or reruns > RERUNS_PER_RUN:
        return Stop(Reason(code="environment_unstable", args={"reruns": reruns}))
    return None
