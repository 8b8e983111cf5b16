"""Every key that a record may carry has a label in both languages; the rules are sound."""

import re
from pathlib import Path

import pytest

from bot.changelog.applies import explain, holds
from bot.changelog.tables import tables
from tests.support.commits import PERSONA

LOCALES = Path(__file__).parents[2] / "templates" / "locales"
REASONS = (
    "shown",
    "not-applicable",
    "follow-up",
    "more",
    "minor",
    "reverted",
    "backend",
    "platform",
)


def wanted() -> set[str]:
    rules = tables()
    ids = {f"area-{key}" for key in rules.areas} | {f"type-{key}" for key in rules.type_points}
    ids |= {f"applies-{key}" for key in ("yes", "no", "unknown")}
    ids |= {explain(test.key).code for test in rules.needs} | {explain("backend:rpc").code}
    ids |= {f"accounted-{key}" for key in REASONS} | {f"accounted-{test.key}" for test in rules.drops}
    ids |= {f"accounted-{key}" for key, area in rules.areas.items() if area.kind == "noise"}
    words = {word.key for metric in rules.metrics.values() for word in metric.words if word.points > 0}
    return ids | {f"suspect-{key}" for key in words}


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_key_has_a_label(language: str) -> None:
    text = (LOCALES / f"{language}.ftl").read_text(encoding="utf-8")
    have = set(re.findall(r"^([a-z][\w-]*) =", text, re.MULTILINE))
    assert wanted() - have == set()


def test_every_need_of_the_table_can_be_answered_or_is_about_the_request() -> None:
    open_ = {test.key for test in tables().needs if holds(test.key, PERSONA) is None}
    about_gpu = {key for key in open_ if key.startswith("gpu:")}
    about_request = {key for key in open_ if key.startswith("request:")}
    assert open_ - about_gpu - about_request == {"np>1", "multi-gpu"}


def test_rules_name_only_areas_and_types_that_exist() -> None:
    rules = tables()
    for test in (*rules.types, *rules.bonuses, *rules.needs, *rules.severities, *rules.drops):
        assert test.areas <= set(rules.areas), test.key
        assert test.types <= set(rules.type_points), test.key
    assert {test.key for test in rules.types} <= set(rules.type_points)
    assert {test.key for test in rules.topics} <= set(rules.areas)
    assert rules.certain <= set(rules.areas)
    for metric in rules.metrics.values():
        assert set(metric.areas) <= set(rules.areas)
