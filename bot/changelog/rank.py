"""From a range of commits to at most eight lines: dropped, scored, linked, picked; each accounted for."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.changelog.applies import Answer, applies, explain, holds, names_model
from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading, largest, matches, read
from bot.changelog.links import Links, link
from bot.changelog.tables import Test, tables
from bot.records import Commit, Highlight, Highlights, RevertLink

_PLATFORM = "platform"
_MODEL_UNDER_TEST = 3.0
_CPU_TAKES_PART = 1.6
_BACKEND_SHARE = 0.7
_SPARED_SHARE = 0.1
_TEXT = 300


@dataclass(frozen=True)
class Scored:
    """A commit that may become a line."""

    reading: Reading
    needs: tuple[str, ...]
    answer: Answer
    why: tuple[str, ...]
    score: float


def highlights(commits: Sequence[Commit], facts: Circumstances) -> Highlights:
    """The changelog of a range (oldest first) for one profile. Deterministic; never fails on any text."""
    readings = read(commits)
    links = link(readings)
    reasons = _dropped(readings, links, facts)
    scored = [_scored(item, facts) for item in readings if item.index not in reasons]
    shown = _pick(scored)
    reasons |= _explained(scored, shown)
    reasons |= {index: "follow-up" for index, first in links.leader.items() if _is_told(first, reasons)}
    return Highlights(
        items=tuple(_highlight(item, links, readings) for item in shown),
        accounted=dict(sorted(Counter(reasons.values()).items())),
        reasons={item.commit.sha: reasons[item.index] for item in readings},
        reverts=_revert_links(readings, links),
    )


def drop_reason(reading: Reading, facts: Circumstances) -> str | None:
    """Why a commit is no line whatever its score; None where it may become one. Security never drops."""
    if reading.type == "security":
        return None
    noise = _noise(reading)
    if noise:
        return noise
    if _is_other_backend(reading, facts):
        return "backend"
    for test in tables().drops:
        if matches(test, reading):
            return test.key
    for test in tables().platforms:
        if test.key not in facts.platforms and matches(test, reading):
            return _PLATFORM
    return None


def _noise(reading: Reading) -> str | None:
    areas = tables().areas
    if reading.parsed.is_sync:
        return "vendor"
    if not reading.sizes:
        return reading.area if areas[reading.area].kind == "noise" else None
    if areas[reading.area].kind == "noise":
        return reading.area
    return None if reading.code else largest(reading.sizes)


def _is_other_backend(reading: Reading, facts: Circumstances) -> bool:
    """By area, or by most lines; spared where a real part lies in this backend or in `src/`."""
    areas = tables().areas
    own = {facts.backend}
    foreign = areas[reading.area].kind == "backend" and reading.area not in own
    if not reading.code:
        return foreign
    total = sum(reading.code.values())
    other = sum(size for key, size in reading.code.items() if areas[key].kind == "backend" and key not in own)
    here = sum(size for key, size in reading.code.items() if key in own or _is_core(key))
    if foreign:
        return here < _SPARED_SHARE * total or reading.area in {"hip", "musa"}
    return other > _BACKEND_SHARE * total and here < 1


def _is_core(key: str) -> bool:
    return key in {"core", "kv", "sampling", "vocab", "model"}


def _dropped(readings: Sequence[Reading], links: Links, facts: Circumstances) -> dict[int, str]:
    reasons = {item.index: reason for item in readings if (reason := drop_reason(item, facts))}
    reasons |= dict.fromkeys(links.cancelled, "reverted")
    reasons |= {index: "follow-up" for index, first in links.leader.items() if first not in reasons}
    return reasons


def _scored(reading: Reading, facts: Circumstances) -> Scored:
    needs = tuple(need for need in reading.needs if need != f"backend:{facts.backend}")
    answer, why = applies(reading.area, needs, facts)
    return Scored(reading, needs, answer, why, round(score(reading, facts), 3))


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


def _pick(scored: Sequence[Scored]) -> list[Scored]:
    """Greedy: the best next line, each further line of the same area or kind a little cheaper."""
    pick = tables().pick
    left = sorted(scored, key=lambda item: (-item.score, -item.reading.index))
    shown: list[Scored] = []
    while left and len(shown) < pick.most:
        areas = Counter(item.reading.area for item in shown)
        kinds = Counter((item.reading.area, item.reading.type) for item in shown)
        best = max(left, key=lambda item: (_worth(item, areas, kinds), item.reading.index))
        if best.score < pick.floor and best.reading.type != "security":
            break
        shown.append(best)
        left.remove(best)
    return shown


def _worth(item: Scored, areas: Mapping[str, int], kinds: Mapping[tuple[str, str], int]) -> float:
    pick, reading = tables().pick, item.reading
    pinned = 100.0 if reading.type == "security" else 0.0
    repeated = pick.same_area * areas.get(reading.area, 0)
    return pinned + item.score - repeated - pick.same_kind * kinds.get((reading.area, reading.type), 0)


def _explained(scored: Sequence[Scored], shown: Sequence[Scored]) -> dict[int, str]:
    told = {item.reading.index for item in shown}
    reasons = {}
    for item in scored:
        if item.reading.index in told:
            reasons[item.reading.index] = "not-applicable" if item.answer == "no" else "shown"
        else:
            reasons[item.reading.index] = "more" if item.score >= tables().pick.floor else "minor"
    return reasons


def _is_told(index: int, reasons: Mapping[int, str]) -> bool:
    return reasons.get(index) in {"shown", "not-applicable", "more", "minor"}


def _highlight(item: Scored, links: Links, readings: Sequence[Reading]) -> Highlight:
    reading = item.reading
    followers = [index for index, first in links.leader.items() if first == reading.index]
    return Highlight.model_validate(
        {
            "sha": reading.commit.sha,
            "pr": reading.parsed.pr,
            "area": reading.area,
            "type": reading.type,
            "severity": reading.severity,
            "needs": item.needs,
            "applies": item.answer,
            "why": tuple(explain(need) for need in item.why),
            "text": reading.parsed.text[:_TEXT],
            "score": item.score,
            "followups": tuple(readings[index].commit.sha for index in sorted(followers)),
        }
    )


def _revert_links(readings: Sequence[Reading], links: Links) -> tuple[RevertLink, ...]:
    pairs = {later: earlier for earlier, later in links.pairs}
    found = []
    for index in sorted([*pairs, *links.older]):
        reading, revert = readings[index], readings[index].parsed.revert
        assert revert is not None
        target = readings[pairs[index]].commit.sha if index in pairs else revert.sha
        found.append(
            RevertLink(
                sha=reading.commit.sha, target_sha=target, target_pr=revert.pr, in_range=index in pairs
            )
        )
    return tuple(found)
