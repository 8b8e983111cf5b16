"""One GPU, one run."""

import json
import subprocess
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bot import locks
from bot.errors import BotError, Exit
from bot.locks import gpu_lock, holder

ROOT = Path(__file__).parents[2]

#: argv: name, run id, folder or "". Says what happens; holds the lock until its input ends.
HOLDER = """
import sys
from pathlib import Path
from bot.locks import gpu_lock
name, run, folder = sys.argv[1:]
def say(word): print(word, flush=True)
folder = Path(folder) if folder else None
with gpu_lock(name, wait=True, on_wait=lambda: say("waiting"), run=run, folder=folder):
    say("held")
    sys.stdin.read()
"""


@contextmanager
def another(name: str, run: str, folder: Path | str, **env: str) -> Iterator[subprocess.Popen[str]]:
    """Another process of ours that wants the lock."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, name, run, str(folder)],
        cwd=ROOT,
        env=env or None,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def test_the_second_run_is_refused_and_told_who_holds_it(tmp_path: Path) -> None:
    with another("GPU-1", "run-7", tmp_path) as first:
        assert said(first) == "held"
        with pytest.raises(BotError) as caught, gpu_lock("GPU-1", wait=False, folder=tmp_path):
            pass
        assert (caught.value.code, caught.value.exit_code) == ("busy", Exit.ENVIRONMENT)
        assert (caught.value.values["pid"], caught.value.values["run"]) == (str(first.pid), "run-7")


def test_the_second_run_waits_with_a_word_until_the_first_ends(tmp_path: Path) -> None:
    with another("GPU-1", "a", tmp_path) as first, another("GPU-1", "b", tmp_path) as second:
        words = {said(first), said(second)}
        assert words == {"held", "waiting"}
        now = holder("GPU-1", tmp_path)
        assert now is not None
        leaving, staying = (first, second) if now.pid == first.pid else (second, first)
        leaving.communicate("")
        assert said(staying) == "held"
        after = holder("GPU-1", tmp_path)
        assert after is not None
        assert after.pid == staying.pid


def test_the_lock_of_a_killed_run_is_free(tmp_path: Path) -> None:
    with another("GPU-1", "a", tmp_path) as first:
        assert said(first) == "held"
        first.kill()
        first.wait()
    with gpu_lock("GPU-1", wait=False, run="mine", folder=tmp_path):
        mine = holder("GPU-1", tmp_path)
        assert mine is not None
        assert mine.run == "mine"
    assert holder("GPU-1", tmp_path) is None


def test_two_gpus_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with gpu_lock("GPU-1", wait=False, folder=tmp_path), gpu_lock("GPU-2", wait=False, folder=tmp_path):
        assert len(list(tmp_path.glob("*.lock"))) == 2


def test_the_lock_is_freed_when_the_block_fails(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="x"), gpu_lock("GPU-1", wait=False, folder=tmp_path):
        raise ValueError("x")
    with gpu_lock("GPU-1", wait=False, folder=tmp_path):
        pass


def test_a_damaged_note_still_means_busy(tmp_path: Path) -> None:
    with another("GPU-1", "a", tmp_path) as first:
        assert said(first) == "held"
        (tmp_path / "GPU-1.holder.json").write_text(json.dumps({"pid": "?"}))
        with pytest.raises(BotError) as caught, gpu_lock("GPU-1", wait=False, folder=tmp_path):
            pass
        assert caught.value.code == "busy-unknown"


def test_another_terminal_or_service_finds_the_same_lock(tmp_path: Path) -> None:
    name = f"test-{uuid.uuid4()}"
    elsewhere = {"XDG_RUNTIME_DIR": str(tmp_path), "TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    with another(name, "a", "", **elsewhere) as first:
        assert said(first) == "held"
        with pytest.raises(BotError), gpu_lock(name, wait=False):
            pass
        assert list(tmp_path.iterdir()) == []
    with gpu_lock(name, wait=False):
        pass
    locks._path(name, None).unlink()


def test_any_user_may_open_the_lock(tmp_path: Path) -> None:
    with gpu_lock("GPU-1", wait=False, folder=tmp_path):
        assert (tmp_path / "GPU-1.lock").stat().st_mode & 0o777 == 0o666


def test_an_unusable_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(BotError) as caught, gpu_lock("GPU-1", wait=False, folder=tmp_path / "file"):
        pass
    assert caught.value.code == "lock-unusable"
