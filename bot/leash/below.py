"""The processes below this one, found through /proc, and their end."""

import os
import signal


class Process:
    """One line of /proc/PID/stat (proc(5)); `started` tells it from a later process with the same number."""

    def __init__(self, pid: int) -> None:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - pathlib costs start-up time
            fields = file.read().rpartition(b")")[2].split()
        self.pid = pid
        self.state = fields[0].decode()
        self.parent = int(fields[1])
        self.started = int(fields[19])


def descendants() -> list[Process]:
    children: dict[int, list[Process]] = {}
    for name in os.listdir("/proc"):  # noqa: PTH208 - as above
        if name.isdigit():
            try:
                process = Process(int(name))
            except OSError:
                continue
            children.setdefault(process.parent, []).append(process)
    found: list[Process] = []
    waiting = [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def kill(process: Process) -> None:
    """SIGKILL this very process.

    The handle pins the process, and only then is it checked to be the one that was found: a number that was
    given to a stranger meanwhile is left alone.
    """
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:  # gone, or a kernel before 5.3
        handle = -1
    try:
        if Process(process.pid).started != process.started:
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
