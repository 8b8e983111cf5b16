"""A ratchet against a careful reader's picks on nine real ranges. Thresholds only go up."""

from dataclasses import dataclass

import pytest

from bot.changelog import highlights
from bot.records import Highlight
from tests.support.commits import OLD_PERSONA, PERSONA, gold, real_range

#: Precision and recall that each range must reach.
RATCHET = {
    "b9354-b9356": (1.0, 1.0),
    "b9455-b9495": (1.0, 1.0),
    "b9556-b9602": (0.87, 0.87),
    "b9861-b9862": (1.0, 1.0),
    "b10104-b10152": (0.87, 0.87),
    "b10522-b10534": (0.8, 1.0),
    "b3639-b3790": (0.75, 0.75),
    "b4150-b4191": (1.0, 0.87),
    "b4599-b4623": (0.87, 0.87),
}


@dataclass(frozen=True)
class Score:
    """One range held against its judge."""

    precision: float
    recall: float
    lenient: float
    embarrassing: tuple[str, ...]
    types_right: int
    types: int


def judged(name: str) -> Score:
    judge = gold(name)
    facts = OLD_PERSONA if name.startswith(("b3", "b4")) else PERSONA
    lines = highlights(real_range(name), facts).items
    picks = {row["sha"]: row for row in judge["items"]}
    fine = {row["sha"] for key in ("also_ok", "traps") for row in judge.get(key, ())} | set(picks)
    never = {row["sha"] for row in judge.get("must_not", ())}
    hits = [line for line in lines if line.sha[:12] in picks]
    return Score(
        precision=len(hits) / len(lines) if lines else 1.0,
        recall=len(hits) / len(picks) if picks else 1.0,
        lenient=sum(line.sha[:12] in fine for line in lines) / len(lines) if lines else 1.0,
        embarrassing=tuple(line.text for line in lines if line.sha[:12] in never),
        types_right=sum(_is_right(line, picks[line.sha[:12]]) for line in hits),
        types=len(hits),
    )


def _is_right(line: Highlight, row: dict[str, object]) -> bool:
    accepted = row.get("category_ok", [row["category"]])
    assert isinstance(accepted, list)
    return line.type in accepted


@pytest.mark.parametrize("name", RATCHET)
def test_a_range_is_picked_as_a_reader_would(name: str) -> None:
    score = judged(name)
    assert score.precision >= RATCHET[name][0]
    assert score.recall >= RATCHET[name][1]
    assert score.lenient >= 0.97
    assert score.embarrassing == ()


def test_types_are_the_judges_types() -> None:
    scores = [judged(name) for name in RATCHET]
    assert sum(score.types_right for score in scores) >= 0.97 * sum(score.types for score in scores)


def test_the_example_reports_lines_are_there_with_what_applies() -> None:
    lines = {line.pr: line for line in highlights(real_range("b9556-b9602"), PERSONA).items}
    assert {24360, 24190, 24411, 24086, 24269, 23935} <= set(lines)
    assert lines[24411].applies == lines[23935].applies == "yes"
    assert {lines[pr].applies for pr in (24360, 24190, 24086, 24269)} == {"no"}
    assert [reason.code for reason in lines[24086].why] == ["need-spec-mtp"]


def test_traps_are_never_among_the_first_three() -> None:
    for name in RATCHET:
        traps = {row["sha"] for row in gold(name).get("traps", ())}
        facts = OLD_PERSONA if name.startswith(("b3", "b4")) else PERSONA
        first = highlights(real_range(name), facts).items[:3]
        assert not traps & {line.sha[:12] for line in first}
