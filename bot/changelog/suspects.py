"""Which commits may be related to a metric that moved: by areas and words, modest by construction."""

from collections.abc import Iterable, Sequence

from bot.changelog.applies import holds
from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading, matches, read
from bot.changelog.drops import drop_reason
from bot.changelog.links import Links, link
from bot.changelog.tables import Metric, tables
from bot.records import Commit, Suspect

MOST = 3
_UNKNOWN_NEED = 0.5
_BACKGROUND = frozenset({"refactor", "build", "model"})
_BACKGROUND_COST = 1.5


def suspects(
    commits: Sequence[Commit], facts: Circumstances, metrics: Iterable[str]
) -> dict[str, tuple[Suspect, ...]]:
    """At most three candidates per metric (vram, prefill, decode, ttft), best first; often none.

    What is reverted in the range, dropped, or needs something that this profile does not use cannot
    have moved anything. Metrics without a table give none.
    """
    readings = read(commits)
    return suspects_among(readings, link(readings), facts, metrics)


def suspects_among(
    readings: Sequence[Reading], links: Links, facts: Circumstances, metrics: Iterable[str]
) -> dict[str, tuple[Suspect, ...]]:
    """As `suspects`, of commits that were read and linked before."""
    able = [item for item in readings if item.index not in links.cancelled and _can_act(item, facts)]
    return {name: _for_metric(name, able, facts) for name in metrics}


def _can_act(reading: Reading, facts: Circumstances) -> bool:
    if drop_reason(reading, facts):
        return False
    return all(holds(need, facts) is not False for need in reading.needs)


def _for_metric(name: str, able: Sequence[Reading], facts: Circumstances) -> tuple[Suspect, ...]:
    metric = tables().metrics.get(name)
    if metric is None:
        return ()
    found = [suspect for item in able if (suspect := _suspect(item, metric, facts))]
    return tuple(sorted(found, key=lambda item: (-item.score, item.sha))[:MOST])


def _suspect(reading: Reading, metric: Metric, facts: Circumstances) -> Suspect | None:
    words = [test for test in metric.words if matches(test, reading)]
    if not any(test.points > 0 for test in words):
        return None
    area = max((metric.areas.get(key, 0.0) for key in {reading.area, *reading.code}), default=0.0)
    total = area + sum(test.points for test in words)
    total -= _UNKNOWN_NEED * sum(holds(need, facts) is None for need in reading.needs)
    total -= _BACKGROUND_COST * (reading.type in _BACKGROUND)
    if total < metric.floor:
        return None
    return Suspect(
        sha=reading.commit.sha,
        pr=reading.parsed.pr,
        area=reading.area,
        text=reading.parsed.text[:300],
        reasons=(f"area-{reading.area}", *(f"suspect-{test.key}" for test in words if test.points > 0)),
        score=round(total, 3),
    )
