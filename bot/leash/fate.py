"""What the leash tells its parent at the end."""


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
