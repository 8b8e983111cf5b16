"""From GitHub's payloads to who said what where."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.delivery.commanding import asked_for, offline, read_event
from bot.errors import BotError, Exit
from bot.github.commands import Choices
from bot.github.events import Asked, Place, read
from bot.github.marker import Marker
from bot.records import Reason
from tests.support.comment_events import comment_event
from tests.support.webhook_examples import examples

KEYS = ["action", "head", "base", "self", "profile", "preset", "machine", "id", "reason"]


@pytest.mark.parametrize("kind", ["issue", "pull", "discussion"])
def test_a_new_comment_says_who_asked_what_where_and_when(kind: str) -> None:
    node = "D_kwDO12" if kind == "discussion" else "I_kwDO12"
    assert read(comment_event(kind=kind)) == Asked(
        author="ada",
        body="/bench b9602",
        created_at=datetime(2026, 11, 30, 10, tzinfo=UTC),
        place=Place(
            kind=kind,
            owner="acme",
            repo="bench",
            number=12,
            comment_id=34,
            thread_node=node,
            comment_node="IC_kwDO34",
        ),
    )


def test_a_reply_in_a_discussion_names_the_comment_it_answers() -> None:
    asked = read(comment_event(kind="discussion", comment__parent_id=33))
    assert isinstance(asked, Asked) and asked.place and asked.place.parent_id == 33


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"action": "edited"}, "not-created"),
        ({"action": "deleted"}, "not-created"),
        ({"action": None}, "not-created"),
        ({"action": ["created"]}, "not-created"),
        ({"user__type": "Bot"}, "bot"),
        ({"user__type": "Organization"}, "bot"),
        ({"user__type": None}, "bot"),
        ({"user__login": "renovate[bot]", "sender__login": "renovate[bot]"}, "bot"),
        ({"sender__type": "Bot"}, "bot"),
        ({"comment__performed_via_github_app": {"slug": "x"}}, "bot"),
        ({"user__login": "Bench-Owner", "sender__login": "Bench-Owner"}, "own-comment"),
        ({"comment__body": Marker("x").put("/bench b9602")}, "own-comment"),
        ({"comment__body": f"\n  {Marker('x').line}\n\n/bench b9602"}, "own-comment"),
        ({"sender__login": "mallory"}, "another-sender"),
        ({"comment__user": None}, "another-sender"),
        ({"comment__user": None, "sender": None}, "no-author"),
        ({"user__login": "a/../b", "sender__login": "a/../b"}, "no-author"),
        ({"user__login": 7, "sender": None}, "no-author"),
        ({"issue": None}, "not-a-comment"),
        ({"issue": []}, "not-a-comment"),
        ({"comment": None}, "not-a-comment"),
        ({"comment": "/bench"}, "not-a-comment"),
    ],
)
def test_what_is_no_new_comment_of_a_person_is_ignored(changes: dict[str, Any], code: str) -> None:
    assert read(comment_event(**changes), ("bench-owner",)) == Reason(code=code)


@pytest.mark.parametrize("body", [None, 5, ["/bench"], {"a": "/bench"}, "", "no command"])
def test_a_body_without_a_command_is_ignored(body: object) -> None:
    command, _ = asked_for(comment_event(body), Choices())
    assert command.action == "ignore" and command.reason == Reason(code="no-command")


@pytest.mark.parametrize(
    "changes",
    [
        {"repository": None},
        {"repository__name": "a b"},
        {"repository__owner": "acme"},
        {"issue__number": "12"},
        {"issue__number": True},
        {"issue__number": -1},
        {"comment__id": 2**70},
    ],
)
def test_without_a_place_the_grammar_still_answers(changes: dict[str, Any]) -> None:
    asked = read(comment_event(**changes))
    assert isinstance(asked, Asked) and asked.place is None
    assert asked_for(comment_event(**changes), Choices())[0].head == "b9602"


@pytest.mark.parametrize("time", [None, 5, "yesterday", "2026-11-30T10:00:00", "9" * 50])
def test_a_time_that_is_none_is_not_known(time: object) -> None:
    asked = read(comment_event(comment__created_at=time))
    assert isinstance(asked, Asked) and asked.created_at is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
PATHS = [("action",), ("comment",), ("issue",), ("repository",), ("sender",), ("comment", "user")]
PATHS += [("comment", "body"), ("comment", "id"), ("comment", "user", "login"), ("comment", "user", "type")]
PATHS += [("issue", "number"), ("repository", "owner"), ("repository", "owner", "login")]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(PATHS), JSON)
def test_a_wrong_value_anywhere_is_never_a_crash(path: tuple[str, ...], value: object) -> None:
    payload = comment_event("hello")
    place = payload
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    assert asked_for(payload, Choices())[0].action in ("ignore", "refuse")


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(["action", "comment", "issue", "discussion", "sender", "x"]), JSON))
def test_any_object_is_an_event_that_is_ignored(payload: dict[str, Any]) -> None:
    assert asked_for(payload, Choices())[0].action == "ignore"


def write(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    "content",
    [
        *(b"", b"{", b"[]", b"null", b'"/bench"', b"7", b"\xff\xfe", b"{}{}", b'{"a": 1e999999'),
        *(b"[" * 200_000, b'{"a":' * 100_000, b"9" * 5000),
    ],
)
def test_what_is_no_event_is_one_clear_line(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(BotError) as caught:
        read_event(write(tmp_path / "event.json", content))
    assert (caught.value.code, caught.value.exit_code) == ("event-unreadable", Exit.USAGE)
    assert "\n" not in str(caught.value.values["why"])


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    for path in (tmp_path / "none.json", tmp_path, Path("a\0b")):
        with pytest.raises(BotError) as caught:
            read_event(path)
        assert (caught.value.code, caught.value.exit_code) == ("cannot-read", Exit.USAGE)


def test_a_file_larger_than_github_sends_is_not_read_to_its_end() -> None:
    with pytest.raises(BotError) as caught:
        read_event(Path("/dev/zero"))
    assert caught.value.code == "event-too-large"


def test_every_example_of_github_gets_an_answer_and_none_starts_anything(tmp_path: Path) -> None:
    reasons: dict[str, set[object]] = {}
    for name, payloads in examples().items():
        for payload in payloads:
            path = write(tmp_path / "event.json", json.dumps(payload).encode())
            facts = offline(path, Choices()).facts()
            assert list(facts) == KEYS and facts["action"] == "ignore", name
            reasons.setdefault(name, set()).add(facts["reason"])
    assert len(reasons) > 50
    assert reasons["issue_comment"] == {"no-command", "not-created"}
    assert reasons["discussion_comment"] == {"no-command", "not-created"}
    others = [found for name, found in reasons.items() if name not in ("issue_comment", "discussion_comment")]
    assert set().union(*others) == {"not-a-comment"}


def test_an_example_of_github_with_a_command_put_in_asks_for_a_run() -> None:
    asked = 0
    for name in ("issue_comment", "discussion_comment"):
        for payload in examples()[name]:
            changed = {**payload, "comment": {**payload["comment"], "body": "/bench b9602 b9556"}}
            command, found = asked_for(changed, Choices())
            expected = ("bench", "b9602") if payload["action"] == "created" else ("ignore", None)
            assert (command.action, command.head) == expected
            if found:
                asked += 1
                assert found.place and found.place.repo and found.author and found.created_at
                assert found.place.comment_node and found.place.thread_node
    assert asked == 7
