"""The command line in a process of its own, with what a test plants: `driver.py PLANT.json ARGUMENTS...`.

`locks`: the folder that stands for this machine's own; `wrapper`: words before a side's server; `die`:
(when, file) kills the process with SIGKILL `before` that file is written, `within` (it lies there under its
temporary name only) or `after`; a file is named by any part of its path.
"""

import json
import os
import signal
import sys
from functools import partial
from pathlib import Path
from typing import Any, TypedDict

sys.path.insert(0, str(Path(__file__).parents[2]))

from bot import cli, locks, store
from bot.pipeline import request


class Plant(TypedDict, total=False):
    """What is planted."""

    locks: str
    wrapper: dict[str, list[str]]
    die: list[str]


def main(plant: Plant, arguments: list[str]) -> None:
    """Be the command line."""
    place = Path(plant["locks"])
    locks._shared_folder = lambda: place
    wrapper: Any = {side: tuple(words) for side, words in plant.get("wrapper", {}).items()}
    request.Request = partial(request.Request, wrapper=wrapper)  # type: ignore[misc, assignment]
    if "die" in plant:
        _plant_death(*plant["die"])
    sys.argv[1:] = arguments
    cli.main()


def _plant_death(when: str, name: str) -> None:
    write, sync = store.write_bytes, os.fsync

    def write_bytes(path: Path, data: bytes) -> None:
        is_due = name in str(path)
        if is_due and when == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if is_due and when == "within":
            os.fsync = _die
        write(path, data)
        os.fsync = sync
        if is_due and when == "after":
            os.kill(os.getpid(), signal.SIGKILL)

    store.write_bytes = write_bytes


def _die(fd: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    main(json.loads(Path(sys.argv[1]).read_bytes()), sys.argv[2:])
