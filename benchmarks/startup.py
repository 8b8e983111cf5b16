"""How long the commands take to start and a report to render, beside `python -c pass` and `pip --version`.

`python -m benchmarks.startup`. Targets, for a record with 500 commits: the comment in 0.2 s of CPU time; from
a process's start 0.5 s of wall time to the end of `--help`, and to the last report of `render` (it names
each file when it is written; the pictures come last, and matplotlib alone takes longer to import).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from benchmarks.changelog import made_up
from bot import store
from bot.changelog import Circumstances, highlights, suspects
from bot.records import Changes, Run
from bot.report.render import document
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.words import catalog

START_S = 0.5
RENDER_S = 0.2
COMMITS = 500
_CLI = "from bot.cli import main; main()"

Row = dict[str, str | float]


def record() -> Run:
    """The example's run with 500 commits."""
    commits = made_up(COMMITS)
    facts = Circumstances(backend="cuda", architecture="qwen35")
    found = highlights(commits, facts)
    found = found.model_copy(update={"suspects": suspects(commits, facts, ("vram", "decode"))})
    run = import_module("tests.support.runs").run  # by name: mypy knows that folder as `support`
    return Run.model_validate(
        run(changes=Changes(source="commits", commits=tuple(commits)), highlights=found)
    )


def cpu(action: Callable[[], object], times: int) -> float:
    """The least CPU time of several calls, seconds."""
    found = []
    for _ in range(times):
        began = time.process_time()
        action()
        found.append(time.process_time() - began)
    return min(found)


def wall(commands: Sequence[tuple[Sequence[str], str]], times: int) -> list[float]:
    """The least wall time of each command, seconds, to the output line that ends so; empty: to its end.

    They take turns, so that a slow moment hits all.
    """
    found: list[list[float]] = [[] for _ in commands]
    for _ in range(times):
        for times_of, (command, line_end) in zip(found, commands, strict=True):
            times_of.append(_until(command, line_end))
    return [min(item) for item in found]


def _until(command: Sequence[str], line_end: str) -> float:
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line_end and line.rstrip().endswith(line_end):
                break
        taken = time.perf_counter() - began
        process.stdout.read()
    if process.returncode:
        raise SystemExit(f"{command}: exit {process.returncode}")
    return taken if line_end else max(taken, time.perf_counter() - began)


def measure(times: int) -> list[Row]:
    """One row per figure; `target` where one is stated."""
    item, spoken = record(), (catalog("zh-Hans"), catalog("en"))
    document(Speech(tell(item), spoken))  # reads layout and catalogs
    rendered = cpu(lambda: document(Speech(tell(item), spoken)), times)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        store.save(path, item)
        rendering = (sys.executable, "-c", _CLI, "render", str(path), "--out", folder)
        commands: list[tuple[Sequence[str], str]] = [
            ((sys.executable, "-c", "pass"), ""),
            ((sys.executable, "-m", "pip", "--version"), ""),
            ((sys.executable, "-c", _CLI, "--help"), ""),
            (rendering, "report.en.md"),
            (rendering, ""),
        ]
        bare, pip, help_, reports, pictures = wall(commands, times)
    return [
        _row("python -c pass", bare),
        _row("pip --version", pip),
        _row("llama-release-bot --help", help_, START_S),
        _row("llama-release-bot render, reports written", reports, START_S),
        _row("llama-release-bot render, pictures too", pictures),
        _row(f"the comment of {COMMITS} commits, CPU", rendered, RENDER_S),
    ]


def _row(name: str, value: float, target: float | None = None) -> Row:
    row: Row = {"name": name, "value": round(value, 3), "unit": "s"}
    return row if target is None else {**row, "target": target}


def main() -> int:
    """Print the table or, with --json, the rows; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--times", type=int, default=7, help="runs of each command (default 7)")
    options = parser.parse_args()
    rows = measure(options.times)
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            target = f"   (target {row['target']} s)" if "target" in row else ""
            print(f"{row['name']:<44} {row['value']:>7} {row['unit']}{target}")
    return 1 if any(float(row["value"]) > float(row["target"]) for row in rows if "target" in row) else 0


if __name__ == "__main__":
    sys.exit(main())
