"""The leash as a program: `python -I -S -E main.py [option=value ...] -- COMMAND ...`.

The options:

    lifeline=FD   ends everything when this pipe closes, that is when its other end's process is gone
    status=FD     gets one JSON line when all is over (see `bot.leash.fate`)
    timeout=S     ends everything after so many seconds
    grace=S       time between SIGTERM to the command and SIGKILL to all (default 5)
    network=none  a network of its own with only a loopback, where the kernel allows it
    keep=1        after a normal end, what the command left running stays (it becomes init's)
    sealed=1      this is process 1 of a sandbox: what runs in there must not look into it

Exit code: the command's, 128 + its signal, or 127 where it did not start.
"""

import contextlib
import os
import resource
import sys

if __name__ == "__main__":  # isolated from site-packages and environment: the package is found by its place
    sys.path.append(__file__.rsplit("/", 3)[0])

from bot.leash.start import PR_SET_CHILD_SUBREAPER, PR_SET_DUMPABLE, leave_keyring, prctl
from bot.leash.watch import Leash


def _no_core_dumps() -> None:
    """A crash must not write gigabytes; 1 and not 0, because 0 does not stop a piped handler (core(5))."""
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    limit = 1 if hard == resource.RLIM_INFINITY else min(hard, 1)
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))


def main(words: list[str]) -> int:
    """The whole program; returns the exit code."""
    split = words.index("--")
    options = dict(word.split("=", 1) for word in words[:split])
    for name in {"status", "lifeline"} & options.keys():
        os.set_inheritable(int(options[name]), False)
    prctl(PR_SET_CHILD_SUBREAPER, 1)
    if "sealed" in options:
        prctl(PR_SET_DUMPABLE, 0)  # neither its memory nor its descriptors are for those below (ptrace(2))
        leave_keyring()
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
