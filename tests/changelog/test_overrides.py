"""A maintainer's corrections."""

import tomllib

import pytest

from bot.changelog import highlights, read_overrides, worded
from tests.support.commits import PERSONA, commit
from tests.support.lexicons import CHINESE

SERVER = "tools/server/server-context.cpp"
FILE = """
[24411]
type = "perf"
text.zh-Hans = "恢复上下文检查点时，跳过 `pos_next` 之后的检查点"
text.en = "Context checkpoints beyond `pos_next` are skipped"

[24412]
hide = true
"""


def test_text_type_and_hiding_reach_the_highlights() -> None:
    corrections = read_overrides(tomllib.loads(FILE))
    commits = [
        commit("server : skip checkpoints beyond pos_next (#24411)", SERVER),
        commit("server : fix crash of slots (#24412)", SERVER),
        commit("server : fix crash of the cache (#24413)", SERVER),
    ]
    found = worded(highlights(commits, PERSONA, corrections), {"zh-Hans": CHINESE}, corrections)
    lines = {item.pr: item for item in found.items}
    assert set(lines) == {24411, 24413}
    assert lines[24411].type == "perf"
    assert lines[24411].texts == {
        "en": "Context checkpoints beyond `pos_next` are skipped",
        "zh-Hans": "恢复上下文检查点时，跳过 `pos_next` 之后的检查点",
    }
    assert lines[24413].texts["zh-Hans"] == "修复缓存的崩溃"
    assert found.accounted["hidden"] == 1


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[x]\nhide = true", "x"),
        ("24411 = 3", "24411"),
        ("[24411]\ntyp = 'perf'", "24411.typ"),
        ("[24411]\ntype = 'fast'", "24411.type"),
        ("[24411]\ntype = ['perf']", "24411.type"),
        ("[24411]\nhide = 'yes'", "24411.hide"),
        ("[24411]\ntext = 'x'", "24411.text"),
        ("[24411]\ntext.en = ' '", "24411.text.en"),
        ("[24411]\ntext.en = 3", "24411.text.en"),
    ],
)
def test_a_mistake_is_named_by_its_place(text: str, where: str) -> None:
    with pytest.raises(ValueError, match=f"^{where}$"):
        read_overrides(tomllib.loads(text))
