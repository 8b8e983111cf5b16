"""`doctor --actions`: who can reach the machine with the GPU, and what the workflows need."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.config import Settings
from bot.config.github import GithubConfig
from bot.config.models import ProfileConfig
from bot.config.watch import WatchConfig
from bot.doctor.actions import Repository, examine_actions, judge, read_workflows
from tests.github.conftest import github  # noqa: F401 - a fixture
from tests.support.github.places import REPO, TOKEN
from tests.support.github.server import Github

ROOT = Path(__file__).parents[2]
OWN = read_workflows(ROOT / ".github" / "workflows")


def settings(api: str = "https://api.github.com", **watch: Any) -> Settings:
    return Settings(
        profiles={"mine": ProfileConfig(model=Path("m.gguf"))},
        watch=WatchConfig(**watch),
        github=GithubConfig(api_url=api),
    )


def status(workflows: dict[str, Any], check: str) -> str:
    found = {item.check: item for item in judge(settings(), Repository(workflows, None))}
    return found[check].message.removeprefix("doctor-")


def test_the_shipped_workflows_pass() -> None:
    assert status(OWN, "workflows") == "workflows-ok"
    assert status(OWN, "reach") == "reach-ok"


@pytest.mark.parametrize(
    ("text", "open_to_all"),
    [
        ("{on: pull_request, jobs: {a: {runs-on: [self-hosted, gpu]}}}", True),
        ("{on: [push, pull_request], jobs: {a: {runs-on: den}}}", True),
        ("{on: {pull_request_target: {}}, jobs: {a: {runs-on: '${{ matrix.os }}'}}}", True),
        ("{on: {pull_request: {}}, jobs: {a: {uses: ./.github/workflows/bench.yml}}}", True),
        ("{on: {workflow_run: {}}, jobs: {a: {runs-on: {group: gpu}}}}", True),
        ("{on: pull_request, jobs: {a: {runs-on: ubuntu-24.04}}}", False),
        ("{on: push, jobs: {a: {runs-on: [self-hosted, gpu]}}}", False),
    ],
)
def test_a_workflow_by_which_a_stranger_reaches_the_runner_is_named(text: str, open_to_all: bool) -> None:
    found = status({**OWN, "theirs.yml": yaml.safe_load(text)}, "reach")
    assert found == ("reach-open" if open_to_all else "reach-ok")


def test_a_workflow_that_is_missing_or_no_yaml_is_named(tmp_path: Path) -> None:
    (tmp_path / "bench.yml").write_text("{")
    (found, *_) = judge(settings(), Repository(read_workflows(tmp_path), None))
    assert found.args["names"] == "bench.yml, watch.yml, command.yml"


@pytest.mark.parametrize(("private", "case"), [(True, "privacy-ok"), (False, "privacy-public")])
def test_whether_it_is_private_is_asked_of_github(
    github: Github,  # noqa: F811 - the fixture
    monkeypatch: pytest.MonkeyPatch,
    private: bool,
    case: str,
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    github.world.repos[REPO].private = private
    found = examine_actions(settings(github.url), REPO, ROOT / ".github" / "workflows")
    assert found[-1].message == f"doctor-{case}"
    assert len(github.calls) == 1
