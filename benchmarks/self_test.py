"""How often this program calls one real build different from itself, on real servers of this machine.

    python -m benchmarks.self_test [--runs N] [--keep DIR] [--json]

Each run compares b9601 with itself from two folders, twelve rounds with a tiny model (one minute): the
program's own pipeline, from launches to verdict. The same rounds are then decided at the demo's margin and at
narrower ones, each as far as that margin's own looks would have gone. Target: no regression and no
improvement, however busy the machine is; what others took of it is printed. CPU builds of the demo's tags
must be cached.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from rich.console import Console
from rich.table import Table

from bot.config import load
from bot.records import Comparison, Profile, Round, Run
from bot.stats.decide import LOOKS, compare, is_settled
from bot.stats.suspicion import doubt, doubted
from tests.support.real import TAGS, ask, real_config
from tests.support.tiny_model import make_tiny_model

MARGINS = (0.03, 0.05, 0.10)
SCENARIOS = {
    "chat": {"prompt": "chat", "prompt_tokens": 32, "n_predict": 8, "requests": 3},
    "coding": {
        "prompt": "coding",
        "prompt_tokens": 128,
        "n_predict": 48,
        "requests": 3,
        "judged": ["ttft", "prefill", "decode"],
    },
}


@dataclass(frozen=True)
class Row:
    """One figure; `target` is an upper bound, None where none is stated."""

    name: str
    value: float
    unit: str
    target: float | None = None

    @property
    def met(self) -> bool:
        """True where no target is stated."""
        return self.target is None or self.value <= self.target


def measured(folder: Path, runs: int) -> Iterator[Run]:
    """Self-tests one after another, each in a folder of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    model = make_tiny_model(folder / "tiny.gguf")
    settings = load(real_config(folder, model, margin="3%", rounds=12, scenarios=SCENARIOS, evidence=[]))
    for number in range(runs):
        yield ask(settings, folder / f"run-{number}", base=TAGS[1], head=TAGS[1]).run


def decided(rounds: Sequence[Round], profile: Profile, *, doubting: bool) -> tuple[Comparison, ...]:
    """What a run of this profile would have said: it ends at the first look that settles all.

    `doubting`: as it ships, a change that may be the environment's is not believed (`bot.stats.suspicion`).
    """
    for look in LOOKS:
        found = compare(rounds[:look], profile, final=True)
        doubts = doubt(rounds[:look], found, profile.margin) if doubting else None
        if len(rounds) <= look or (is_settled(found) and doubts is None):
            break
    return doubted(found, doubts)


def others(run: Run) -> float:
    """What other programs took of all CPU time in the median launch, in percent."""
    return 100 * median(launch.host.others for launch in run.launches() if launch.host)


def rows(runs: Sequence[Run]) -> list[Row]:
    """The counts at each margin, over all runs and metrics."""
    found = [Row("runs", len(runs), "runs"), Row("others' CPU time, median", median(map(others, runs)), "%")]
    for margin in MARGINS:
        found += _counted(runs, margin, doubting=True)
        found += _counted(runs, margin, doubting=False)
    return found


def _counted(runs: Sequence[Run], margin: float, *, doubting: bool) -> Iterator[Row]:
    counts: Counter[str] = Counter()
    for run in runs:
        profile = run.profile.model_copy(update={"margin": margin})
        counts.update(item.outcome for item in decided(run.valid_rounds, profile, doubting=doubting))
    name = f"margin {margin:.0%}{'' if doubting else ', every change believed'}"
    target = 0 if doubting else None
    yield Row(f"{name}: regressions", counts["regression"], "metrics", target)
    yield Row(f"{name}: improvements", counts["improvement"], "metrics", target)
    yield Row(f"{name}: shown equal", counts["within"], "metrics")
    yield Row(f"{name}: inconclusive", counts["inconclusive"], "metrics")


def table(found: Sequence[Row]) -> Table:
    """The rows as people read them."""
    shown = Table(title="one build against itself, on real servers")
    for column in ("figure", "value", "target"):
        shown.add_column(column, justify="left" if column == "figure" else "right")
    for row in found:
        target = "" if row.target is None else f"{row.target:g}"
        shown.add_row(row.name, f"{row.value:g} {row.unit}", target)
    return shown


def main() -> int:
    """Run it; 1 where a build was called different from itself."""
    parser = argparse.ArgumentParser(description="Real self-tests (A/A) and their false alarms.")
    parser.add_argument("--runs", type=int, default=20, help="self-tests (default 20)")
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--keep", type=Path, help="keep the runs in this folder")
    options = parser.parse_args()
    done = []
    with tempfile.TemporaryDirectory() as temporary:
        for run in measured(options.keep or Path(temporary), options.runs):
            done.append(run)
            said = ", ".join(f"{item.metric} {item.outcome} {item.change:+.1%}" for item in run.comparisons)
            print(f"{len(done)}: others {others(run):.0f} %: {said}", file=sys.stderr, flush=True)
    found = rows(done)
    if options.json:
        print(json.dumps([asdict(row) | {"met": row.met} for row in found], indent=1))
    else:
        Console(width=100).print(table(found))
    return 0 if all(row.met for row in found) else 1


if __name__ == "__main__":
    sys.exit(main())
