"""A leash: run one command, and let nothing that it started outlive it, its time, or whoever asked for it.

Run as a program, standard library only, `python -I -S -E leash.py [option=value ...] -- COMMAND ...`:

    lifeline=FD   ends everything when this pipe closes, that is when its other end's process is gone
    status=FD     gets one JSON line when all is over (see `Fate`)
    timeout=S     ends everything after so many seconds
    grace=S       time between SIGTERM to the command and SIGKILL to all (default 5)
    network=none  a network of its own with only a loopback, where the kernel allows it
    keep=1        after a normal end, what the command left running stays (it becomes init's)

How nothing escapes: the leash is a child subreaper (prctl(2)), so a process whose parent ends becomes the
leash's child, daemons and `setsid` included; everything below is found through /proc and killed again and
again until wait(2) says that there is no child left. PR_SET_PDEATHSIG would not do: it follows a thread,
is lost over some `exec`s and reaches no grandchild.
"""

import contextlib
import ctypes
import math
import os
import resource
import select
import signal
import sys
import time

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h
_CLONE_NEWUSER, _CLONE_NEWNET = 0x10000000, 0x40000000  # linux/sched.h
_SIOCGIFFLAGS, _SIOCSIFFLAGS, _IFF_UP = 0x8913, 0x8914, 1  # linux/sockios.h, linux/if.h
_AF_INET, _SOCK_DGRAM = 2, 2

#: A process in uninterruptible sleep (a hung driver or network disk) dies only when the kernel lets go of it;
#: SIGKILL stays pending, and after this many seconds the leash stops waiting for it.
PATIENCE_S = 20.0
_STOPPING = {signal.SIGTERM, signal.SIGINT, signal.SIGHUP}
_libc = ctypes.CDLL(None, use_errno=True)


class Fate:
    """What became of the command: its own attributes are the keys of the status line.

    `exit` or `signal` is that of the command itself; `errno` is set instead where it could not be started.
    `stopped`: the leash ended it (`timed_out`, or a signal asked for it, or the parent is gone); a SIGKILL
    without `stopped` came from elsewhere. `oom_kills` counts what the kernel killed for want of memory
    meanwhile, anywhere on this machine. `killed_leftovers` are processes that were still there after the
    command; `survivors` those that even SIGKILL could not end in time.
    """

    def __init__(self) -> None:
        self.exit: int | None = None
        self.signal: int | None = None
        self.timed_out = False
        self.stopped = False
        self.killed_leftovers = 0
        self.survivors = 0
        self.oom_kills = 0
        self.network = False
        self.errno: int | None = None

    def line(self) -> bytes:
        """The status line; `json` takes half the start-up time of the leash, and no value needs escaping."""
        pairs = (f'"{name}": {_json(value)}' for name, value in vars(self).items())
        return f"{{{', '.join(pairs)}}}\n".encode()


def _json(value: object) -> str:
    return "null" if value is None else str(value).lower()


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
            _become(self.command, isolated, leash, writing)
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
        return bool(ready - {self.wakeups} or got & _STOPPING)

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
            below = _descendants()
            seen.update((it.pid, it.started) for it in below if it.state != "Z" and it.pid != self.main)
            if time.monotonic() > until:
                self.fate.survivors = len(below)
                break
            for process in below:
                _kill(process)
            self._sleep(pause)
            pause = min(pause * 2, 0.1)
        self.fate.killed_leftovers = len(seen)

    def _sleep(self, seconds: float) -> None:
        """Until a child ends, at most so long; the lifeline, closed by now perhaps, must not wake it."""
        if select.select([self.wakeups], [], [], max(seconds, 0))[0]:
            os.read(self.wakeups, 4096)


class _Process:
    """One line of /proc/PID/stat (proc(5)); `started` tells it from a later process with the same number."""

    def __init__(self, pid: int) -> None:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
            fields = file.read().rpartition(b")")[2].split()
        self.pid = pid
        self.state = fields[0].decode()
        self.parent = int(fields[1])
        self.started = int(fields[19])


