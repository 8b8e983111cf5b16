"""The decision: all valid rounds so far in, one comparison per metric out (docs/measuring.md)."""

from collections.abc import Sequence
from math import exp

from bot.records import Comparison, Outcome, Profile, Round
from bot.stats.look import Look, next_look, rounds_needed, too_close
from bot.stats.metrics import Metric, metrics, present, primary, round_values
from bot.stats.quantiles import t_tail
from bot.stats.robust import hodges_lehmann, holm, slow_launches

#: Numbers of rounds after which is looked, and may be stopped.
LOOKS = (4, 6, 8, 10, 12)


def compare(
    rounds: Sequence[Round],
    profile: Profile,
    *,
    looks: tuple[int, ...] = LOOKS,
    final: bool = False,
) -> tuple[Comparison, ...]:
    """Decide every judged metric from the valid rounds so far, in the order run.

    The looks are replayed: equivalence, once shown, stays as it was then; a change is judged anew at
    each later look. Between looks the answer is that of the last one. `final` says that no round will
    follow: what is open is decided once at the rounds there are (below three: inconclusive).
    Before the first look every outcome is inconclusive, with the numbers so far.

    A metric that no round measured has `rounds` 0 and zeros for numbers; without any valid round there
    is no comparison at all. `small_but_real` speaks of the data in hand: print that of the last call.
    """
    valid = tuple(item for item in rounds if item.is_valid)
    if not valid:
        return ()
    points = _points(len(valid), looks, final)
    judged = metrics(profile)
    found = [_replay(valid, metric, profile.margin, points) for metric in judged]
    needed = primary(profile)
    return tuple(
        _comparison(metric, look, profile.margin, primary=metric.id in needed, real=real)
        for metric, look, real in zip(judged, found, _small_but_real(found), strict=True)
    )


def open_scenarios(comparisons: Sequence[Comparison], profile: Profile) -> tuple[str, ...]:
    """The scenarios still to be run: those with a metric that is not frozen, in the profile's order."""
    frozen = {item.metric for item in comparisons if item.frozen}
    open_ = {metric.scenario for metric in metrics(profile) if metric.id not in frozen}
    return tuple(scenario.name for scenario in profile.scenarios if scenario.name in open_)


def is_settled(comparisons: Sequence[Comparison]) -> bool:
    """Whether measuring may stop: there are comparisons, and none is inconclusive."""
    return bool(comparisons) and all(item.outcome != "inconclusive" for item in comparisons)


def summary(comparisons: Sequence[Comparison]) -> Outcome:
    """The performance in one word; the report's verdict weighs more than this.

    "within" needs every metric shown equivalent: an intersection-union test, no correction needed.
    """
    outcomes = {item.outcome for item in comparisons}
    if "regression" in outcomes:
        return "regression"
    if not outcomes or "inconclusive" in outcomes:
        return "inconclusive"
    return "improvement" if "improvement" in outcomes else "within"


def _points(rounds: int, looks: tuple[int, ...], final: bool) -> tuple[tuple[int, bool], ...]:
    """(rounds, decides) of each look to replay."""
    reached = tuple((look, True) for look in sorted(looks) if look <= rounds)
    if final and (rounds, True) not in reached:
        return (*reached, (rounds, True))
    return reached or ((rounds, False),)


def _replay(
    rounds: Sequence[Round], metric: Metric, margin: float, points: Sequence[tuple[int, bool]]
) -> Look:
    values = round_values(rounds, metric)
    look = None
    for count, decides in points:
        look = next_look(look, present(values[:count]), metric, margin, decides=decides)
    assert look is not None
    return look


def _small_but_real(looks: Sequence[Look]) -> tuple[bool, ...]:
    """Equivalent metrics whose effect is nevertheless not zero, by Holm over all metrics."""
    rejected = holm([_p_value(look) for look in looks])
    return tuple(look.frozen and real for look, real in zip(looks, rejected, strict=True))


def _p_value(look: Look) -> float:
    """Two-sided p of "no change at all"; 1 where the spread is unknown."""
    found = look.estimate
    return 2 * t_tail(abs(found.effect) / found.se, found.df) if found.df > 0 else 1.0


def _comparison(metric: Metric, look: Look, margin: float, *, primary: bool, real: bool) -> Comparison:
    found, open_ = look.estimate, look.outcome == "inconclusive"
    ratios = tuple(item.ratio for item in look.values)
    slow_base, slow_head = slow_launches(
        [item.base for item in look.values], [item.head for item in look.values]
    )
    return Comparison(
        metric=metric.id,
        kind=metric.kind,
        scenario=metric.scenario,
        primary=primary,
        outcome=look.outcome,
        rounds=found.rounds,
        frozen=look.frozen,
        effect=found.effect,
        low=look.low,
        high=look.high,
        level=look.level,
        se=found.se,
        sd_round=found.sd_round,
        method=found.method,
        base=_own_unit(metric, found.base, found.rounds),
        head=_own_unit(metric, found.head, found.rounds),
        hodges_lehmann=hodges_lehmann(ratios),
        slow_base=slow_base,
        slow_head=slow_head,
        below_resolution=look.below_resolution,
        too_close=open_ and too_close(found, margin),
        small_but_real=real,
        rounds_needed=rounds_needed(found, margin) if open_ else None,
        ratios=ratios,
    )


def _own_unit(metric: Metric, z: float, rounds: int) -> float:
    return exp(metric.sign * z) if rounds else 0.0
