"""Watching at home: what is posted is looked up first, and looked over again a week later."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bot import store
from bot.config import load
from bot.delivery import home as home_module
from bot.delivery.home import Home
from bot.pipeline.checkpoint import RunFolder
from bot.progress import Reporter
from bot.records import Tag
from bot.report.words import catalog
from bot.watch.state import WEEK_S
from tests.support.github.llama import UPSTREAM, add_upstream, report
from tests.support.github.places import REPO, TOKEN, finished
from tests.support.github.server import Github
from tests.support.repository import FakeUpstream

CONFIG = """
cache: {cache}
languages: [en]
upstream: {{ url: "{url}", issues: ggml-org/llama.cpp }}
github: {{ api_url: "{api}" }}
machine: {{ name: den }}
watch: {{ every: tag, digest: false, targets: ["issue:octo/bench#1"], machines: {{ den: {{}} }} }}
profiles: {{ mine: {{ model: m.gguf }} }}
"""


class PauseError(Exception):
    """The watch would wait for the next look."""


class Clock:
    """The stand-in's time; the watch's wait ends the test's look."""

    def __init__(self, github: Github) -> None:
        self.github = github

    def now(self) -> float:
        return self.github.world.now

    def sleep(self, seconds: float) -> None:
        if seconds == home_module.EVERY_S:
            raise PauseError
        self.github.clock.sleep(seconds)


@pytest.fixture
def home(github: Github, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Home:
    """A machine whose runs recommend an upgrade from b9556 to b9602."""
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    upstream = FakeUpstream(tmp_path / "upstream")
    shas = upstream.line("b9556", "b9602")
    add_upstream(github.world, *shas.values())
    github.world.now = 1_796_000_000.0
    ends = {
        side: Tag(name=name, sha=shas[name], number=int(name[1:]))
        for side, name in (("base", "b9556"), ("head", "b9602"))
    }
    made = finished("upgrade")
    made = made.model_copy(update={"pair": made.pair.model_copy(update=ends)})

    def run(*_: Any) -> Any:
        folder = RunFolder(tmp_path / "run")
        store.save(folder.record, made)
        return made, folder

    monkeypatch.setattr(home_module, "run", run)
    config = tmp_path / "config.yml"
    config.write_text(CONFIG.format(cache=tmp_path / "cache", url=upstream.url, api=github.url))
    said = Reporter(catalog("en").text, Console(file=io.StringIO()))
    return Home(load(config), said, Clock(github))


def look(home: Home) -> None:
    with pytest.raises(PauseError):
        home.watch()


def test_a_run_is_looked_up_before_it_is_posted_and_its_files_say_so(
    github: Github, home: Home, tmp_path: Path
) -> None:
    report(github.world.repos[UPSTREAM], 27001, "crash since b9602")
    look(home)
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert "ne open report upstream names b9602" in comment.body
    kept = store.load_run(tmp_path / "run" / "run.json")
    assert kept.verdict is not None and kept.verdict.code == "optional"
    assert "27001" in (tmp_path / "run" / "report.md").read_text()


def test_a_week_later_the_report_is_looked_over_once(github: Github, home: Home) -> None:
    look(home)
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert "Looked over again" not in comment.body
    report(github.world.repos[UPSTREAM], 27001, "crash since b9602", created="2026-12-01T00:00:00Z")
    github.calls.clear()
    look(home)
    assert github.calls == []
    github.world.now += WEEK_S
    look(home)
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert "27001" in comment.body and "Looked over again on 2026-12-0" in comment.body
    github.calls.clear()
    look(home)
    assert github.calls == []
