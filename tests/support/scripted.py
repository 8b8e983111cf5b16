"""Scripted servers in the place of real ones: words before a server that ignore it.

`Request.wrapper` puts them before a side's server, so that all else of a run (builds, launches, rounds,
verdict, report) is the real thing.
"""

import sys
from pathlib import Path
from typing import Any

from tests.support.fake_server import write_fake_server

_TURNING = """#!{python} -IS
import os, sys
state, after, first, then = {state!r}, {after}, {first!r}, {then!r}
starts = 0
if "--help" not in sys.argv:
    with open(state, "ab") as file:
        file.write(b".")
        starts = file.tell()
program = then if starts > after else first
os.execv(program, [program, *sys.argv[1:]])
"""


def scripted(folder: Path, name: str = "well", **settings: Any) -> tuple[str, ...]:
    """A server of `tests.support.fake_server` with these settings; quick unless they say otherwise."""
    return (str(write_fake_server(folder / "scripted" / name, **{"token_ms": 0.3, "log": "", **settings})),)


def turning(folder: Path, name: str, *, after: int, **settings: Any) -> tuple[str, ...]:
    """A server that is well for its first `after` starts, then has these settings."""
    (first,), (then,) = scripted(folder), scripted(folder, f"{name}-then", **settings)
    state = folder / "scripted" / f"{name}.starts"
    return (_program(folder, name, state=str(state), after=after, first=first, then=then),)


def once(folder: Path, name: str, *, at: int, **settings: Any) -> tuple[str, ...]:
    """A server that has these settings at its start number `at` (from 1) only."""
    (well,), (bad,) = scripted(folder), turning(folder, f"{name}-bad", after=0, **settings)
    state = folder / "scripted" / f"{name}.starts"
    later = _program(folder, f"{name}-later", state=f"{state}.2", after=1, first=bad, then=well)
    return (_program(folder, name, state=str(state), after=at - 1, first=well, then=later),)


def filling(folder: Path, name: str, *, after: int, place: Path) -> tuple[str, ...]:
    """A server that is well, but fills the disk of `place` to its last byte from start `after` + 1 on."""
    (well,) = scripted(folder)
    fill = folder / "scripted" / f"{name}-fill"
    fill.write_text(f"""#!/bin/sh
cat /dev/zero > {place}/filler 2>/dev/null
exec {well} "$@"
""")
    fill.chmod(0o755)
    state = folder / "scripted" / f"{name}.starts"
    return (_program(folder, name, state=str(state), after=after, first=well, then=str(fill)),)


def _program(folder: Path, name: str, **values: Any) -> str:
    path = folder / "scripted" / name
    path.write_text(_TURNING.format(python=sys.executable, **values))
    path.chmod(0o755)
    return str(path)
