"""What the door to child processes costs: the wall time of one command behind it, beside the command alone.

Medians of starts of `true`, taken in turn, and how many times as long a start in a sandbox takes as one
below the leash alone (median of the ratios of neighbouring starts, so that a busy machine moves both). The
targets: a launch may take 60 ms to start, and in a sandbox twice as long as without.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from bot import process
from bot.isolation import Box, means

STARTS = 20
LEASHED, BOXED, RATIO = "true, leashed", "true, in a sandbox", "in a sandbox / leashed"
TARGETS = {LEASHED: 60.0, "true, leashed, no network": 60.0, RATIO: 2.0}

Row = dict[str, str | float]


def cases(folder: Path) -> dict[str, Callable[[], object]]:
    """What is started, by name; the sandbox only where there is one."""
    python = [sys.executable, "-I", "-S", "-E", "-c", ""]
    found: dict[str, Callable[[], object]] = {
        "true, without a leash": lambda: subprocess.run(["true"], check=True),
        "python -I -S -E, without a leash": lambda: subprocess.run(python, check=True),
        LEASHED: lambda: process.run(["true"]),
        "true, leashed, no network": lambda: process.run(["true"], network="none"),
    }
    if means().bwrap:
        found[BOXED] = lambda: process.run(["true"], box=Box(writes=(folder,), level="required"))
    return found


def measure() -> list[Row]:
    """One row a case, in milliseconds, and the ratio."""
    with tempfile.TemporaryDirectory() as folder:
        starts = cases(Path(folder))
        taken: dict[str, list[float]] = {name: [] for name in starts}
        for _ in range(STARTS):
            for name, start in starts.items():
                before = time.perf_counter()
                start()
                taken[name].append((time.perf_counter() - before) * 1000)
    rows: list[Row] = [
        {"name": name, "value": round(median(times), 1), "unit": "ms"} for name, times in taken.items()
    ]
    if BOXED in taken:
        ratio = median(box / bare for box, bare in zip(taken[BOXED], taken[LEASHED], strict=True))
        rows.append({"name": RATIO, "value": round(ratio, 2), "unit": "ratio"})
    return rows


def main() -> int:
    """Print the rows; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    rows = measure()
    if parser.parse_args().json:
        print(json.dumps(rows, indent=1))
    else:
        table = Table("start", "median", "unit", "target", title="one start")
        for row in rows:
            target = TARGETS.get(str(row["name"]))
            cells = (*(str(row[name]) for name in ("name", "value", "unit")), f"{target:g}" if target else "")
            table.add_row(*cells)
        Console().print(table)
    return int(any(float(row["value"]) > TARGETS.get(str(row["name"]), 1e9) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
