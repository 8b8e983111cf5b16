"""Time from a range of commits to a worded changelog, beside git-cliff: `python -m benchmarks.changelog`.

Ours is the whole of it: read, classify, rank, themes, suspects of four metrics, lines in two languages; CPU
time of one core, best of three. Targets: 500 commits in 0.3 s, 5,000 in 3 s. git-cliff (on the package
index; a row says so where it is missing) reads the same commits from a Git repository that is made here,
and groups them by their prefixes: it knows neither paths nor profiles, and the time is its process's.

Reads a JSON list of commits (`--commits FILE`, as `changelog --commits` takes) or makes its own.
"""

import argparse
import json
import random
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bot.changelog import Circumstances, areas, highlights, worded
from bot.changelog.tables import tables
from bot.pipeline.glossaries import lexicons
from bot.records import Commit, FileChange, Highlights

TARGETS = {500: 0.3, 5_000: 3.0}
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
#: git-cliff's own groups, as its documentation has them, for subjects with a free prefix.
_CLIFF = """
[changelog]
body = "{% for group, commits in commits | group_by(attribute='group') %}# {{ group }}\\n\
{% for commit in commits %}- {{ commit.message | split(pat='\\n') | first }}\\n{% endfor %}{% endfor %}"
[git]
conventional_commits = false
filter_unconventional = false
commit_parsers = [
  { message = "(?i)fix|crash", group = "Fixes" },
  { message = "(?i)faster|reduce|optimi", group = "Performance" },
  { message = "(?i)add|support", group = "Features" },
  { message = ".*", group = "Other" },
]
"""

Row = dict[str, str | float]


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


def whole(commits: Sequence[Commit]) -> Highlights:
    """Everything that a run does with its commits."""
    facts = Circumstances(backend="cuda", architecture="qwen35")
    return worded(highlights(commits, facts, metrics=METRICS), lexicons(["zh-Hans", "en"]))


def best_of(times: int, action: Callable[[], object]) -> float:
    """The least CPU time of several calls, seconds; the cache of paths is emptied before each."""
    found = []
    for _ in range(times):
        areas.area_of.cache_clear()
        start = time.process_time()
        action()
        found.append(time.process_time() - start)
    return min(found)


def measure(commits: Sequence[Commit]) -> list[Row]:
    """Ours and git-cliff's over the same commits."""
    count = len(commits)
    row: Row = {
        "name": f"changelog of {count} commits",
        "value": _rounded(best_of(3, lambda: whole(commits))),
    }
    target = TARGETS.get(count)
    return [row | {"unit": "s"} | ({"target": target} if target else {}), cliff(commits)]


def cliff(commits: Sequence[Commit]) -> Row:
    """git-cliff's CPU time over a repository with these commits, best of three; -1 where it is missing."""
    name = f"git-cliff over {len(commits)} commits"
    program = shutil.which("git-cliff") or shutil.which("git-cliff", path=str(Path(sys.executable).parent))
    if program is None:
        return {"name": f"{name} (not installed)", "value": -1.0, "unit": "s"}
    with tempfile.TemporaryDirectory() as folder:
        _repository(Path(folder), commits)
        Path(folder, "cliff.toml").write_text(_CLIFF, encoding="utf-8")
        return {"name": name, "value": _rounded(min(_child(program, folder) for _ in range(3))), "unit": "s"}


def _child(program: str, folder: str) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "--config", "cliff.toml", "--offline", "--output", "changes.md"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _repository(folder: Path, commits: Sequence[Commit]) -> None:
    subprocess.run(["git", "init", "--quiet", "-b", "main", str(folder)], check=True)
    stream = b"".join(_imported(number, item) for number, item in enumerate(commits, start=1))
    subprocess.run(["git", "fast-import", "--quiet"], cwd=folder, input=stream, check=True)


def _imported(number: int, commit: Commit) -> bytes:
    message = f"{commit.subject}\n\n{commit.body}".encode()
    head = f"commit refs/heads/main\nmark :{number}\ncommitter x <x@example.invalid> {number} +0000\n"
    parts = [head.encode(), f"data {len(message)}\n".encode(), message, b"\n"]
    for file in dict.fromkeys(file.path for file in commit.files):
        content = f"{number}\n".encode()
        parts += [f"M 100644 inline {file}\ndata {len(content)}\n".encode(), content]
    return b"".join([*parts, b"\n"])


def _rounded(value: float) -> float:
    return round(value, 4)


def main() -> int:
    """Print the table or, with --json, the rows; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--commits", type=Path)
    options = parser.parse_args()
    start = time.process_time()
    tables()
    lexicons(["zh-Hans"])
    rows: list[Row] = [
        {"name": "load rules and glossary", "value": _rounded(time.process_time() - start), "unit": "s"}
    ]
    if options.commits:
        ranges = [[Commit.model_validate(row) for row in json.loads(options.commits.read_text("utf-8"))]]
    else:
        ranges = [made_up(count) for count in TARGETS]
    for commits in ranges:
        rows += measure(commits)
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
