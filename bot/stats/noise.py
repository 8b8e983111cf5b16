"""How much this machine's numbers scatter, what that hides, and how many requests a launch is worth."""

import math
from collections.abc import Sequence
from statistics import median, variance

from bot.records import Comparison, Launch, Noise, Round
from bot.stats.quantiles import degrees, t_quantile

#: A median of K normal values varies pi/2 times as much as their mean.
_MEDIAN = math.pi / 2
#: Cost of a launch in requests, by which simulation found K flat around its best (docs/measuring.md).
_LAUNCH_COST = 4.7
#: Fewer than 3 requests fail in simulation, more than 12 buy nothing.
FEWEST, MOST = 3, 12
#: An sd of a round below this share of the margin is decided at the first look (simulated: 99 %), so that
#: more requests buy nothing (docs/measuring.md).
_EASY = 1 / 3
#: A change counts as seen when four of five runs find it, at two-sided 5 %.
_POWER, _CONFIDENCE = 0.80, 0.975


def noise(rounds: Sequence[Round], comparisons: Sequence[Comparison]) -> tuple[Noise, ...]:
    """The spread of every metric that has one: at least three rounds, and two requests in its launches."""
    launches = [launch for item in rounds if item.is_valid for launch in item.launches]
    found = (_noise(launches, item) for item in comparisons if item.rounds >= FEWEST)
    return tuple(item for item in found if item is not None)


def _noise(launches: Sequence[Launch], item: Comparison) -> Noise | None:
    groups = [launch.values(item.scenario, item.kind) for launch in launches]
    logs = [[math.log(value) for value in group] for group in groups if len(group) > 1]
    if not logs:
        return None
    within = math.fsum(variance(group) * (len(group) - 1) for group in logs) / sum(len(g) - 1 for g in logs)
    requests = median(len(group) for group in logs)
    between = max(0.0, item.sd_round**2 / 2 - _MEDIAN * within / requests)
    return Noise(
        metric=item.metric,
        scenario=item.scenario,
        request=math.sqrt(within),
        launch=math.sqrt(between),
        sd_round=item.sd_round,
        rounds=item.rounds,
        detectable=detectable(item.sd_round, item.rounds),
    )


def detectable(sd_round: float, rounds: int) -> float:
    """The smallest log-ratio that so many rounds find with 80 % power, two-sided 5 %.

    The usual approximation (t at the confidence + t at the power) x standard error, on 2R - 3 degrees.
    """
    df = degrees("launches", rounds)
    return (t_quantile(_CONFIDENCE, df) + t_quantile(_POWER, df)) * sd_round / math.sqrt(rounds)


def merged(before: Sequence[Noise], runs: int, now: Sequence[Noise]) -> tuple[Noise, ...]:
    """The noise over `runs` earlier runs and this one: variances averaged, metrics as in this one."""
    known = {item.metric: item for item in before}
    return tuple(_merged(known.get(item.metric), runs, item) for item in now)


def _merged(before: Noise | None, runs: int, now: Noise) -> Noise:
    if before is None or runs < 1:
        return now
    means = {
        name: math.sqrt((runs * getattr(before, name) ** 2 + getattr(now, name) ** 2) / (runs + 1))
        for name in ("request", "launch", "sd_round")
    }
    return now.model_copy(update={**means, "detectable": detectable(means["sd_round"], now.rounds)})


def requests_worth(found: Sequence[Noise], scenario: str, margin: float) -> int | None:
    """K of one scenario: where another request and another launch buy the same (Kalibera & Jones, ISMM'13),
    and no more than the first look needs.

    sqrt(4.7 x 1.57 x request variance / launch variance) within 3 ... 12; where fewer requests already bring
    the sd of a round down to a third of `margin` (a fraction), as few as that takes. The most that any of the
    scenario's metrics asks for; None where nothing is known of it.
    """
    wanted = [_requests(item, margin) for item in found if item.scenario == scenario]
    return max(wanted, default=None)


def _requests(item: Noise, margin: float) -> int:
    worth = _balanced(item)
    enough = (count for count in range(FEWEST, worth) if _sd_round(item, count) <= margin * _EASY)
    return next(enough, worth)


def _balanced(item: Noise) -> int:
    if item.launch <= 0:
        return MOST if item.request > 0 else FEWEST
    worth = math.sqrt(_LAUNCH_COST * _MEDIAN) * item.request / item.launch
    return min(MOST, max(FEWEST, round(worth)))


def _sd_round(item: Noise, requests: int) -> float:
    """The sd of a round's log-ratio with so many requests per launch."""
    return math.sqrt(2 * (item.launch**2 + _MEDIAN * item.request**2 / requests))
