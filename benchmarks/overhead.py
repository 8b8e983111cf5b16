"""The bot's own share of a run's wall time.

Without arguments the demo's comparison is run in a folder of its own (two real tags, a real model; minutes,
and much longer where the builds are not in the cache), and its command is timed from outside. With
`--run DIR` a finished run is read instead: then only its steps count, since nobody timed the command.

Own is everything but the compiler, llama.cpp (loading, answering, stopping) and prescribed waits (a GPU's
baseline before a launch, its memory's return after one), which are listed apart. `--help` of the servers and
the trial start of a new build count as the bot's own, because the record does not time them.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import yaml
from rich.console import Console
from rich.table import Table

from bot import resources
from bot.config.settings import default_cache
from bot.demo.model import prepare as prepare_model
from bot.demo.sources import SDISTS
from bot.demo.sources import prepare as prepare_sources
from bot.records import Launch, Run
from bot.store import load_run

TARGET = 3.0
#: Stages of a launch in which the bot only waits, because the method says so.
WAITS = ("baseline", "settle", "cool")
#: Stages of a launch in which the server works; answering is counted request by request.
SERVER = ("load", "ask", "stop")

Row = dict[str, str | float]


@dataclass(frozen=True)
class Shares:
    """Seconds of one run. `outside` is what the command took beyond its steps, 0 where nobody timed it."""

    wall: float
    compiler: float
    server: float
    waits: float
    own: dict[str, float]

    @property
    def percent(self) -> float:
        """The bot's own share of the wall time."""
        return 100 * sum(self.own.values()) / self.wall


def shares(run: Run, wall_s: float | None) -> Shares:
    """Where the time of a finished run went; `wall_s` is what its command took, None where unknown."""
    launches = list(run.launches())
    steps = sum(run.seconds.values())
    compiler = sum(build.seconds for build in run.builds if not build.cached)
    server, waits = _sum(map(_server_s, launches)), _sum(map(_waits_s, launches))
    inside = _sum(map(_process_s, launches))
    own = {
        "the command's start and end": (wall_s or steps) - steps,
        "build step, cached": max(0.0, run.seconds.get("build", 0.0) - compiler),
        "changelog": run.seconds.get("explain", 0.0),
        "between launches": run.seconds.get("prepare", 0.0) + run.seconds.get("measure", 0.0) - inside,
        "launch processes": inside - server - waits,
    }
    return Shares(wall=wall_s or steps, compiler=compiler, server=server, waits=waits, own=own)


def _sum(values: Iterable[float]) -> float:
    return sum(values)


def _process_s(launch: Launch) -> float:
    """From its start to its end, leash included."""
    return launch.seconds.get("process", launch.seconds.get("total", 0.0))


def _server_s(launch: Launch) -> float:
    answering = sum(sample.wall_ms for sample in launch.samples) / 1000
    return answering + sum(launch.seconds.get(stage, 0.0) for stage in SERVER)


def _waits_s(launch: Launch) -> float:
    on_gpu = any(trace.source == "nvml" for trace in launch.memory)
    return sum(launch.seconds.get(stage, 0.0) for stage in WAITS) if on_gpu else 0.0


def measured(folder: Path) -> Shares:
    """The demo's comparison, run anew into `folder`; what it downloads is there before the clock starts."""
    config = demo_config(folder)
    program = Path(sys.executable).with_name("llama-release-bot")
    base, head = (sdist.tag for sdist in SDISTS)
    tags = ("--base", base, "--head", head)
    asked: tuple[str | Path, ...] = ("--config", config, "--out", folder / "run", "--no-wait", *tags)
    began = time.monotonic()
    done = subprocess.run([program, "run", *asked], check=False, stdout=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(done.returncode)  # it has said why
    return shares(load_run(folder / "run" / "run.json"), time.monotonic() - began)


def demo_config(folder: Path) -> Path:
    """The demo's settings as a file of their own."""
    kept = default_cache() / "demo"
    settings = yaml.safe_load((resources.templates() / "demo.yml").read_text())
    settings["upstream"] = {"url": str(prepare_sources(kept))}
    settings["profiles"]["demo"]["model"] = str(prepare_model(kept))
    path = folder / "config.yml"
    path.write_text(yaml.safe_dump(settings))
    return path


def rows(found: Shares) -> list[Row]:
    """Seconds and the share, the target with it."""
    named = {
        "wall time": found.wall,
        "compiler": found.compiler,
        "llama.cpp": found.server,
        "prescribed waits": found.waits,
        **{f"own: {name}": seconds for name, seconds in found.own.items()},
    }
    listed: list[Row] = [
        {"name": name, "value": round(seconds, 3), "unit": "s"} for name, seconds in named.items()
    ]
    share: Row = {"name": "own share", "value": round(found.percent, 2), "unit": "%", "target": TARGET}
    return [*listed, share]


def show(listed: list[Row]) -> None:
    """As a table."""
    table = Table("part of a run", "", "", title=f"target: the bot's own share is {TARGET:g} % at most")
    for row in listed:
        table.add_row(str(row["name"]), f"{row['value']:.2f}", str(row["unit"]))
    Console().print(table)


def main() -> int:
    """Print the rows; 1 when the target is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the rows as JSON")
    parser.add_argument("--run", type=Path, metavar="DIR", help="read this finished run instead")
    asked = parser.parse_args()
    if asked.run:
        found = shares(load_run(asked.run / "run.json"), None)
    else:
        with tempfile.TemporaryDirectory() as folder:
            found = measured(Path(folder))
    listed = rows(found)
    if asked.json:
        print(json.dumps(listed, indent=1))
    else:
        show(listed)
    return int(found.percent > TARGET)


if __name__ == "__main__":
    sys.exit(main())
