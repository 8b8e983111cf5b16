"""Points for each commit, and the eight lines picked by them."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.changelog.applies import Answer, applies, holds, names_model
from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading, matches
from bot.changelog.drops import is_pinned
from bot.changelog.tables import Test, tables
from bot.changelog.touches import touches
from bot.records import Reason

_MODEL_UNDER_TEST = 3.0
_CPU_TAKES_PART = 1.6
_FLAGS_FIRST, _SECURITY_NEXT, _THEN_BREAKING = 300.0, 200.0, 100.0


@dataclass(frozen=True)
class Scored:
    """A commit that may become a line."""

    reading: Reading
    needs: tuple[str, ...]
    answer: Answer
    why: tuple[str, ...]
    score: float
    touches: tuple[Reason, ...] = ()

    @property
    def is_pinned(self) -> bool:
        """Shown whatever its score: it is about the profile's own flags, security, or an end of support."""
        return bool(self.touches) or self.reading.type == "security" or is_pinned(self.reading)

    @property
    def is_worth_a_line(self) -> bool:
        """Whether a commit is eligible at all."""
        return self.is_pinned or self.score >= tables().pick.floor


def scored(reading: Reading, facts: Circumstances) -> Scored:
    """One commit held against the profile."""
    needs = tuple(need for need in reading.needs if need != f"backend:{facts.backend}")
    own_flags = touches(reading, facts)
    answer, why = ("yes", ()) if own_flags else applies(reading.area, needs, facts)
    return Scored(reading, needs, answer, why, round(score(reading, facts), 3), own_flags)


def score(reading: Reading, facts: Circumstances) -> float:
    """Points of one commit: area, type, words, severity, size, the model under test, less what is unmet."""
    pick, points = tables().pick, tables().type_points
    total = _area_points(reading, facts) + points.get(reading.type, points["other"])
    total += sum(test.points for test in tables().bonuses if _counts(test, facts) and matches(test, reading))
    total += next((test.points for test in tables().severities if test.key == reading.severity), 0.0)
    size = sum(reading.code.values())
    total += min(pick.size_most, pick.size_per_decade * math.log10(max(1, size)))
    if _is_for_this_model(reading, facts):
        total += _MODEL_UNDER_TEST
    total -= pick.unmet * min(2, sum(holds(need, facts) is False for need in reading.needs))
    return total - (4.0 if reading.parsed.no_ci else 0.0)


def pick_lines(candidates: Sequence[Scored]) -> list[Scored]:
    """Greedy: the best next line, each further line of the same area or kind a little cheaper."""
    pick = tables().pick
    left = sorted(candidates, key=lambda item: (-item.score, -item.reading.index))
    shown: list[Scored] = []
    while left and len(shown) < pick.most:
        areas = Counter(item.reading.area for item in shown)
        kinds = Counter((item.reading.area, item.reading.type) for item in shown)
        best = max(left, key=lambda item: (_worth(item, areas, kinds), item.reading.index))
        if not best.is_worth_a_line:
            break
        shown.append(best)
        left.remove(best)
    return shown


def beside(shown: Sequence[Scored], candidates: Sequence[Scored]) -> list[Scored]:
    """Commits that join the one line of what does not apply: of the same area, kind and need as one in it."""
    pick = tables().pick
    told = {item.reading.index for item in shown}
    kinds = {_kin(item) for item in shown if item.answer == "no"}
    kin = (
        item
        for item in sorted(candidates, key=lambda item: (-item.score, -item.reading.index))
        if item.answer == "no" and item.reading.index not in told and item.score >= pick.beside_floor
    )
    return [item for item in kin if _kin(item) in kinds][: pick.beside]


def _kin(item: Scored) -> tuple[str, str, tuple[str, ...]]:
    return item.reading.area, item.reading.type, item.needs


def _counts(bonus: Test, facts: Circumstances) -> bool:
    return bonus.when != "partial-offload" or (facts.uses_cpu and facts.backend != "cpu")


def _area_points(reading: Reading, facts: Circumstances) -> float:
    """The area's weight, with two fifths of the way to the best other area that the commit touches."""
    own = _weight(reading.area, facts)
    best = max((_weight(key, facts) for key in reading.code), default=own)
    return own + 0.4 * max(0.0, best - own)


def _weight(area: str, facts: Circumstances) -> float:
    found = tables().areas[area]
    if found.kind == "backend" and area != facts.backend:
        return 0.0
    if area == "cpu":
        extra = _CPU_TAKES_PART if facts.uses_cpu else 0.0
        return 4.0 if facts.backend == "cpu" else found.weight + extra
    return found.weight


def _is_for_this_model(reading: Reading, facts: Circumstances) -> bool:
    named = any(need.startswith("model:") and holds(need, facts) for need in reading.needs)
    return named or names_model(reading.parsed.full, facts)


def _worth(item: Scored, areas: Mapping[str, int], kinds: Mapping[tuple[str, str], int]) -> float:
    pick, reading = tables().pick, item.reading
    repeated = pick.same_area * areas.get(reading.area, 0)
    return _rank(item, kinds) + item.score - repeated - pick.same_kind * kinds.get(_kind(item), 0)


def _rank(item: Scored, kinds: Mapping[tuple[str, str], int]) -> float:
    """The profile's own flags before security, security before (a few) breaking changes, then the rest."""
    if item.touches:
        return _FLAGS_FIRST
    if item.reading.type == "security":
        return _SECURITY_NEXT
    broken = sum(count for (_, kind), count in kinds.items() if kind == "breaking")
    is_breaking = item.reading.type == "breaking" and item.is_worth_a_line
    return _THEN_BREAKING if is_breaking and broken < tables().pick.breaking else 0.0


def _kind(item: Scored) -> tuple[str, str]:
    return item.reading.area, item.reading.type
