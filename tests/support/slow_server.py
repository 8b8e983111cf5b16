"""A real server that really is slower: `slow_server.py SHARE SERVER ARGUMENTS...`, as words before a server.

This process becomes the server, so that its process id, memory, exit code and signals are the server's own;
a child beside it, the brake, holds the server (SIGSTOP, SIGCONT) for SHARE of the time, in slices of
milliseconds. The brake ends when the server does, and lets go of it first when it is told to end.
Standard library only.
"""

import os
import signal
import sys
import time

#: One stop, in seconds: short beside an answer, long beside what a wake-up is late.
STOP_S = 0.002


def main(words: list[str]) -> None:
    """Become the server, braked; `--help` needs no brake."""
    share, command = float(words[0]), words[1:]
    if "--help" not in command:
        server = os.getpid()
        if os.fork() == 0:
            _brake(server, share)
    os.execv(command[0], command)


def _brake(server: int, share: float) -> None:
    """Hold the server for that share of the time that has really passed: a late wake-up is made up for."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _stop_braking)
    began, held = time.monotonic(), 0.0
    try:
        while os.getppid() == server:
            due = held / share - (time.monotonic() - began)
            if due > 0:
                time.sleep(due)
                continue
            held += _hold(server)
    except (ProcessLookupError, KeyboardInterrupt):
        pass
    finally:
        _let_go(server)
    os._exit(0)


def _hold(server: int) -> float:
    stopped = time.monotonic()
    os.kill(server, signal.SIGSTOP)
    try:
        time.sleep(STOP_S)
    finally:
        os.kill(server, signal.SIGCONT)
    return time.monotonic() - stopped


def _let_go(server: int) -> None:
    if os.getppid() == server:
        os.kill(server, signal.SIGCONT)


def _stop_braking(_number: int, _frame: object) -> None:
    raise KeyboardInterrupt


if __name__ == "__main__":
    main(sys.argv[1:])
