"""Where in a comment a command counts."""

import pytest

from bot.github.commands import parse
from bot.github.own_text import command_line


@pytest.mark.parametrize(
    "body",
    [
        "/bench b9602",
        "   /bench b9602",
        "Please:\n/bench b9602",
        "Please:\r\n\r\n/bench b9602\r\nThanks",
        "old Mac\r/bench b9602\rend",
        "> They said\n> /bench b1\n\n/bench b9602",
        "> They said\n\n/bench b9602",
        "```\n/bench b1\n```\n/bench b9602",
        "`/bench b1` is the form:\n/bench b9602",
        "<!-- /bench b1 -->\n/bench b9602",
        "<!--\n/bench b1\n-->\n/bench b9602",
        "<!-- > -->\n\n/bench b9602",
        "/benchmark\n/bench b9602",
        "    /bench b1\n\n/bench b9602",
        "- one\n- two\n\n/bench b9602",
        "- one\n- two\n/bench b9602",
        "# Title\n/bench b9602",
        "/bench b9602\n---\nsent from my phone",
        "/bench b9602\n===",
        "a | b\n--|--\n1 | 2\n\n/bench b9602",
        "<details><summary>log</summary>\n\n```\nlog\n```\n\n</details>\n\n/bench b9602",
        "<details>\n\n/bench b9602\n\n</details>",
        "<blockquote>\n\n/bench b1\n\n</blockquote>\n\n/bench b9602",
        "<pre>\n/bench b1\n</pre>\n/bench b9602",
        "a < b, c > d\n/bench b9602",
        "`unclosed\n/bench b9602",
        "*starred\n/bench b9602\nstarred*",
        "[link\n/bench b9602\n](x)",
        "/bench b9602\n> quote\n```\ncode",
        "/bench b9602\n/bench b1",
        "/bench b9602\n`",
        "qqqqqq /qqqqqqq0x\n/bench b9602",
    ],
)
def test_the_first_line_of_the_authors_own_text_counts(body: str) -> None:
    command = parse(body)
    assert (command.action, command.head, command.base) == ("bench", "b9602", None)


def test_a_first_line_that_is_wrong_is_not_made_good_by_a_second() -> None:
    assert parse("/bench b9602 now\n/bench b9602").action == "refuse"


@pytest.mark.parametrize("space", ["\u00a0", "\u3000", "\u200b", "\x0c", "\0"])
def test_a_foreign_space_after_the_word_is_answered_but_starts_nothing(space: str) -> None:
    reason = parse(f"/bench{space}b9602").reason
    assert reason and reason.code == "odd-characters"


def test_the_line_is_given_as_it_was_written() -> None:
    assert command_line("x\n  /bench\t**b9602** <!-- y -->  \nz") == "  /bench\t**b9602** <!-- y -->  "
    assert command_line("/bench x /bench y") == "/bench x /bench y"
    assert command_line("nothing") is None
