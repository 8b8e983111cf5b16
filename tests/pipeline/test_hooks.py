"""The user's own server makes way and comes back, whatever happens in between."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import BotError
from bot.hooks import around, restore_abandoned


def note(path: Path, word: str) -> list[str]:
    """A command that appends a word to a file."""
    return ["sh", "-c", f"echo {word} >> '{path}'"]


def words(path: Path) -> list[str]:
    return path.read_text().split() if path.exists() else []


def test_before_runs_before_and_after_runs_after(tmp_path: Path) -> None:
    told = tmp_path / "told"
    with around([note(told, "stop")], [note(told, "start")], tmp_path / "hooks"):
        assert words(told) == ["stop"]
    assert words(told) == ["stop", "start"]
    assert not list((tmp_path / "hooks").glob("*.json"))


def test_after_runs_when_the_measurement_fails(tmp_path: Path) -> None:
    told = tmp_path / "told"
    with pytest.raises(RuntimeError), around([], [note(told, "start")], tmp_path / "hooks"):
        raise RuntimeError("measurement failed")
    assert words(told) == ["start"]


def test_a_before_that_fails_is_named_and_undone(tmp_path: Path) -> None:
    told = tmp_path / "told"
    failing = [note(told, "stop"), ["sh", "-c", "exit 7"]]
    with pytest.raises(BotError) as caught, around(failing, [note(told, "start")], tmp_path / "hooks"):
        pytest.fail("must not measure")
    assert caught.value.code == "hook-failed"
    assert caught.value.values == {"hook": "before", "command": "sh -c exit 7", "status": "7"}
    assert words(told) == ["stop", "start"]


def test_the_intent_is_on_disk_before_anything_is_stopped(tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    seen = tmp_path / "seen"
    with around([["sh", "-c", f"ls '{hooks}' > '{seen}'"]], [["true"]], hooks):
        pass
    assert seen.read_text().strip().endswith(".json")


def test_a_killed_run_is_restored_by_whoever_starts_next(tmp_path: Path) -> None:
    told, hooks = tmp_path / "told", tmp_path / "hooks"
    program = (
        "import os, signal, sys; from pathlib import Path; from bot.hooks import around\n"
        "with around([], [['sh', '-c', sys.argv[1]]], Path(sys.argv[2])):\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    command = note(told, "start")[-1]
    killed = subprocess.run([sys.executable, "-c", program, command, str(hooks)], check=False)
    assert killed.returncode == -9
    assert words(told) == []
    assert restore_abandoned(hooks) == 1
    assert words(told) == ["start"]
    assert restore_abandoned(hooks) == 0


def test_a_run_that_lives_is_left_alone(tmp_path: Path) -> None:
    told, hooks = tmp_path / "told", tmp_path / "hooks"
    with around([], [note(told, "start")], hooks):
        assert restore_abandoned(hooks) == 0
        assert words(told) == []


def test_a_recycled_process_id_is_not_taken_for_the_owner(tmp_path: Path) -> None:
    told, hooks = tmp_path / "told", tmp_path / "hooks"
    hooks.mkdir()
    intent = {"owner": f"{os.getpid()}-1.00", "after": [note(told, "start")]}
    (hooks / "old.json").write_text(json.dumps(intent))
    assert restore_abandoned(hooks) == 1
    assert words(told) == ["start"]


def test_the_users_own_environment_reaches_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/run/user/1000/bus")
    told = tmp_path / "told"
    with around([["sh", "-c", f'echo "$DBUS_SESSION_BUS_ADDRESS" > "{told}"']], [], tmp_path / "hooks"):
        pass
    assert words(told) == ["unix:path=/run/user/1000/bus"]


def test_a_service_that_a_hook_starts_lives_on(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    with around([], [["sh", "-c", f"sleep 60 & echo $! > '{pid}'"]], tmp_path / "hooks"):
        pass
    server = int(pid.read_text())
    os.kill(server, 9)  # raises where it is gone


def test_a_damaged_intent_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "broken.json").write_text("{")
    assert restore_abandoned(tmp_path) == 0
