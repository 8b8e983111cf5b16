"""`command --event FILE`: the facts on stdout, why nothing is done on stderr, and the exit code."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from bot import cli
from bot.delivery.commanding import decided
from bot.errors import BotError, Exit
from bot.github.commands import Choices
from bot.github.permissions import Gate, Policy
from tests.github.test_permissions import SHA, Known
from tests.support.comment_events import comment_event
from tests.support.hostile_comments import hostile
from tests.support.webhook_examples import examples

CONFIG = "profiles:\n  27b:\n    model: model.gguf\n"


@pytest.fixture
def asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command on a payload (or bytes): exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)
    for name in ("GITHUB_TOKEN", "GH_TOKEN", "LANG", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)

    def ask(payload: object, *options: str) -> tuple[int, str, str]:
        content = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        (tmp_path / "event.json").write_bytes(content)
        monkeypatch.setattr(sys, "argv", ["bot", "command", "--event", "event.json", *options])
        code = 0
        try:
            cli.main()
        except SystemExit as leaving:
            code = int(leaving.code or 0)
        said = capsys.readouterr()
        return code, said.out, said.err

    return ask


def test_a_command_is_printed_as_the_contract_says(asks: Any) -> None:
    code, out, err = asks(comment_event("/bench b9556..b9602 preset=quick"), "--offline")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
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


def test_a_refused_line_is_explained_on_stderr(asks: Any) -> None:
    code, out, err = asks(comment_event("/bench stauts"), "--offline")
    assert code == 0 and json.loads(out)["reason"] == "unknown-word"
    assert err == "stauts is neither a release tag nor a command.\nDid you mean /bench status?\n"
    assert asks(comment_event("/bench stauts"), "--offline", "--json")[2] == ""


@pytest.mark.parametrize("content", [b"{", b"[]", b"\xff", b"[" * 100_000, b""])
def test_a_damaged_event_is_one_line_and_exit_2(asks: Any, content: bytes) -> None:
    code, out, err = asks(content, "--offline")
    assert (code, out) == (Exit.USAGE, "")
    assert re.fullmatch(r"event\.json is not a GitHub event: JSON: .*\n", err)


def test_every_hostile_comment_gets_valid_facts(asks: Any) -> None:
    for name, body in list(hostile())[::7]:
        code, out, _ = asks(comment_event(body), "--offline", "--json")
        assert code == 0 and json.loads(out)["action"] in ("ignore", "refuse"), name


def test_every_example_of_github_gets_valid_facts_and_none_starts_anything(asks: Any) -> None:
    payloads = [payload for found in examples().values() for payload in found]
    assert len(payloads) > 150
    for payload in payloads:
        code, out, err = asks(payload, "--offline")
        assert (code, json.loads(out)["action"], err.count("\n")) == (0, "ignore", 1)


def test_what_is_ignored_needs_no_token_and_the_rest_does(asks: Any, tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text(CONFIG)
    code, out, err = asks(comment_event("> /bench"))
    assert (code, json.loads(out)["action"]) == (0, "ignore")
    assert err == "No line of the comment's own text starts with the command.\n"
    assert asks(comment_event("/bench"))[0] == Exit.USAGE


def event_file(tmp_path: Path, body: str, **changes: Any) -> Path:
    path = tmp_path / "event.json"
    path.write_text(json.dumps(comment_event(body, **changes)))
    return path


def test_a_stranger_is_refused_before_the_grammar_or_a_commit_is_looked_at(tmp_path: Path) -> None:
    for body in ("/bench b9602", "/bench nonsense", f"/bench {SHA}", "/bench help"):
        known = Known("read")
        command = decided(event_file(tmp_path, body), Choices(), lambda: Gate(Policy(), known, known))  # noqa: B023
        assert command.reason and (command.action, command.reason.code) == ("refuse", "not-permitted")
        assert command.facts()["head"] is None and known.asked == ["acme/bench ada"]


def test_a_writer_gets_what_the_line_says(tmp_path: Path) -> None:
    known = Known("write")

    def gate() -> Gate:
        return Gate(Policy(), known, known)

    assert decided(event_file(tmp_path, "/bench b9602"), Choices(), gate).head == "b9602"
    refused = decided(event_file(tmp_path, "/bench nonsense"), Choices(), gate)
    assert refused.reason and refused.reason.code == "unknown-word"
    late = decided(event_file(tmp_path, "/bench b9603"), Choices(tags=("b9602",)), gate)
    assert late.reason and late.reason.args == {"found": "b9603", "nearest": "/bench b9602"}


def test_an_event_without_a_place_cannot_be_judged(tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        decided(
            event_file(tmp_path, "/bench", repository=None), Choices(), lambda: Gate(Policy(), Known("admin"))
        )
    assert (caught.value.code, caught.value.exit_code) == ("event-incomplete", Exit.USAGE)
