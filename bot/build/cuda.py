"""Which CUDA toolkit serves which GPU, driver and host compiler: the table `cuda.toml`, asked."""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

_TABLE = Path(__file__).with_name("cuda.toml")


@dataclass(frozen=True)
class ToolkitProblem:
    """`old`: a newer toolkit is needed, `needed` at least; `new`: one before `needed`."""

    case: str
    needed: str


def toolkit_problem(toolkit: str, capability: str | None) -> ToolkitProblem | None:
    """Why this toolkit cannot build for that compute capability; None where nothing speaks against it."""
    table = _table()
    known = table["architecture"].get(capability, {})
    least = max(table["least"], known.get("from", "0"), key=_numbers)
    if _numbers(toolkit) < _numbers(least):
        return ToolkitProblem("old", least)
    before = known.get("before")
    return ToolkitProblem("new", before) if before and _numbers(toolkit) >= _numbers(before) else None


def driver_needed(toolkit: str, driver: str) -> str | None:
    """The driver branch that this toolkit's programs need, where the installed one is older."""
    needed: str | None = _table()["driver"].get(toolkit.partition(".")[0])
    return needed if needed and _numbers(driver) < _numbers(needed) else None


def newest_gcc(toolkit: str, gcc: str) -> str | None:
    """The newest gcc (major version) that this toolkit takes, where the installed one is newer."""
    rows = {start: most for start, most in _table()["gcc"].items() if _numbers(start) <= _numbers(toolkit)}
    most: str = rows[max(rows, key=_numbers)] if rows else ""
    return most if most and _numbers(gcc)[0] > int(most) else None


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(_TABLE.read_text("utf-8"))
