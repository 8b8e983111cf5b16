"""One command below, from its start to the end of the last process that it left."""

import contextlib
import math
import os
import select
import signal
import time

from bot.leash.below import descendants, kill
from bot.leash.fate import Fate
from bot.leash.start import STOPPING, become

#: A process in uninterruptible sleep (a hung driver or network disk) dies only when the kernel lets go of it;
#: SIGKILL stays pending, and after this many seconds the leash stops waiting for it.
PATIENCE_S = 20.0


class Leash:
    """One command below, from its start to the end of the last process that it left."""

    def __init__(self, options: dict[str, str], command: list[str]) -> None:
        self.options = options
        self.command = command
        self.fate = Fate()
        self.main = 0
        self.alive = False
        timeout = float(options.get("timeout", "inf"))
        self.deadline = time.monotonic() + timeout
        self.grace = float(options.get("grace", "5"))
        self.wakeups = _listen()
        self.poller = select.poll()
        for handle in (self.wakeups, *_lifelines(options)):
            self.poller.register(handle, select.POLLIN)

    def run(self) -> Fate:
        """Start, watch, end; returns when no process is left below."""
        before = _oom_kills()
        if self._start():
            self._watch()
            if self.alive or "keep" not in self.options:
                self._end_all()
            self.fate.oom_kills = _oom_kills() - before
        return self.fate

    def _start(self) -> bool:
        wanted = self.options.get("network") == "none"
        failure = self._fork(isolated=wanted)
        self.fate.network = wanted and failure is None
        if failure is not None and failure[0] == "network":
            failure = self._fork(isolated=False)
        if failure is not None:
            self.fate.errno = failure[1]
        return failure is None

    def _fork(self, isolated: bool) -> tuple[str, int] | None:
        """Start the command; returns the step that failed and its errno, None when the command runs."""
        reading, writing = os.pipe()
        old = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
        leash = os.getpid()
        pid = os.fork()
        if pid == 0:
            become(self.command, isolated, leash, writing)
        os.close(writing)
        signal.pthread_sigmask(signal.SIG_SETMASK, old)
        with os.fdopen(reading, "rb") as pipe:
            step, _, number = pipe.read().decode().partition(" ")
        if step:
            os.waitpid(pid, 0)
            return step, int(number)
        self.main, self.alive = pid, True
        return None

    def _watch(self) -> None:
        """Return when the command ended, or when it has to end."""
        while self._reap() and self.alive:
            left = self.deadline - time.monotonic()
            self.fate.timed_out = left <= 0
            if left <= 0 or self._wait(left):
                return

    def _wait(self, seconds: float) -> bool:
        """Sleep until something happens; whether it is a reason to stop (a signal, the parent's end)."""
        limit = None if math.isinf(seconds) else math.ceil(min(seconds, 86400) * 1000)
        ready = {handle for handle, _ in self.poller.poll(limit)}
        got = set(os.read(self.wakeups, 4096)) if self.wakeups in ready else set()
        return bool(ready - {self.wakeups} or got & STOPPING)

    def _reap(self) -> bool:
        """Collect every child that ended; whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.main:
                self.alive = False
                code = os.waitstatus_to_exitcode(status)
                self.fate.exit, self.fate.signal = (code, None) if code >= 0 else (None, -code)

    def _end_all(self) -> None:
        if self.alive:
            self.fate.stopped = True
            with contextlib.suppress(PermissionError):  # a set-user-ID command
                os.kill(self.main, signal.SIGTERM)
            until = time.monotonic() + self.grace
            while self._reap() and self.alive and time.monotonic() < until:
                self._sleep(until - time.monotonic())
        self._kill_all()

    def _kill_all(self) -> None:
        """SIGKILL everything below until nothing is left, however fast it forks."""
        until = time.monotonic() + PATIENCE_S
        seen: set[tuple[int, int]] = set()
        pause = 0.001
        while self._reap():
            below = descendants()
            seen.update((it.pid, it.started) for it in below if it.state != "Z" and it.pid != self.main)
            if time.monotonic() > until:
                self.fate.survivors = len(below)
                break
            for process in below:
                kill(process)
            self._sleep(pause)
            pause = min(pause * 2, 0.1)
        self.fate.killed_leftovers = len(seen)

    def _sleep(self, seconds: float) -> None:
        """Until a child ends, at most so long; the lifeline, closed by now perhaps, must not wake it."""
        if select.select([self.wakeups], [], [], max(seconds, 0))[0]:
            os.read(self.wakeups, 4096)


def _listen() -> int:
    """A descriptor that becomes readable with the numbers of the signals that arrived."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, *STOPPING):
        signal.signal(number, lambda *_: None)
    return reading


def _lifelines(options: dict[str, str]) -> list[int]:
    """What becomes readable when the parent is gone: the pipe, and the parent itself (kernel 5.3 and later),
    since a process forked off the parent may hold the pipe's other end."""
    lines = [int(options["lifeline"])] if "lifeline" in options else []
    with contextlib.suppress(OSError):
        lines.append(os.pidfd_open(os.getppid()))
    return lines


def _oom_kills() -> int:
    """How often the kernel's OOM killer struck since boot; 0 where it does not say (before 4.13)."""
    try:
        with open("/proc/vmstat", "rb") as file:  # noqa: PTH123
            return next((int(line.split()[1]) for line in file if line.startswith(b"oom_kill ")), 0)
    except OSError:
        return 0
