"""However it ends, the leash's or its parent's death by SIGKILL included, nothing of a sandbox stays."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

ROOT = Path(__file__).parents[2]
#: A command with a daemon that left its session and its parent.
DAEMON = "setsid sh -c 'sleep 600 # {mark}' </dev/null >/dev/null 2>&1 & echo ready; exec sleep 601"
PARENT = """
import sys
from pathlib import Path
from bot import process
from bot.errors import BotError
from bot.isolation import Box
try:
    process.run(
        ["sh", "-c", sys.argv[1]], box=Box(writes=(Path(sys.argv[2]),)),
        on_line=lambda line: print(line, flush=True),
    )
except BotError as error:
    print(error.code, flush=True)
"""


@contextmanager
def running(folder: Path) -> Iterator[tuple["subprocess.Popen[str]", list[psutil.Process]]]:
    """A parent with its sandbox, and all that runs in there."""
    mark = f"mark-{uuid.uuid4()}"
    argv = [sys.executable, "-c", PARENT, DAEMON.format(mark=mark), str(folder)]
    with subprocess.Popen(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        try:
            assert parent.stdout is not None
            assert parent.stdout.readline() == "ready\n"
            yield parent, psutil.Process(parent.pid).children(recursive=True)
        finally:
            parent.kill()


def leash_of(below: list[psutil.Process]) -> psutil.Process:
    (found,) = (item for item in below if "main.py" in " ".join(item.cmdline()) and item.name() != "bwrap")
    return found


def assert_gone(below: list[psutil.Process]) -> None:
    _, alive = psutil.wait_procs(below, timeout=20)
    assert alive == []


def test_a_killed_leash_takes_even_daemons_along(sandbox: Path, folder: Path) -> None:
    with running(folder) as (parent, below):
        assert len(below) >= 4
        leash_of(below).kill()
        assert_gone(below)
        assert parent.stdout is not None
        assert parent.stdout.readline() == "leash-lost\n"


def test_a_killed_bubblewrap_takes_everything_along(sandbox: Path, folder: Path) -> None:
    with running(folder) as (_, below):
        assert below[0].name() == "bwrap"
        below[0].kill()
        assert_gone(below)


def test_a_killed_parent_takes_everything_along(sandbox: Path, folder: Path) -> None:
    with running(folder) as (parent, below):
        os.kill(parent.pid, signal.SIGKILL)
        assert_gone(below)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_an_interrupted_parent_leaves_nothing(sandbox: Path, folder: Path, number: int) -> None:
    with running(folder) as (parent, below):
        os.kill(parent.pid, number)
        assert_gone(below)


def test_a_finished_command_leaves_no_daemon(sandbox: Path, folder: Path) -> None:
    before = time.monotonic()
    mark = f"mark-{uuid.uuid4()}"
    script = DAEMON.format(mark=mark).replace("exec sleep 601", "true")
    argv = [sys.executable, "-c", PARENT, script, str(folder)]
    done = subprocess.run(argv, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "ready\n"
    assert not [
        item for item in psutil.process_iter(["cmdline"]) if mark in " ".join(item.info["cmdline"] or [])
    ]
    assert time.monotonic() - before < 300
