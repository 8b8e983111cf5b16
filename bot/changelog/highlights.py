"""From a range of commits to its highlights: read, linked, dropped, scored, picked; each accounted for."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from bot.changelog.applies import explain
from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading, read
from bot.changelog.drops import drop_reason
from bot.changelog.links import Links, link
from bot.changelog.overrides import Override, retyped
from bot.changelog.rank import Scored, beside, pick_lines, scored
from bot.changelog.suspects import suspects_among
from bot.changelog.tables import tables
from bot.changelog.themes import themes
from bot.changelog.worth import worth
from bot.records import Commit, Highlight, Highlights, RevertLink

_TEXT = 300
#: What became of a commit that was no line and yet was not dropped.
_TOLD = frozenset({"shown", "not-applicable", "more", "minor"})


def highlights(
    commits: Sequence[Commit],
    facts: Circumstances,
    overrides: Mapping[int, Override] | None = None,
    metrics: Iterable[str] = (),
) -> Highlights:
    """The changelog of a range (oldest first) for one profile. Deterministic; never fails on any text.

    `overrides`, by pull request, may hide a commit or give it another type. `metrics` are those that
    suspects are looked for.
    """
    readings = retyped(read(commits), overrides or {})
    links = link(readings)
    reasons = _dropped(readings, links, facts)
    reasons |= dict.fromkeys(_hidden(readings, overrides or {}), "hidden")
    candidates = [scored(item, facts) for item in readings if item.index not in reasons]
    shown = pick_lines(candidates)
    shown += beside(shown, candidates)
    reasons |= _explained(candidates, shown)
    reasons |= {index: "follow-up" for index, first in links.leader.items() if reasons.get(first) in _TOLD}
    eligible = [item for item in candidates if item.is_worth_a_line and item.answer != "no"]
    return Highlights(
        items=tuple(_highlight(item, links, readings) for item in shown),
        accounted=dict(sorted(Counter(reasons.values()).items())),
        reasons={item.commit.sha: reasons[item.index] for item in readings},
        reverts=_revert_links(readings, links),
        themes=themes(eligible, lambda item: _highlight(item, links, readings)),
        worth=worth(eligible),
        suspects=suspects_among(readings, links, facts, metrics),
    )


def _dropped(readings: Sequence[Reading], links: Links, facts: Circumstances) -> dict[int, str]:
    reasons = {item.index: reason for item in readings if (reason := drop_reason(item, facts))}
    reasons |= dict.fromkeys(links.cancelled, "reverted")
    reasons |= {index: "follow-up" for index, first in links.leader.items() if first not in reasons}
    return reasons


def _hidden(readings: Sequence[Reading], overrides: Mapping[int, Override]) -> list[int]:
    hidden = {number for number, override in overrides.items() if override.hide}
    return [item.index for item in readings if item.parsed.pr in hidden]


def _explained(candidates: Sequence[Scored], shown: Sequence[Scored]) -> dict[int, str]:
    told = {item.reading.index for item in shown}
    reasons = {}
    for item in candidates:
        if item.reading.index in told:
            reasons[item.reading.index] = "not-applicable" if item.answer == "no" else "shown"
        else:
            reasons[item.reading.index] = "more" if item.score >= tables().pick.floor else "minor"
    return reasons


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
            "touches": item.touches,
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
