"""Nothing but the grammar ever starts a run; a second opinion (`command_oracle`) agrees on what that is."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bot.github.commands import SHA, TAG, Choices, parse
from bot.github.nearest import nearest, understand
from tests.support.command_oracle import first_line, is_bench
from tests.support.hostile_comments import ARGUMENTS, COMMANDS, FRAMES, LOOKALIKES, hostile

HOSTILE = dict(hostile())


def test_there_are_enough_hostile_comments() -> None:
    assert len({*HOSTILE.values()}) > 800


def test_no_hostile_comment_starts_anything() -> None:
    started = {name: parse(body).action for name, body in HOSTILE.items()}
    assert {name: action for name, action in started.items() if action not in ("ignore", "refuse")} == {}


@pytest.mark.parametrize("frame", FRAMES)
def test_what_a_frame_holds_is_ignored_without_an_answer(frame: str) -> None:
    assert parse(frame.replace("{}", "/bench b9602")).action == "ignore"


@pytest.mark.parametrize("word", LOOKALIKES)
def test_a_lookalike_is_ignored_without_an_answer(word: str) -> None:
    assert parse(f"{word} b9602").action == "ignore"


@pytest.mark.parametrize("argument", ARGUMENTS)
def test_a_wrong_argument_is_answered(argument: str) -> None:
    command = understand(f"/bench {argument}", Choices())
    assert command.action == "refuse" and command.reason
    suggested = str(command.reason.args["nearest"])
    assert not suggested or parse(suggested).action not in ("ignore", "refuse")
    assert re.fullmatch(r"[A-Za-z0-9._=-]{0,40}", str(command.reason.args["found"]))


#: Pieces of Markdown out of which comments with a command somewhere are put together.
PIECES = st.sampled_from(
    [
        *(
            "",
            "text",
            "> quote",
            ">",
            "```",
            "~~~",
            "````",
            "- item",
            "  - nested",
            "1. one",
            "    code",
            "***",
        ),
        *(
            "`",
            "``",
            "a `b",
            "c` d",
            "*",
            "**",
            "[",
            "](x)",
            "[a]: b",
            "# head",
            "---",
            "===",
            "|a|b|",
            "|-|-|",
        ),
        *("\\", "\t", "  ", "<!--", "-->", "<!-- x -->", "text <!--", "--> text", "<b>", "</b>", "![", '"'),
        *("/benchmark", "/bench x", "> /bench b1", "`/bench b1`", "    /bench b1", *COMMANDS, *COMMANDS),
    ]
)
BODIES = st.lists(PIECES, max_size=9).map("\n".join)
WORDS = st.sampled_from(
    [
        *("b9602", "b1", "self", "status", "..", "b1..b2", "profile=a", "preset=b", "machine=c", "profile="),
        *(
            "x=y",
            "0" * 40,
            "0" * 39,
            "b007",
            "B1",
            "cancel",
            "\u200b",
            "|",
            "b1;",
            "b" + "1" * 39,
            "b1111111",
        ),
    ]
)
LINES = st.lists(st.sampled_from([" ", "\t", "  "]).flatmap(lambda s: WORDS.map(lambda w: s + w)), max_size=5)


@settings(max_examples=400, deadline=None)
@given(BODIES)
@example("> a\n/bench b9602 b9556")
@example("`\n/bench\n`")
def test_the_renderer_of_github_agrees_on_what_is_the_authors_own_text(body: str) -> None:
    """Where a run starts, GitHub shows the line as plain text; raw HTML apart, the reverse holds too."""
    line, command = first_line(body), parse(body)
    if command.action != "ignore":
        assert line is not None and (command.action == "bench") == is_bench(line)
    elif "<" not in body:
        assert line is None


@settings(max_examples=400, deadline=None)
@given(LINES)
def test_one_expression_for_the_whole_line_agrees_with_the_grammar(words: list[str]) -> None:
    line = "/bench" + "".join(words)
    assert (parse(line).action == "bench") == is_bench(line)


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_text_around_the_word_starts_only_what_the_grammar_says(before: str, after: str) -> None:
    command = parse(f"{before}/bench{after}")
    if command.action == "bench":
        assert any(is_bench(line) for line in re.split("[\r\n]", f"{before}/bench{after}"))


@settings(max_examples=200, deadline=None)
@given(BODIES, st.text(max_size=60))
def test_all_that_leaves_the_grammar_is_plain(body: str, noise: str) -> None:
    for command in (parse(body), parse(f"/bench {noise}")):
        for ref in (command.head, command.base):
            assert ref is None or TAG.fullmatch(ref) or SHA.fullmatch(ref)
        for name in (command.profile, command.preset, command.machine, command.id):
            assert name is None or re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", name)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_a_suggestion_is_always_in_the_grammar(noise: str) -> None:
    suggested = nearest(f"/bench {noise}", Choices(tags=("b9556", "b9602"), profiles=("27b",)))
    assert suggested is None or parse(suggested).action not in ("ignore", "refuse")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/bench stauts", "/bench status"),
        ("/bench 9602", "/bench b9602"),
        ("/bench B9602", "/bench b9602"),
        ("/bench b９６０２", "/bench b9602"),
        ("/bench\u3000b9602\u3000b9556", "/bench b9602 b9556"),
        ("/bench\u200bb9602", "/bench b9602"),
        ("/bench `b9602`", "/bench b9602"),
        ("/bench b9602 vs b9556", "/bench b9602 b9556"),
        ("/bench b9556...b9602", "/bench b9602 b9556"),
        ("/bench b9556 .. b9602", "/bench b9602 b9556"),
        ("/bench profil=27b b9602", "/bench b9602 profile=27b"),
        ("/bench --preset=quick", "/bench preset=quick"),
        ("/bench b9603", "/bench b9602"),
        ("/bench profile=28b", "/bench profile=27b"),
        ("/bench cancle", "/bench cancel"),
        ("/bench $(reboot)", None),
        ("/bench https://example.com/", None),
    ],
)
def test_the_nearest_line_is_what_was_most_likely_meant(line: str, expected: str | None) -> None:
    known = Choices(tags=("b9556", "b9602"), profiles=("27b",), presets=("quick",))
    assert nearest(line, known) == expected
