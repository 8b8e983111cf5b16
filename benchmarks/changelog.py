"""Time to read, classify and rank a range of commits, and to find suspects: `python -m benchmarks.changelog`.

Target: 500 commits in 0.3 s of one core (CPU time, best of five; loading the rules is a row of its own).
Reads a JSON list of commits (`--commits FILE`, as `changelog --commits` takes) or makes one of its own.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.changelog import Circumstances, areas, highlights, suspects
from bot.changelog.tables import tables
from bot.records import Commit, FileChange

TARGET_S = 0.3
COMMITS = 500
METRICS = ("vram", "prefill", "decode", "ttft")
_FOLDERS = (
    "ggml/src/ggml-cuda/mmq.cu",
    "ggml/src/ggml-vulkan/ggml-vulkan.cpp",
    "tools/server/server-context.cpp",
    "src/llama-kv-cache.cpp",
    "src/models/model{n}.cpp",
    "common/arg.cpp",
    "docs/page{n}.md",
    ".github/workflows/build{n}.yml",
    "tools/ui/src/file{n}.ts",
)
_SUBJECTS = (
    "server : fix crash of slot {n} when the prompt cache is full",
    "CUDA: faster MMQ for quant type {n}",
    "vulkan: reduce memory usage of pipeline {n}",
    "llama : add support for model family {n}",
    "common : rename --option-{n} and deprecate the old argument",
    "docs : fix typo in page {n}",
    "ui: fix button {n}",
    "add fast path for case {n}",
)


def made_up(count: int) -> list[Commit]:
    """A range with eight files and 500 characters of body per commit, the same each time."""
    chance = random.Random(7)
    return [_commit(number, chance) for number in range(count)]


def _commit(number: int, chance: random.Random) -> Commit:
    files = [chance.choice(_FOLDERS).format(n=chance.randrange(9_999)) for _ in range(8)]
    subject = chance.choice(_SUBJECTS).format(n=number)
    return Commit(
        sha=f"{number:040x}",
        subject=f"{subject} (#{20_000 + number})",
        body="* fix the race of the buffers and say so in the comment\n" * 9,
        pr=20_000 + number,
        files=tuple(FileChange(path=path, added=chance.randrange(300), deleted=9) for path in files),
    )


def best_of(times: int, action: Callable[[], object]) -> float:
    """The least CPU time of several calls, seconds; the cache of paths is emptied before each."""
    found = []
    for _ in range(times):
        areas.area_of.cache_clear()
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


def measure(commits: Sequence[Commit]) -> list[dict[str, str | float]]:
    """One row per figure; `target` where one is stated."""
    start = time.process_time()
    tables()
    loading = time.process_time() - start
    facts = Circumstances(backend="cuda", architecture="qwen35")
    ranked = best_of(5, lambda: highlights(commits, facts))
    suspected = best_of(5, lambda: suspects(commits, facts, METRICS))
    per_500 = ranked * COMMITS / max(1, len(commits))
    return [
        {"name": "load the rules", "value": round(loading, 4), "unit": "s"},
        {"name": f"highlights of {len(commits)} commits", "value": round(ranked, 4), "unit": "s"},
        {"name": "highlights per 500 commits", "value": round(per_500, 4), "unit": "s", "target": TARGET_S},
        {"name": f"suspects, 4 metrics, {len(commits)} commits", "value": round(suspected, 4), "unit": "s"},
    ]


def main() -> int:
    """Print the table or, with --json, the rows; 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--commits", type=Path)
    options = parser.parse_args()
    commits = made_up(COMMITS)
    if options.commits:
        commits = [Commit.model_validate(row) for row in json.loads(options.commits.read_text("utf-8"))]
    rows = measure(commits)
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            target = f"   (target {row['target']} s)" if "target" in row else ""
            print(f"{row['name']:<44} {row['value']:>8} {row['unit']}{target}")
    missed = any(float(row["value"]) > float(row["target"]) for row in rows if "target" in row)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
