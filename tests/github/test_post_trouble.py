"""`post` by hand looks at upstream's open issues first, where a report recommends an upgrade."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import store
from bot.delivery.post_command import PostRequest, post
from bot.records import Run
from tests.support.github.llama import UPSTREAM, add_upstream, report
from tests.support.github.places import REPO, TOKEN, finished
from tests.support.github.server import Github

CONFIG = """
profiles: {{ mine: {{ model: m.gguf }} }}
cache: {cache}
upstream: {{ issues: {issues} }}
github: {{ api_url: "{url}" }}
"""
Post = Callable[..., str]


@pytest.fixture
def posted(github: Github, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Post:
    """Posts a run; what became of it."""
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    monkeypatch.delenv("GH_TOKEN", raising=False)

    def one(run: Run, target: str = f"issue:{REPO}#1", issues: str = "auto", *, dry_run: bool = False) -> str:
        config, record = tmp_path / "config.yml", tmp_path / "run.json"
        config.write_text(CONFIG.format(cache=tmp_path / "cache", url=github.url, issues=issues))
        if not record.exists():
            store.save(record, run)
        request = PostRequest([target, str(record)], config, dry_run)
        (outcome,) = post(request, lambda _: None, lambda _: None)
        return str(outcome.action or outcome.error)

    return one


def upstream(github: Github, run: Run) -> None:
    repo = add_upstream(github.world, run.pair.base.sha)
    report(repo, 27001, "crash since b9602")


def asked(github: Github) -> list[str]:
    return [call.method for call in github.calls if UPSTREAM in call.path]


def test_an_upgrade_is_looked_up_and_its_record_keeps_what_was_found(
    github: Github, posted: Post, tmp_path: Path
) -> None:
    run = finished("upgrade")
    upstream(github, run)
    assert posted(run) == "created"
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert "2 open" not in comment.body and "27001" in comment.body
    kept = store.load_run(tmp_path / "run.json")
    assert kept.verdict is not None and kept.verdict.code == "optional"
    assert kept.upstream_trouble is not None and kept.upstream_trouble.items[0].number == 27001
    assert asked(github) == ["GET", "GET"]
    assert posted(run) == "unchanged"
    report(github.world.repos[UPSTREAM], 27002, "crash since b9602")
    assert posted(run) == "edited"


@pytest.mark.parametrize("outcome", ["optional", "hold-regression", "cannot-tell"])
def test_other_verdicts_ask_nothing(github: Github, posted: Post, outcome: str) -> None:
    upstream(github, finished(outcome))
    assert posted(finished(outcome)) == "created"
    assert asked(github) == []


def test_a_rehearsal_reads_and_leaves_the_record_alone(github: Github, posted: Post, tmp_path: Path) -> None:
    run = finished("upgrade")
    upstream(github, run)
    assert posted(run, dry_run=True) == "created"
    assert github.writes() == []
    assert json.loads((tmp_path / "run.json").read_text())["upstream_trouble"] is None


def test_a_file_is_written_with_what_anybody_may_read(
    github: Github, posted: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_TOKEN")
    run = finished("upgrade")
    upstream(github, run)
    assert posted(run, f"file:{tmp_path / 'out.md'}") == "created"
    assert "27001" in (tmp_path / "out.md").read_text()


def test_it_can_be_switched_off(github: Github, posted: Post) -> None:
    run = finished("upgrade")
    upstream(github, run)
    assert posted(run, issues="none") == "created"
    assert asked(github) == []


def test_an_outage_costs_seconds_and_no_post(github: Github, posted: Post) -> None:
    run = finished("upgrade")
    upstream(github, run)
    github.faults.add("primary_403", lambda call: UPSTREAM in call.path, times=99)
    assert posted(run) == "created"
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert "could not be looked up" in comment.body
