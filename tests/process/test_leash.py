"""Nothing that a command started outlives it, its time, or whoever asked for it."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from bot import process

ROOT = Path(__file__).parents[2]
#: Far longer than any test needs, so that a slow machine does not fail it.
PATIENCE_S = 60.0

#: Double fork with a session of its own; the daemon says who it is and stays. {after}: the command itself.
DAEMON = """
import os, signal, sys, time
reading, writing = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        print(os.getpid(), flush=True)
        os.write(writing, b"x")
        time.sleep(1000)
    os._exit(0)
os.read(reading, 1)
{after}
"""
STAYS = DAEMON.format(after="time.sleep(1000)")
ENDS = DAEMON.format(after="")
STUBBORN = DAEMON.format(after="signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(1000)")

#: A process of ours that waits for such a command, and passes its first line on.
PARENT = """
import sys
from bot import process
process.run([sys.executable, "-c", sys.argv[1]], on_line=lambda line: print(line, flush=True))
"""


@contextmanager
def parent_with_daemon() -> Iterator[tuple[subprocess.Popen[str], psutil.Process]]:
    """Our process in front of a command, and the daemon far below it."""
    with subprocess.Popen(
        [sys.executable, "-c", PARENT, STAYS],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as parent:
        assert parent.stdout
        daemon = psutil.Process(int(parent.stdout.readline()))
        try:
            yield parent, daemon
        finally:
            parent.kill()


def assert_gone(*processes: psutil.Process) -> None:
    until = time.monotonic() + PATIENCE_S
    while any(is_alive(process) for process in processes):
        assert time.monotonic() < until
        time.sleep(0.005)


def is_alive(process: psutil.Process) -> bool:
    """Not so for what only waits to be collected: init may be slow, or absent in a container."""
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_everything_below_dies_with_the_parent(number: signal.Signals) -> None:
    with parent_with_daemon() as (parent, daemon):
        below = psutil.Process(parent.pid).children(recursive=True)
        assert daemon in below
        parent.send_signal(number)
        assert_gone(*below)


def test_everything_below_dies_when_the_leash_is_told_to_end() -> None:
    with parent_with_daemon() as (parent, daemon):
        (leash,) = psutil.Process(parent.pid).children()
        assert leash.name().startswith("python")
        leash.terminate()
        assert_gone(leash, daemon)
        assert parent.wait(PATIENCE_S) == 0


def test_a_killed_leash_takes_the_command_along_and_is_reported() -> None:
    with parent_with_daemon() as (parent, daemon):
        (leash,) = psutil.Process(parent.pid).children()
        (command,) = (child for child in leash.children() if child != daemon)
        leash.kill()
        assert_gone(command)
        assert parent.wait(PATIENCE_S) == 1
        daemon.kill()


def test_leftovers_are_dead_when_a_normal_run_returns() -> None:
    finished = process.run([sys.executable, "-c", ENDS])
    assert (finished.code, finished.stopped, finished.killed_leftovers) == (0, False, 1)
    assert not psutil.pid_exists(int(finished.stdout))


def test_leftovers_that_fork_faster_than_one_can_look_die_too() -> None:
    chain = "import os\nif os.fork() == 0:\n    while True:\n        if os.fork():\n            os._exit(0)"
    finished = process.run([sys.executable, "-c", chain], timeout_s=PATIENCE_S)
    assert (finished.code, finished.survivors) == (0, 0)


def test_the_deadline_ends_what_ignores_sigterm() -> None:
    finished = process.run([sys.executable, "-c", STUBBORN], timeout_s=3, grace_s=0.1)
    assert finished.timed_out
    assert finished.stopped
    assert (finished.code, finished.signal) == (None, signal.SIGKILL)
    assert not psutil.pid_exists(int(finished.stdout))


def test_the_deadline_leaves_time_to_end_in_order() -> None:
    script = "trap 'echo bye; exit 7' TERM; while :; do sleep 0.05; done"
    finished = process.run(["sh", "-c", script], timeout_s=2, grace_s=PATIENCE_S)
    assert (finished.timed_out, finished.stopped, finished.code) == (True, True, 7)
    assert finished.stdout == "bye\n"


def test_an_exception_of_ours_ends_everything_below() -> None:
    seen: list[psutil.Process] = []

    def interrupt(line: str) -> None:
        seen.append(psutil.Process(int(line)))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        process.run([sys.executable, "-c", STAYS], on_line=interrupt)
    assert not is_alive(seen[0])


def test_a_service_stays_after_the_command_that_started_it(tmp_path: Path) -> None:
    note = tmp_path / "pid"
    finished = process.run(["sh", "-c", f"sleep 1000 & echo $! > {note}"], keep_running=True)
    service = psutil.Process(int(note.read_text()))
    assert (finished.code, finished.killed_leftovers) == (0, 0)
    assert service.is_running()
    service.kill()


def test_a_crash_writes_no_core() -> None:
    script = "import resource; print(resource.getrlimit(resource.RLIMIT_CORE)[1] in (0, 1))"
    assert process.run([sys.executable, "-c", script]).stdout == "True\n"


def test_the_command_gets_a_normal_process() -> None:
    script = (
        "import os, signal; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler,"
        " signal.pthread_sigmask(signal.SIG_BLOCK, []), os.getsid(0) == os.getpid(),"
        " sorted(int(fd) for fd in os.listdir('/proc/self/fd'))[:4])"
    )
    finished = process.run([sys.executable, "-c", script])
    assert finished.stdout == "True set() True [0, 1, 2, 3]\n"
    ignored = process.run(["sh", "-c", "grep SigIgn /proc/self/status"]).stdout.split()[1]
    assert int(ignored, 16) & (1 << (signal.SIGPIPE - 1)) == 0


def test_the_program_alone_passes_the_exit_code_on() -> None:
    leash = [sys.executable, "-I", "-S", "-E", str(ROOT / "bot" / "leash" / "main.py"), "--"]
    assert subprocess.run([*leash, "sh", "-c", "exit 5"], check=False).returncode == 5
    assert subprocess.run([*leash, "sh", "-c", "kill -9 $$"], check=False).returncode == 137
