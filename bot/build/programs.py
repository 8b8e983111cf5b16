"""What a program says of its version."""

import re
from pathlib import Path

from bot import process
from bot.errors import BotError
from bot.records import Tool

#: nvcc puts "release 13.0, V13.0.88" after dates that hold no dotted number.
_VERSION = re.compile(r"\bV(\d+(?:\.\d+)+)|(\d+(?:\.\d+)+)")


def version_of(path: Path) -> str | None:
    """The first dotted number of `--version`; None for what does not run. nvcc's own is the one after V."""
    try:
        finished = process.run([str(path), "--version"], timeout_s=30)
    except BotError:
        return None
    found = list(_VERSION.finditer(finished.output)) if finished.code == 0 else []
    exact = next((match[1] for match in found if match[1]), None)
    return exact or (found[0][2] if found else None)


def tool(name: str, path: Path) -> Tool | None:
    """The program as the record keeps it; None for one that does not run."""
    version = version_of(path)
    return None if version is None else Tool(name=name, version=version, path=str(path))


def numbers(version: str) -> tuple[int, ...]:
    """As versions are compared."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())
