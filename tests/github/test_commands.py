"""The grammar of `/bench`, sentence by sentence."""

import pytest

from bot.github.commands import Choices, Command, parse

SHA = "0123456789abcdef0123456789abcdef01234567"
#: All digits after a `b`: a commit id, and by length no tag.
TAG_LIKE_SHA = "b" + "1" * 39


def bench(**values: object) -> Command:
    return Command(action="bench", **values)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/bench", bench()),
        ("/bench b9602", bench(head="b9602")),
        ("/bench b9602 b9556", bench(head="b9602", base="b9556")),
        ("/bench b9556..b9602", bench(head="b9602", base="b9556")),
        ("/bench b10000 b9999", bench(head="b10000", base="b9999")),
        (f"/bench {SHA}", bench(head=SHA)),
        (f"/bench b9602 {SHA}", bench(head="b9602", base=SHA)),
        (f"/bench {SHA}..b9602", bench(head="b9602", base=SHA)),
        (f"/bench {TAG_LIKE_SHA}", bench(head=TAG_LIKE_SHA)),
        ("/bench self", bench(is_self=True)),
        ("/bench self machine=gpu-1", bench(is_self=True, machine="gpu-1")),
        ("/bench profile=27b", bench(profile="27b")),
        (
            "/bench machine=a b9602 preset=quick b9556 profile=27b",
            bench(head="b9602", base="b9556", profile="27b", preset="quick", machine="a"),
        ),
        ("/bench b9556..b9602 preset=quick", bench(head="b9602", base="b9556", preset="quick")),
        ("/bench profile=x_1.2-3", bench(profile="x_1.2-3")),
        ("   /bench\tb9602 \t b9556\t ", bench(head="b9602", base="b9556")),
        ("/bench status", Command(action="status")),
        ("/bench help", Command(action="help")),
        ("/bench cancel", Command(action="cancel")),
        ("/bench retry", Command(action="retry")),
        ("/bench cancel b9556-b9602-1a2b3c4d-2", Command(action="cancel", id="b9556-b9602-1a2b3c4d-2")),
        ("/bench retry 17234567890", Command(action="retry", id="17234567890")),
    ],
)
def test_a_line_of_the_grammar_says_what_it_says(line: str, expected: Command) -> None:
    assert parse(line) == expected


@pytest.mark.parametrize(
    ("line", "code", "found"),
    [
        ("/bench stauts", "unknown-word", "stauts"),
        ("/bench b9602 status", "unknown-word", "status"),
        ("/bench b1 b2 b3", "too-many-words", "b3"),
        ("/bench self b9602", "too-many-words", "b9602"),
        ("/bench cancel a b", "too-many-words", "b"),
        ("/bench status b9602", "too-many-words", "b9602"),
        ("/bench help profile=27b", "needless-option", "profile"),
        ("/bench cancel -rf", "bad-id", ""),
        ("/bench b9556...b9602", "bad-range", "b9556...b9602"),
        ("/bench b9556..", "bad-range", "b9556.."),
        ("/bench 0123456", "not-a-full-id", "0123456"),
        (f"/bench {SHA.upper()}", "not-a-full-id", SHA.upper()),
        ("/bench flags=x", "unknown-option", "flags"),
        ("/bench profile=a profile=b", "repeated-option", "profile"),
        ("/bench profile=", "bad-value", "profile"),
        ("/bench profile=a/b", "bad-value", "profile"),
        ("/bench b９６０２", "odd-characters", ""),
        ("/bench " + "b9602 " * 100, "too-long", ""),
        ("/bench $(id)", "unknown-word", ""),
        ("/bench @everyone", "unknown-word", ""),
    ],
)
def test_anything_else_is_refused_with_its_reason(line: str, code: str, found: str) -> None:
    command = parse(line)
    assert command.action == "refuse" and command.reason
    assert (command.reason.code, command.reason.args["found"]) == (code, found)


def test_names_are_checked_where_they_are_known() -> None:
    known = Choices(profiles=("27b",), presets=("quick",), machines=("gpu",), tags=("b9556", "b9602"))
    assert parse("/bench b9602 profile=27b preset=quick machine=gpu", known).action == "bench"
    for line, code in [
        ("/bench profile=28b", "unknown-profile"),
        ("/bench preset=quik", "unknown-preset"),
        ("/bench machine=cpu", "unknown-machine"),
        ("/bench b9603", "unknown-tag"),
        ("/bench b9603..b9602", "unknown-tag"),
    ]:
        reason = parse(line, known).reason
        assert reason and reason.code == code
    assert parse(f"/bench {SHA}", known).head == SHA


def test_the_facts_are_the_contracts_keys_with_null_for_what_is_absent() -> None:
    assert parse("/bench b9556..b9602 preset=quick").facts() == {
        "action": "bench",
        "head": "b9602",
        "base": "b9556",
        "self": None,
        "profile": None,
        "preset": "quick",
        "machine": None,
        "id": None,
        "reason": None,
    }
    assert parse("/bench self").facts()["self"] is True
    assert parse("hello").facts()["reason"] == "no-command"


@pytest.mark.parametrize(
    "line",
    [
        "/bench",
        "/bench self preset=quick",
        "/bench b9602 b9556 profile=27b machine=x",
        "/bench status",
        "/bench cancel a-1",
        "/bench retry",
        "/bench help",
    ],
)
def test_a_command_can_be_written_as_a_line_again(line: str) -> None:
    assert parse(line).line() == line
