"""`doctor --actions`: who can reach the machine with the GPU, and what the workflows need."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from bot.config import Settings
from bot.config.github import GithubConfig
from bot.config.models import MachineConfig, ProfileConfig
from bot.config.watch import MachineEntry, WatchConfig
from bot.doctor.actions import examine_actions, isolation_in_actions, judge
from bot.doctor.repository_facts import Group, Repository, Runner
from bot.doctor.workflow_files import read_workflows
from bot.isolation import Means
from tests.github.conftest import github  # noqa: F401 - a fixture
from tests.support.github.places import REPO, TOKEN
from tests.support.github.server import Github
from tests.support.github.state import Organisation, RunnerGroup, SelfHosted

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


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("{on: push, jobs: {a: {runs-on: [self-hosted], steps: [{uses: 'actions/cache@v4'}]}}}", "cache"),
        ("{jobs: {a: {runs-on: den, steps: [{uses: 'actions/cache/restore@v4'}]}}}", "cache"),
        ("{jobs: {a: {runs-on: den, steps: [{uses: actions/setup-node@v4, with: {cache: npm}}]}}}", "cache"),
        ("{jobs: {a: {runs-on: den, steps: [{uses: actions/setup-node@v4}]}}}", "machine"),
        ("{on: pull_request, jobs: {a: {runs-on: ubuntu-24.04, steps: [{uses: 'actions/cache@v4'}]}}}", "ok"),
        ("{jobs: {a: {uses: ./.github/workflows/bench.yml}}}", "ok"),
        ("{jobs: {a: 5, b: {runs-on: ubuntu-24.04, steps: [7, x]}, c: {steps: {}}}}", "ok"),
    ],
)
def test_what_other_jobs_leave_on_the_runner_is_named(text: str, case: str) -> None:
    assert status({**OWN, "theirs.yml": yaml.safe_load(text)}, "sharing") == f"sharing-{case}"


LABELS = frozenset({"self-hosted", "linux", "gpu"})
FRESH = Runner("den", LABELS, is_online=True, is_ephemeral=True)
BENCH = "octo/bench/.github/workflows/bench.yml@refs/heads/main"


def found(*runners: Runner, groups: dict[int, Group] | None = None, **watch: Any) -> dict[str, str]:
    repository = Repository(OWN, True, "octo/bench", None, runners, groups or {})
    return {
        item.check: item.message.removeprefix(f"doctor-{item.check}-")
        for item in judge(settings(**watch), repository)
    }


@pytest.mark.parametrize(
    ("runner", "runner_case", "workspace"),
    [
        (FRESH, "ok", "ok"),
        (replace(FRESH, is_ephemeral=False), "ok", "kept"),
        (replace(FRESH, is_online=False), "offline", "ok"),
        (replace(FRESH, labels=frozenset({"self-hosted"})), "none", "none"),
    ],
)
def test_a_runner_is_there_and_each_job_is_alone(runner: Runner, runner_case: str, workspace: str) -> None:
    told = found(runner)
    assert (told["runner"], told["workspace"], told["group"]) == (runner_case, workspace, "own")


def test_labels_are_compared_as_github_does_and_each_machine_needs_its_runner() -> None:
    machines = {"den": MachineEntry(labels=("self-hosted", "GPU")), "attic": MachineEntry(labels=("attic",))}
    assert found(FRESH, machines={"den": machines["den"]})["runner"] == "ok"
    assert found(FRESH, machines=machines)["runner"] == "none"


@pytest.mark.parametrize(
    ("repositories", "workflows", "case"),
    [
        (("Octo/Bench",), (BENCH,), "ok"),
        (None, (BENCH,), "wide"),
        (("octo/bench", "octo/other"), (BENCH,), "wide"),
        ((), (BENCH,), "wide"),
        (("octo/bench",), None, "workflows"),
        (("octo/bench",), (), "workflows"),
        (("octo/bench",), (BENCH, "octo/other/.github/workflows/bench.yml@main"), "workflows"),
        (("octo/bench",), ("octo/bench/.github/workflows/ci.yml@refs/heads/main",), "workflows"),
    ],
)
def test_a_group_is_for_this_repository_and_its_bench_alone(
    repositories: tuple[str, ...] | None, workflows: tuple[str, ...] | None, case: str
) -> None:
    group = Group("gpu", repositories, workflows)
    assert found(replace(FRESH, group=2), groups={2: group})["group"] == case


def asked(server: Github, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    server.calls.clear()
    folder = ROOT / ".github" / "workflows"
    told = examine_actions(settings(server.url), REPO, folder)
    return {item.check: item.message.removeprefix(f"doctor-{item.check}-") for item in told}


def test_a_token_without_an_admins_rights_hears_which_right_is_missing(
    github: Github,  # noqa: F811 - the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    told = asked(github, monkeypatch)
    names = ("privacy", "runner", "workspace", "group")
    assert [told[name] for name in names] == ["unseen", "unseen", "unseen", "unseen"]
    github.world.repos[REPO].private = True
    assert asked(github, monkeypatch)["privacy"] == "ok"
    assert len(github.calls) == 2


@pytest.mark.parametrize(
    ("approval", "case"), [("all_external_contributors", "approved"), ("first_time_contributors", "public")]
)
def test_an_admins_token_reads_approval_and_runners(
    github: Github,  # noqa: F811 - the fixture
    monkeypatch: pytest.MonkeyPatch,
    approval: str,
    case: str,
) -> None:
    github.world.tokens[TOKEN].permissions["administration"] = "read"
    repo = github.world.repos[REPO]
    repo.approval, repo.runners = approval, [SelfHosted(1, "den", ephemeral=False)]
    told = asked(github, monkeypatch)
    names = ("privacy", "runner", "workspace", "group")
    assert [told[name] for name in names] == [case, "ok", "kept", "own"]


def test_an_organisations_runners_and_groups_are_read(
    github: Github,  # noqa: F811 - the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rights = github.world.tokens[TOKEN].permissions
    rights |= {"administration": "read", "organization_self_hosted_runners": "read"}
    group = RunnerGroup("gpu", [REPO], [BENCH])
    others = {number: RunnerGroup("other", [REPO], None) for number in range(20, 40)}
    github.world.organisations["octo"] = Organisation([SelfHosted(1, "den", group=7)], {7: group} | others)
    assert [asked(github, monkeypatch)[name] for name in ("runner", "workspace", "group")] == ["ok"] * 3
    assert sum("runner-groups/" in call.path for call in github.calls) == 1
    group.workflows = None
    assert asked(github, monkeypatch)["group"] == "workflows"
    group.repositories = None
    assert asked(github, monkeypatch)["group"] == "wide"
    del rights["organization_self_hosted_runners"]
    assert asked(github, monkeypatch)["runner"] == "unseen"


@pytest.mark.parametrize(
    ("machine", "found", "status", "message"),
    [
        ({}, Means(Path("/usr/bin/bwrap")), "ok", "doctor-isolation-ok"),
        ({}, Means(None), "warning", "doctor-isolation-missing"),
        ({}, Means(None, "bwrap: Permission denied"), "warning", "doctor-isolation-unmet"),
        ({"isolation": "auto"}, Means(None), "warning", "doctor-isolation-none"),
        ({"isolation": "none"}, Means(None), "ok", "doctor-isolation-off"),
    ],
)
def test_a_job_needs_a_sandbox_unless_the_settings_say_otherwise(
    machine: dict[str, Any], found: Means, status: str, message: str
) -> None:
    finding = isolation_in_actions(MachineConfig(**machine), found)
    assert (finding.status, finding.message) == (status, message)
