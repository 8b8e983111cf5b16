"""Themes: what a person writes where there are too many commits for a line each."""

import math
from collections import defaultdict
from collections.abc import Callable, Sequence

from bot.changelog.rank import Scored
from bot.changelog.tables import tables
from bot.records import Highlight, Theme

#: The order in which themes are told.
_ORDER = (
    "security",
    "breaking",
    "revert",
    "bugfix",
    "perf",
    "feature",
    "model",
    "other",
    "build",
    "refactor",
)
_EXEMPLARS = 2
#: What keeps a theme before all others, and what an incompatible change is worth above its score.
_PINNED, _BREAKING = 100.0, 3.0


def themes(eligible: Sequence[Scored], describe: Callable[[Scored], Highlight]) -> tuple[Theme, ...]:
    """The commits worth a line that apply or may, grouped by area and type; none where there are few.

    A group's value is that of its best commit, a third of the mean of the next three, and its size
    (0.3 log2 n); the best groups are kept, and told in the order of their types.
    """
    pick = tables().pick
    if len(eligible) <= pick.themes_above:
        return ()
    groups: dict[tuple[str, str], list[Scored]] = defaultdict(list)
    for item in sorted(eligible, key=lambda item: (-item.score, -item.reading.index)):
        groups[item.reading.area, item.reading.type].append(item)
    best = sorted(groups.items(), key=lambda group: (-_value(group[1]), group[0]))[: pick.themes]
    ordered = sorted(best, key=lambda group: (_ORDER.index(group[0][1]), -_value(group[1]), group[0]))
    return tuple(_theme(area, kind, members, describe) for (area, kind), members in ordered)


def _value(members: Sequence[Scored]) -> float:
    following = [item.score for item in members[1:4]]
    mean = sum(following) / len(following) if following else 0.0
    first = _PINNED if any(item.is_pinned for item in members) else 0.0
    first += _BREAKING if members[0].reading.type == "breaking" else 0.0
    return first + members[0].score + 0.35 * mean + 0.3 * math.log2(len(members))


def _theme(area: str, kind: str, members: Sequence[Scored], describe: Callable[[Scored], Highlight]) -> Theme:
    return Theme(
        area=area,
        type=kind,
        count=len(members),
        exemplars=tuple(describe(item) for item in members[:_EXEMPLARS]),
        shas=tuple(item.reading.commit.sha for item in members),
    )
