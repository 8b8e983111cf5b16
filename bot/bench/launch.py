"""One launch as a process of its own: `python -I -S launch.py PLAN.json RESULT.json`.

Standard library only, ready in well under 60 ms. It holds server *and* client, so that one door
(`bot.process`) isolates, bounds and kills both. Exit codes: 0 the result is written, whatever it says; 2 the
plan cannot be read; 28 there was no space for the result.
"""

import errno
import json
import os
import sys
from pathlib import Path

if __name__ == "__main__":  # isolated from site-packages and environment: the package is found by its place
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from bot.bench.plan import DONE, NO_SPACE, UNREADABLE_PLAN, write_atomically
from bot.bench.session import Session


def main(arguments: list[str]) -> int:
    """Carry out the plan and write the result; a SIGTERM ends the launch in order."""
    plan_path, result_path = (Path(argument) for argument in arguments)
    try:
        plan = json.loads(plan_path.read_bytes())
    except (OSError, ValueError):
        return UNREADABLE_PLAN
    answer = Session(plan).run()
    if _disk_is_full(Path(plan["log"]).parent):
        answer |= {"status": "no_space", "detail": os.strerror(errno.ENOSPC)}
    try:
        write_atomically(result_path, answer)
    except OSError as error:
        return NO_SPACE if error.errno in (errno.ENOSPC, errno.EDQUOT) else 1
    return DONE


def _disk_is_full(folder: Path) -> bool:
    """A full disk cuts the server's log short without a word."""
    try:
        return os.statvfs(folder).f_bavail == 0
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
