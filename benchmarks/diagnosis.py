"""How long the cause of a failed build takes to find in 100 MB, beside `grep -c error` and `wc -l`.

`python -m benchmarks.diagnosis`. Targets, for an error at the log's very end: 2 s of CPU time and of wall
time (the least of several runs, so that a busy machine counts little), and 8 MiB of Python's own memory. The
three logs are what builds leave: commands full of `-Werror`, short lines, and one line without an end.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

from bot.build.diagnosis import diagnose_file

MOST_S, MOST_MIB = 2.0, 8.0
SIZE = 100 * 2**20
_COMMAND = (
    b"[12/364] Building CXX object src/CMakeFiles/llama.dir/llama-graph.cpp.o\n"
    b"ccache /usr/bin/c++ -DGGML_BUILD -I../src/../include -O3 -DNDEBUG -std=gnu++17 -fPIC "
    b"-Werror=return-type -Wall -Wextra -Wfatal-errors -MD -MT src/llama-graph.cpp.o "
    b"-o llama-graph.cpp.o -c ../src/llama-graph.cpp\n"
)
LOGS = {
    "commands": _COMMAND,
    "short lines": b"-- Looking for pthread_create - not found\n",
    "one line": b"x" * 4096,
}
_END = b"\nllama.cpp:1:1: error: unknown type name 'q'\n"

Row = dict[str, str | float]


def best(action: Callable[[], object], times: int) -> tuple[float, float]:
    """The least CPU time and the least wall time of several calls, seconds."""
    cpu, wall = [], []
    for _ in range(times):
        began = time.process_time(), time.perf_counter()
        action()
        cpu.append(time.process_time() - began[0])
        wall.append(time.perf_counter() - began[1])
    return min(cpu), min(wall)


def measure(times: int) -> Iterator[Row]:
    """The rows of each log."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        for name, piece in LOGS.items():
            log.write_bytes(piece * (SIZE // len(piece)) + _END)
            yield from _log(name, log, times)


def _log(name: str, log: Path, times: int) -> Iterator[Row]:
    found = diagnose_file(log)
    if found.cause != "compile-error":
        raise SystemExit(f"{name}: {found.cause}")
    cpu, wall = best(lambda: diagnose_file(log), times)
    yield _row(f"{name}, diagnosis, CPU", cpu, "s", MOST_S)
    yield _row(f"{name}, diagnosis, wall", wall, "s", MOST_S)
    yield _row(f"{name}, memory", _memory(log), "MiB", MOST_MIB)
    for argv in (("grep", "-c", "error"), ("wc", "-l")):
        peer = best(lambda argv=argv: subprocess.run([*argv, log], capture_output=True, check=True), times)[1]  # type: ignore[misc]
        yield _row(f"{name}, {' '.join(argv)}, wall", peer, "s")
        yield _row(f"{name}, diagnosis / {' '.join(argv)}", wall / peer, "ratio")


def _memory(log: Path) -> float:
    tracemalloc.start()
    diagnose_file(log)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def _row(name: str, value: float, unit: str, most: float | None = None) -> Row:
    row: Row = {"name": name, "value": round(value, 3), "unit": unit}
    return row if most is None else {**row, "most": most}


def main() -> int:
    """Print the table or, with --json, the rows; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--times", type=int, default=5, help="runs of each (default 5)")
    options = parser.parse_args()
    rows = []
    for row in measure(options.times):
        rows.append(row)
        if not options.json:
            limit = f"at most {row['most']}" if "most" in row else ""
            print(f"{row['name']:<44} {row['value']:>9} {row['unit']:<6}{limit}", flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    return int(any("most" in row and float(row["value"]) > float(row["most"]) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
