"""How long the commands take to start and a report takes to render, beside `python -c pass` and `pip --version`.

`python -m benchmarks.startup`. Targets: `--help` and `render` of a real-sized record in 0.5 s of wall time,
from the process's start to its end; the comment of a range of 500 commits in 0.2 s of CPU time.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from benchmarks.changelog import made_up
from bot import store
from bot.changelog import Circumstances, highlights, suspects
from bot.records import Changes, Run
from bot.report.render import document
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.words import catalog
from tests.support.runs import run

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
    return run(changes=Changes(source="commits", commits=tuple(commits)), highlights=found)


def cpu(action: Callable[[], object], times: int) -> float:
    """The least CPU time of several calls, seconds."""
    found = []
    for _ in range(times):
        began = time.process_time()
        action()
        found.append(time.process_time() - began)
    return min(found)


def wall(commands: Sequence[Sequence[str]], times: int) -> list[float]:
    """The median wall time of each command, seconds; they take turns, so that a slow moment hits all."""
    found: list[list[float]] = [[] for _ in commands]
    for _ in range(times):
        for times_of, command in zip(found, commands, strict=True):
            began = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times_of.append(time.perf_counter() - began)
    return [median(item) for item in found]


def measure(times: int) -> list[Row]:
    """One row per figure; `target` where one is stated."""
    item, spoken = record(), (catalog("zh-Hans"), catalog("en"))
    document(Speech(tell(item), spoken))  # reads layout and catalogs
    rendered = cpu(lambda: document(Speech(tell(item), spoken)), times)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.json"
        store.save(path, item)
        commands = [
            (sys.executable, "-c", "pass"),
            (sys.executable, "-m", "pip", "--version"),
            (sys.executable, "-c", _CLI, "--help"),
            (sys.executable, "-c", _CLI, "render", str(path), "--out", folder),
        ]
        bare, pip, help_, render = wall(commands, times)
    return [
        _row("python -c pass", bare),
        _row("pip --version", pip),
        _row("llama-release-bot --help", help_, START_S),
        _row(f"llama-release-bot render, {COMMITS} commits", render, START_S),
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
