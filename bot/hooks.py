"""The user's own server, stopped before a run and restored after it, even when the run was killed.

The intent is on disk before anything is stopped: whoever starts next finds it and restores.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from bot import process, store
from bot.errors import environment

Commands = Sequence[Sequence[str]]
#: A server that takes longer than this to stop or start is stuck.
HOOK_TIMEOUT_S = 300.0


@contextmanager
def around(before: Commands, after: Commands, intents: Path) -> Iterator[None]:
    """Run `before`, then the block, then `after`; `after` also when anything in between fails.

    Raises BotError (exit 4) when a command fails; a failed `before` is undone by `after` first.
    """
    if not before and not after:
        yield
        return
    intent = intents / f"{_me()}.json"
    store.write_json(intent, {"owner": _me(), "after": [list(command) for command in after]})
    try:
        _run_all(before, "before")
        yield
    finally:
        _run_all(after, "after")
        intent.unlink(missing_ok=True)


def restore_abandoned(intents: Path) -> int:
    """Run the `after` commands of runs that died; returns how many runs were restored."""
    restored = 0
    for intent in sorted(intents.glob("*.json")):
        try:
            data = json.loads(intent.read_text())
        except (OSError, ValueError):
            continue
        if is_alive(data["owner"]):
            continue
        _run_all(data["after"], "after")
        intent.unlink(missing_ok=True)
        restored += 1
    return restored


def _run_all(commands: Commands, hook: str) -> None:
    for command in commands:
        # The user's own command, in the user's own environment (systemctl --user needs it).
        done = process.run(command, env=os.environ, timeout_s=HOOK_TIMEOUT_S, keep_running=True)
        if done.code != 0:
            status = str(done.code if done.signal is None else f"signal {done.signal}")
            raise environment("hook-failed", hook=hook, command=" ".join(command), status=status)


def _me() -> str:
    this = psutil.Process()
    return f"{this.pid}-{this.create_time():.2f}"


def is_alive(owner: str) -> bool:
    """Whether the process that wrote an intent still runs; a recycled process id is not it."""
    pid, _, created = owner.partition("-")
    try:
        return f"{psutil.Process(int(pid)).create_time():.2f}" == created
    except (psutil.Error, ValueError):
        return False
