"""Every report and comment as GitHub's own renderer shows it: whole, quiet, without a trace elsewhere."""

import re
from pathlib import Path

import pytest

from bot.github.commands import parse
from bot.report.markdown import BUDGET
from tests.github.comments import ASKER, GOLDEN, IMAGES, Comment, comments, files
from tests.report.regenerate import GOLDEN as REPORTS
from tests.support.rendering import html, problems

COMMENTS = comments()
MARKDOWN = [item for item in COMMENTS if not item.plain]


def test_every_comment_is_the_one_that_was_read() -> None:
    wanted = files()
    assert {path.name for path in GOLDEN.iterdir()} == set(wanted)
    for name, text in wanted.items():
        assert (GOLDEN / name).read_text(encoding="utf-8") == text, name


@pytest.mark.parametrize(
    "path", sorted(REPORTS.rglob("*.md")), ids=lambda path: f"{path.parent.name}/{path.name}"
)
def test_a_report_renders_as_it_is_meant(path: Path) -> None:
    assert problems(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("comment", MARKDOWN, ids=lambda item: item.name)
def test_a_comment_renders_as_it_is_meant(comment: Comment) -> None:
    assert problems(comment.text, asker=ASKER, images=IMAGES) == []


@pytest.mark.parametrize("comment", COMMENTS, ids=lambda item: item.name)
def test_a_comment_speaks_both_languages_and_is_no_command(comment: Comment) -> None:
    prose = re.sub(r"(?s)```.*?```|`[^`\n]*`|https?://\S+", "", comment.text)
    assert re.search(r"[\u4e00-\u9fff]", prose) and re.search(r"[A-Za-z]{3}", prose)
    assert len(comment.text) <= BUDGET
    if not comment.plain:
        assert parse(comment.text).action == "ignore"


def test_what_is_no_markdown_holds_none() -> None:
    for comment in COMMENTS:
        if comment.plain:
            assert not re.search(r"[*`<>\\]|&#", comment.text), comment.name


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("结果**“显著”**变好", "raw bold"),
        ("| a | b |\n|:--|\n| 1 | 2 |", "tables"),
        ("| a | b |\n|:--|:--|\n| 1 | 2 | 3 |", "table with rows"),
        ("text\n| a | b |\n\n|:--|:--|", "raw table"),
        ("<details><summary>x</summary>\n\ny", "<details> is left open"),
        ("<details><summary>x</summary>\ny\n</details>\n### z", "raw heading"),
        ("<details>\n\ny\n\n</details>", "folds"),
        ("see [x](https://github.com/a/b/pull/1)", "backlink"),
        ("see https://github.com/a/b/issues/1", "backlink"),
        ("thanks @grace", "mention"),
        ("fixes #12", "reference"),
        ("fixes a/b#12", "reference"),
        ("100~ tok/s, ~90~", "element del"),
        ("![x](https://example.org/x.png)", "picture"),
        ("a <div>b</div>", "element div"),
    ],
)
def test_the_oracle_sees(text: str, problem: str) -> None:
    assert any(found.startswith(problem) for found in problems(text, asker=ASKER)), problems(text)


def test_the_oracle_lets_pass_what_is_meant() -> None:
    assert problems(f"@{ASKER} `@all #1 **` [x](https://redirect.github.com/a/b/pull/1)", asker=ASKER) == []
    assert "<br" in html("one\ntwo")
