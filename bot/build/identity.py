"""Which commit a binary says it is."""

import re
from collections.abc import Mapping
from pathlib import Path

#: `version: 9601 (deadbee)`; from b10394 on `version: 0.6.0-dev (build 11434, commit abc1234)`.
_VERSION = re.compile(r"version:\s+((?:\d+ \(([0-9a-f]+)\))|(?:\S+ \(build \d+, commit ([0-9a-f]+)\)))")

_LOADED = re.compile(r"^\s*(\S+) => (/\S+)", re.MULTILINE)


def version(output: str) -> tuple[str, str] | None:
    """From the output of `--version`: (what it says of itself, the commit in that), None without one."""
    found = _VERSION.search(output)
    return (found[1], found[2] or found[3]) if found else None


def foreign_libraries(loaded: Mapping[str, str], folder: Path) -> tuple[str, ...]:
    """Of the libraries that a program loads, those from elsewhere of which its `folder` holds its own.

    A server that loads another build's library is a mixture that nobody built.
    """
    own = folder.resolve()
    return tuple(path for name, path in loaded.items() if (own / name).exists() and not _is_inside(path, own))


def loaded_libraries(ldd: str) -> dict[str, str]:
    """From the output of ldd(1): each library's name and where it was found."""
    return {match[1]: match[2] for match in _LOADED.finditer(ldd)}


def _is_inside(path: str, folder: Path) -> bool:
    return Path(path).resolve().is_relative_to(folder)


def is_commit(sha: str, said: str) -> bool:
    """Whether an abbreviated commit names `sha` (at least 7 digits, as git abbreviates)."""
    return len(said) >= 7 and (sha.startswith(said) or said.startswith(sha))
