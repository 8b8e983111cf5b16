"""The last job's rules for posts that nobody asked for: news only, together, and not too many a day."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from bot.config import Settings
from bot.config.github import GithubConfig
from bot.config.models import ProfileConfig
from bot.config.watch import MachineEntry, WatchConfig
from bot.delivery.actions import Workflow
from bot.delivery.finishing import Finish
from bot.delivery.handover import Plan
from bot.github.state import StateFolder
from bot.progress import Reporter
from bot.records import Run
from bot.report.words import catalog
from bot.watch.jobs import Job
from tests.support import runs as samples
from tests.support.github.places import REPO, TOKEN, finished
from tests.support.github.server import Github
from tests.support.phone import services

NEWS = finished("upgrade")
QUIET = finished("optional").model_copy(update={"memory": samples.memory(15535.0, 15535.0)})
FinishAll = Callable[..., list[str]]


@pytest.fixture
def finish(github: Github, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FinishAll:
    """Finishes one watch plan of these runs, as jobs of `den`; the codes of what failed."""
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    environ = {
        "GITHUB_REPOSITORY": REPO,
        "GITHUB_RUN_ID": "7",
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }

    def run(name: str, *records: Run, **watch: Any) -> list[str]:
        settings = Settings(
            cache=tmp_path / "cache",
            languages=("en",),
            profiles={"mine": ProfileConfig(model=Path("m.gguf"))},
            github=GithubConfig(api_url=github.url),
            notify=("env:PHONE",),
            watch=WatchConfig(**{"targets": (f"issue:{REPO}#1",), **watch}, machines={"den": MachineEntry()}),
        )
        plan = Plan(
            kind="watch", jobs=tuple(job(f"{name}-{number}", item) for number, item in enumerate(records))
        )
        for one, item in zip(plan.jobs, records, strict=True):
            path = tmp_path / name / f"run-{one.id}" / "run.json"
            path.parent.mkdir(parents=True)
            path.write_text(item.model_dump_json(by_alias=True))
        console = Console(file=io.StringIO())
        made = Finish(
            settings,
            plan,
            tmp_path / name,
            "success",
            Workflow(environ),
            Reporter(catalog("en").text, console),
            StateFolder(tmp_path / "state"),
            github.clock,
        )
        return [error.code for error in made.do()]

    return run


def job(job_id: str, run: Run) -> Job:
    pair = run.pair
    return Job(
        id=job_id,
        machine="den",
        labels=("self-hosted",),
        profile=run.profile.name,
        base=pair.base.name,
        base_sha=pair.base.sha,
        head=pair.head.name,
        head_sha=pair.head.sha,
        minutes=60,
    )


def comments(github: Github) -> list[str]:
    return [item.body for item in github.world.repos[REPO].issues[1].comments]


def other_pair(run: Run, number: int) -> Run:
    head = run.pair.head.model_copy(update={"name": f"b{number}", "sha": f"{number:040}", "number": number})
    return run.model_copy(update={"pair": run.pair.model_copy(update={"head": head})})


def other_profile(run: Run, name: str) -> Run:
    return run.model_copy(update={"profile": run.profile.model_copy(update={"name": name})})


def test_several_profiles_of_one_machine_make_one_comment(github: Github, finish: FinishAll) -> None:
    assert finish("a", NEWS, other_profile(QUIET, "small")) == []
    (comment,) = comments(github)
    assert comment.count("### b9556 → b9602") == 2
    assert f"/{REPO}/tree/llama-release-bot/runs/b9602)" in comment


def test_a_result_without_news_is_kept_but_not_posted(
    github: Github, finish: FinishAll, tmp_path: Path
) -> None:
    assert finish("a", QUIET) == []
    assert github.calls == []
    (done,) = json.loads((tmp_path / "state" / "state.json").read_text())["done"]
    assert (tmp_path / "state" / done["path"] / "run.json").is_file()
    assert (done["measured"], done["posts"]) == (True, [])
    assert finish("b", QUIET, post_when="always") == []
    assert len(comments(github)) == 1


def test_the_days_posts_are_a_bound_and_the_next_day_has_its_own(github: Github, finish: FinishAll) -> None:
    for number in (9603, 9604, 9605):
        assert finish(str(number), other_pair(NEWS, number), posts_per_day=2) == []
    assert len(comments(github)) == 2
    github.world.now += 86400 + 1
    assert finish("later", other_pair(NEWS, 9606), posts_per_day=2) == []
    assert len(comments(github)) == 3


def test_one_damaged_record_does_not_keep_the_others_from_being_posted(
    github: Github, finish: FinishAll, tmp_path: Path
) -> None:
    unfinished = other_profile(NEWS, "small").model_copy(update={"verdict": None})
    assert finish("a", NEWS, unfinished) == ["run-unfinished"]
    assert len(comments(github)) == 1
    done = json.loads((tmp_path / "state" / "state.json").read_text())["done"]
    assert [bool(item["path"]) for item in done] == [True, False]


def test_doing_it_again_posts_nothing_again(github: Github, finish: FinishAll, tmp_path: Path) -> None:
    assert finish("a", NEWS) == []
    (tmp_path / "a").rename(tmp_path / "gone")
    assert finish("a", NEWS) == []
    assert len(comments(github)) == 1
    assert len(json.loads((tmp_path / "state" / "state.json").read_text())["done"]) == 1


def test_a_phone_hears_of_news_once_and_of_nothing_else(
    github: Github, finish: FinishAll, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with services() as phones:
        monkeypatch.setenv("PHONE", phones.json)
        assert finish("a", QUIET) == []
        assert finish("b", NEWS) == []
        (tmp_path / "b").rename(tmp_path / "gone")
        assert finish("b", NEWS) == []
        assert len(phones.told) == 1 and "#issuecomment-" in phones.messages[0]


def test_with_a_phone_and_no_place_for_posts_the_files_are_named(
    github: Github, finish: FinishAll, monkeypatch: pytest.MonkeyPatch
) -> None:
    with services() as phones:
        monkeypatch.setenv("PHONE", phones.json)
        assert finish("a", NEWS, targets=()) == []
        assert f"/{REPO}/tree/llama-release-bot/runs/b9602/den-" in phones.messages[0]
    assert github.calls == []
