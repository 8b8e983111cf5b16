"""Watching at home: one machine looks, measures, posts, and remembers in its own cache."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bot.config import load
from bot.delivery import home as home_module
from bot.delivery.home import Home
from bot.errors import environment
from bot.progress import Reporter
from bot.report.words import catalog
from tests.support.github.places import finished
from tests.support.repository import FakeUpstream

NOW = 1_796_000_000.0
CONFIG = """
cache: {cache}
upstream: {{ url: "{url}" }}
machine: {{ name: den }}
watch: {{ machines: {{ other: {{}}, den: {{ profiles: [mine] }} }} }}
profiles: {{ mine: {{ model: m.gguf }}, second: {{ model: m.gguf }} }}
"""


class StillClock:
    """Time that only a test moves."""

    def __init__(self) -> None:
        self.time = NOW

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        raise KeyboardInterrupt


@pytest.fixture
def upstream(tmp_path: Path) -> FakeUpstream:
    made = FakeUpstream(tmp_path / "upstream")
    made.line("b100", "b101", "b102")
    return made


@pytest.fixture
def config(upstream: FakeUpstream, tmp_path: Path) -> Path:
    path = tmp_path / "config.yml"
    path.write_text(CONFIG.format(cache=tmp_path / "cache", url=upstream.url))
    return path


def made(config: Path, clock: StillClock) -> tuple[Home, io.StringIO]:
    said = io.StringIO()
    return Home(load(config), Reporter(catalog("en").text, Console(file=said, width=200)), clock), said


def due(home: Home) -> list[tuple[str, str, str, str]]:
    return [(job.machine, job.profile, job.base, job.head) for job in home.look().jobs]


def test_only_this_machines_pairs_are_due_and_what_was_measured_is_the_next_baseline(
    config: Path, upstream: FakeUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, asked = StillClock(), []

    def run(settings: Any, request: Any, reporter: Any) -> tuple[Any, None]:
        asked.append((request.base, request.head, request.profile, request.asked_by))
        return finished("optional"), None

    monkeypatch.setattr(home_module, "run", run)
    home, _ = made(config, clock)
    assert due(home) == [("den", "mine", "b101", "b102")]
    home.work(home.look())
    assert asked == [("b101", "b102", "mine", "watch")]
    assert due(home) == []
    upstream.line("b103")
    clock.time += 2 * 86400
    assert due(home) == [("den", "mine", "b102", "b103")]


def test_a_run_that_fails_is_said_and_the_tag_is_left_alone(
    config: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*_: Any) -> Any:
        raise environment("no-gpu")

    monkeypatch.setattr(home_module, "run", run)
    clock = StillClock()
    home, said = made(config, clock)
    home.work(home.look())
    assert "No NVIDIA GPU was found" in said.getvalue() and "The watch goes on" in said.getvalue()
    clock.time += 9 * 86400
    assert due(home) == []


def test_an_upstream_that_is_away_does_not_end_the_watch(config: Path, upstream: FakeUpstream) -> None:
    upstream.path.rename(upstream.path.with_name("away"))
    home, said = made(config, StillClock())
    with pytest.raises(KeyboardInterrupt):
        home.watch()
    assert "The watch goes on" in said.getvalue()


def test_watch_once_prints_the_pairs_to_run(config: Path) -> None:
    code = "import bot.http, bot.cli; bot.http.SystemClock.now = lambda self: 1796000000.0; bot.cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "watch", "--once", "--json", "--config", config],
        cwd=Path(__file__).parents[2],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    facts = json.loads(done.stdout)
    (pair,) = facts["pairs"]
    assert (pair["base"], pair["head"], pair["profile"], pair["machine"]) == ("b101", "b102", "mine", "den")
    assert len(pair["base_sha"]) == len(pair["head_sha"]) == 40
    assert facts["moved"] == []
