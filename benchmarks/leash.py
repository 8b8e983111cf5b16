"""What the leash costs: the wall time of one command behind the door, beside the same command without it.

Medians of 20 starts of `true`, taken in turn. The target is that of a launch: it may take 60 ms to start.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from statistics import median

from rich.console import Console
from rich.table import Table

from bot import process

STARTS = 20
TARGET_MS = 60.0

CASES: dict[str, Callable[[], object]] = {
    "true, without a leash": lambda: subprocess.run(["true"], check=True),
    "python -I -S -E, without a leash": lambda: subprocess.run(
        [sys.executable, "-I", "-S", "-E", "-c", ""], check=True
    ),
    "true, leashed": lambda: process.run(["true"]),
    "true, leashed, no network": lambda: process.run(["true"], network="none"),
}


def measure() -> list[dict[str, str | float]]:
    """One row a case, in milliseconds."""
    taken: dict[str, list[float]] = {name: [] for name in CASES}
    for _ in range(STARTS):
        for name, start in CASES.items():
            before = time.perf_counter()
            start()
            taken[name].append((time.perf_counter() - before) * 1000)
    return [{"name": name, "value": round(median(times), 1), "unit": "ms"} for name, times in taken.items()]


def main() -> int:
    """Print the rows; 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    rows = measure()
    if parser.parse_args().json:
        print(json.dumps(rows, indent=1))
    else:
        table = Table("start", "median, ms", title=f"target: {TARGET_MS:g} ms at most, leashed")
        for row in rows:
            table.add_row(str(row["name"]), str(row["value"]))
        Console().print(table)
    return int(any(float(row["value"]) > TARGET_MS for row in rows if "leashed" in str(row["name"])))


if __name__ == "__main__":
    sys.exit(main())
