"""What a build costs that was built before in part: the same tree in another folder, and the next tags.

Real trees, compiled for real, in a cache of their own. For each pair of tags, both are built cold (what a
clean rebuild per commit costs, the habit of upstream's compare-commits.sh); then head once more, with base
in the cache. Costs are CPU time of all that a build starts, because a clock on the wall also counts what
else the machine does. Targets: the same tree in another folder costs at most 0.05 of a cold build; at least
98 % of the units whose preprocessed text is the same in both trees are hits, so that head compiles none of
them again; a finished build is taken in 1 s (on the clock: the least of several). The whole takes an hour on
two cores; `--targets ggml` takes minutes.
"""

import argparse
import json
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from bot.build import options as table
from bot.build.builder import BuildRequest, folder_of, values_of
from bot.build.cmake import Steps, default_jobs
from bot.build.layout import Folder, hashes
from bot.records import Build, Tag
from tests.support import source_trees

#: Direct neighbours, and tags 48 apart.
PAIRS = ((10067, 10068), (9553, 9601))
SAME_TREE, UNCHANGED, READY_S = 0.05, 0.98, 1.0
Row = dict[str, str | float]


@dataclass(frozen=True)
class Made:
    """One build: its folder, its seconds from an empty folder on (CPU time and the clock's), its units."""

    folder: Folder
    cpu: float
    wall: float
    units: dict[str, int]


@dataclass(frozen=True)
class Place:
    """A cache root of its own; `targets` empty: both programs."""

    root: Path
    targets: tuple[str, ...]

    def make(self, number: int, name: str) -> Made:
        """Build the tree of bN in the folder `name`, with what the cache has so far."""
        tag = Tag(name=f"b{number}", sha=f"{number:040x}", number=number)
        request = BuildRequest(
            side="head", tag=tag, backend="cpu", cache=self.root, export=lambda _sha, _to: None, native=False
        )
        folder = Folder(self.root / "builds" / name)
        source_trees.lay(number, folder.src)
        tools, tree = request.toolchain(), table.known(folder.src)
        targets = self.targets or tuple(table.programs(tree).values())
        steps = Steps(folder, tools, self.root, targets)
        started, spent = time.monotonic(), _children()
        steps.configure(table.compose(tree, "cpu", values_of(request, tools)))
        steps.compile(default_jobs("cpu"), None)
        return Made(folder, _children() - spent, time.monotonic() - started, steps.units())

    def take(self, made: Made) -> float:
        """Seconds from asking for a build that was made before to having it, files hashed; tools included."""
        record = Build(side="head", tag="b0", sha="0" * 40, key=made.folder.root.name, backend="cpu")
        made.folder.finish(record.model_copy(update={"binaries": hashes(made.folder.bin)}))
        return min(self._taken(made.folder) for _ in range(3))

    def _taken(self, folder: Folder) -> float:
        started = time.monotonic()
        request = BuildRequest(
            side="head",
            tag=Tag(name="b0", sha="0" * 40),
            backend="cpu",
            cache=self.root,
            export=lambda _sha, _to: None,
        )
        folder_of(request, request.toolchain())
        if folder.finished() is None:
            raise SystemExit(f"{folder.root}: not finished")
        return time.monotonic() - started