def _descendants() -> list[_Process]:
    children: dict[int, list[_Process]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - as above
        if name.isdigit():
            try:
                process = _Process(int(name))
            except OSError:
                continue
            children.setdefault(process.parent, []).append(process)
    found: list[_Process] = []
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def _kill(process: _Process) -> None:
    """SIGKILL this very process.

    The handle pins the process, and only then is it checked to be the one that was found: a number that was
    given to a stranger meanwhile is left alone.
    """
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:  # gone, or a kernel before 5.3
        handle = -1
    try:
        if _Process(process.pid).started != process.started:
            return
        if handle >= 0:
            signal.pidfd_send_signal(handle, signal.SIGKILL)
        else:
            os.kill(process.pid, signal.SIGKILL)
    except OSError:
        pass  # gone, or not ours to kill (set-user-ID): counted as a survivor if it stays
    finally:
        if handle >= 0:
            os.close(handle)


def _listen() -> int:
    """A descriptor that becomes readable with the numbers of the signals that arrived."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, *_STOPPING):
        signal.signal(number, lambda *_: None)
    return reading


def _lifelines(options: dict[str, str]) -> list[int]:
    """What becomes readable when the parent is gone: the pipe, and the parent itself (kernel 5.3 and later),
    since a process forked off the parent may hold the pipe's other end."""
    lines = [int(options["lifeline"])] if "lifeline" in options else []
    with contextlib.suppress(OSError):
        lines.append(os.pidfd_open(os.getppid()))
    return lines


def _become(command: list[str], isolated: bool, leash: int, report: int) -> None:
    """In the child: turn into the command, or say on `report` which step failed. Never returns."""
    step = "network"
    try:
        os.setsid()
        if isolated:
            _isolate_network()
        step = "exec"
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # the second line, should the leash itself be killed
        if os.getppid() != leash:
            os._exit(127)
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ, *_STOPPING):
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, [])
        os.execvp(command[0], command)  # noqa: S606 - no shell is meant
    except OSError as error:
        os.write(report, f"{step} {error.errno}".encode())
    finally:
        os._exit(127)


class _Ifreq(ctypes.Structure):
    """`struct ifreq` of netdevice(7), as far as flags need it."""

    _fields_ = (("name", ctypes.c_char * 16), ("flags", ctypes.c_short), ("rest", ctypes.c_char * 22))


def _isolate_network() -> None:
    """Enter a new network namespace and raise its loopback. Raises OSError where the kernel refuses.

    Without the right to do so it takes a user namespace along, in which user and group stay what they are.
    """
    maps = {
        "setgroups": "deny",
        "uid_map": f"{os.getuid()} {os.getuid()} 1",
        "gid_map": f"{os.getgid()} {os.getgid()} 1",
    }
    if _libc.unshare(_CLONE_NEWNET) != 0:
        _check(_libc.unshare(_CLONE_NEWUSER | _CLONE_NEWNET))
        for name, text in maps.items():
            with open(f"/proc/self/{name}", "w") as file:  # noqa: PTH123
                file.write(text)
    handle = _check(_libc.socket(_AF_INET, _SOCK_DGRAM, 0))
    request = _Ifreq(b"lo")
    _check(_libc.ioctl(handle, _SIOCGIFFLAGS, ctypes.byref(request)))
    request.flags |= _IFF_UP
    _check(_libc.ioctl(handle, _SIOCSIFFLAGS, ctypes.byref(request)))
    os.close(handle)


def _prctl(option: int, value: int) -> None:
    _check(_libc.prctl(option, value, 0, 0, 0))


def _check(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def _oom_kills() -> int:
    """How often the kernel's OOM killer struck since boot; 0 where it does not say (before 4.13)."""
    try:
        with open("/proc/vmstat", "rb") as file:  # noqa: PTH123
            return next((int(line.split()[1]) for line in file if line.startswith(b"oom_kill ")), 0)
    except OSError:
        return 0


def _no_core_dumps() -> None:
    """A crash must not write gigabytes; 1 and not 0, because 0 does not stop a piped handler (core(5))."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    limit = 1 if hard == resource.RLIM_INFINITY else min(hard, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))


def main(words: list[str]) -> int:
    """The whole program; returns the command's exit code, 128 + its signal, or 127 where it did not start."""
    split = words.index("--")
    options = dict(word.split("=", 1) for word in words[:split])
    for name in {"status", "lifeline"} & options.keys():
        os.set_inheritable(int(options[name]), False)
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    if "keep" not in options:
        _no_core_dumps()
    fate = Leash(options, words[split + 1 :]).run()
    if "status" in options:
        with contextlib.suppress(BrokenPipeError):
            os.write(int(options["status"]), fate.line())
    if fate.exit is not None:
        return fate.exit
    return 127 if fate.signal is None else 128 + fate.signal


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
