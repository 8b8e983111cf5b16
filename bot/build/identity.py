"""Which commit a binary says it is."""

import re

#: `version: 9601 (deadbee)`; from b10394 on `version: 0.6.0-dev (build 11434, commit abc1234)`.
_VERSION = re.compile(r"version:\s+((?:\d+ \(([0-9a-f]+)\))|(?:\S+ \(build \d+, commit ([0-9a-f]+)\)))")


def version(output: str) -> tuple[str, str] | None:
    """From the output of `--version`: (what it says of itself, the commit in that), None without one."""
    found = _VERSION.search(output)
    return (found[1], found[2] or found[3]) if found else None


def is_commit(sha: str, said: str) -> bool:
    """Whether an abbreviated commit names `sha` (at least 7 digits, as git abbreviates)."""
    return len(said) >= 7 and (sha.startswith(said) or said.startswith(sha))