def _children() -> float:
    """CPU seconds of all processes that this one started and saw end."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(pairs: Sequence[tuple[int, int]], targets: tuple[str, ...]) -> Iterator[Row]:
    """The rows of each pair."""
    for base, head in pairs:
        with tempfile.TemporaryDirectory() as folder:
            yield from _pair(
                Place(Path(folder) / "clean", targets), Place(Path(folder) / "kept", targets), base, head
            )


def _pair(clean: Place, kept: Place, base: int, head: int) -> Iterator[Row]:
    cold = clean.make(head, "cold")
    same = clean.make(head, "elsewhere")
    label = f"b{base}..b{head}"
    yield from _cost(f"b{head}, cold", cold)
    yield from _cost(f"b{head}, again in another folder", same)
    yield _row(f"b{head}, again in another folder / cold", same.cpu / cold.cpu, "ratio", most=SAME_TREE)
    yield _row(f"b{head}, taken as it is", clean.take(same), "s", most=READY_S)
    before = kept.make(base, "base")
    after = kept.make(head, "head")
    yield from _cost(f"b{base}, cold", before)
    yield from _cost(f"b{head} after b{base}", after)
    yield _row(f"{label}, head after base / cold", after.cpu / cold.cpu, "ratio")
    both = (before.cpu + after.cpu) / (before.cpu + cold.cpu)
    yield _row(f"{label}, both / two clean rebuilds", both, "ratio")
    unchanged = _unchanged(before.folder, after.folder)
    yield _row(f"{label}, units", sum(after.units.values()), "")
    yield _row(f"{label}, of these with the same preprocessed text", len(unchanged), "")
    hits = _hits(after.folder)
    yield _row(f"{label}, hits", len(hits), "")
    if unchanged:
        once = len(unchanged & hits) / len(unchanged)
        yield _row(f"{label}, compiled once of what both share", once, "share", least=UNCHANGED)
        yield _row(f"{label}, compiled twice", len(unchanged - hits), "units")


def _cost(name: str, made: Made) -> Iterator[Row]:
    yield _row(f"{name}, CPU time", made.cpu, "s")
    yield _row(f"{name}, on the clock", made.wall, "s")


def _row(name: str, value: float, unit: str, **target: float) -> Row:
    return {"name": name, "value": round(value, 3), "unit": unit, **target}


def _unchanged(base: Folder, head: Folder) -> set[str]:
    """Units (paths in the tree) that both builds compiled, from the same text with the same command."""
    texts = _texts(base)
    return {unit for unit, text in _texts(head).items() if texts.get(unit) == text}


def _texts(folder: Folder) -> dict[str, str]:
    commands = json.loads((folder.bld / "compile_commands.json").read_text("utf-8"))
    built = {name: entry for entry in commands if (name := _unit(entry["file"], folder)) in _calls(folder)}
    return {name: _text(entry, folder) for name, entry in built.items()}


def _text(entry: dict[str, str], folder: Folder) -> str:
    """A hash of the unit as the compiler sees it and of its command, without the folder's own name."""
    words = [word for word in shlex.split(entry["command"]) if not word.endswith("ccache")]
    where = words.index("-o")
    argv = [*words[:where], "-E", *words[where + 2 :]]
    text = subprocess.run(argv, cwd=entry["directory"], capture_output=True, check=True).stdout
    parts = ("\0".join(argv).encode(), text)
    return sha256(b"\0".join(part.replace(str(folder.root).encode(), b"") for part in parts)).hexdigest()


def _hits(folder: Folder) -> set[str]:
    return {unit for unit, is_hit in _calls(folder).items() if is_hit}


def _calls(folder: Folder) -> dict[str, bool]:
    """Unit -> whether it came from the cache, by ccache's own log of this build."""
    calls: dict[str, bool] = {}
    unit = ""
    for line in (folder.bld / "ccache-calls.log").read_text("utf-8").splitlines():
        if line.startswith("# "):
            unit = _unit(str((folder.bld / line[2:]).resolve()), folder)
            calls[unit] = False
        elif line in ("direct_cache_hit", "preprocessed_cache_hit"):
            calls[unit] = True
    return calls


def _unit(file: str, folder: Folder) -> str:
    return file.replace(f"{folder.root.resolve()}/", "")


def _is_missed(row: Row) -> bool:
    value = float(row["value"])
    return value > float(row.get("most", value)) or value < float(row.get("least", value))


def main() -> int:
    """Print the table or, with --json, the rows; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument(
        "--pair", nargs=2, type=int, action="append", metavar=("BASE", "HEAD"), help="tag numbers"
    )
    parser.add_argument("--targets", nargs="+", default=(), help="CMake targets; default: both programs")
    options = parser.parse_args()
    rows: list[Row] = []
    for row in measure([tuple(pair) for pair in options.pair or PAIRS], tuple(options.targets)):
        rows.append(row)
        if not options.json:
            limits = (
                [f"at most {row['most']}"]
                if "most" in row
                else [f"at least {row['least']}"]
                if "least" in row
                else []
            )
            print(f"{row['name']:<66} {row['value']:>9} {row['unit']:<6}{''.join(limits)}", flush=True)
    if options.json:
        print(json.dumps(rows, indent=1))
    return int(any(_is_missed(row) for row in rows))


if __name__ == "__main__":
    sys.exit(main())
