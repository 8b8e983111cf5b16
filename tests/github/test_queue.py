"""Who is before whom on which machine, as GitHub lists it: in the progress comment and in `/bench status`."""

from typing import Any

import pytest

from bot.delivery.run_commands import MOST_LISTED, active_runs
from bot.github.client import Client
from bot.github.queue import Active, ahead_of, read_jobs, shown
from bot.github.workflow_runs import WorkflowRun, WorkflowRuns
from tests.support.github.places import REPO
from tests.support.github.server import Github
from tests.support.github.state import WorkflowRun as Listed

BENCH = "bench / den · mine · b9556..b9602"
SHA = "0123456789abcdef0123456789abcdef01234567"


@pytest.fixture
def runs(github: Github, client: Client) -> WorkflowRuns:
    """The runs of the repository as run 900 sees them."""
    return WorkflowRuns(client, REPO, own=900)


def listed(github: Github, *runs: Listed) -> None:
    github.world.repos[REPO].workflow_runs += runs


def test_what_runs_and_waits_is_listed_by_machine_in_order(github: Github, runs: WorkflowRuns) -> None:
    began = github.world.now - 600
    listed(
        github,
        Listed(810, "watch", "completed", "success", workflow="watch.yml"),
        Listed(
            820,
            "watch",
            "in_progress",
            workflow="watch.yml",
            jobs={"gate": "completed", BENCH: "in_progress", "bench / den · big · b9556..b9602": "queued"},
            began=began,
        ),
        Listed(830, "bench 12 · 71", "queued", jobs={"gate": "completed", BENCH: "waiting"}),
        Listed(840, "bench 13 · 72", "in_progress", jobs={f"bench / attic · mine · b1..{SHA}": "queued"}),
        Listed(850, "bench 14 · 73", "in_progress", jobs={"gate": "in_progress"}),
        Listed(860, "bench 15 · 74", "in_progress", jobs={BENCH: "completed", "post": "in_progress"}),
        Listed(900, "bench 16 · 75", "in_progress", jobs={BENCH: "queued"}),
        Listed(910, "watch", "in_progress", workflow="watch.yml", jobs={"gate": "in_progress"}),
    )
    active = active_runs(runs)
    assert [(row.id, row.line, row.stage, row.place) for row in shown(active)] == [
        ("820", "watch · den · mine · b9556..b9602", "running", None),
        ("850", "/bench @ 14", "accepted", None),
        ("860", "/bench @ 15", "writing", None),
        ("820", "watch · den · big · b9556..b9602", "queued", 2),
        ("830", "/bench @ 12 · den · mine · b9556..b9602", "queued", 3),
        ("840", f"/bench @ 13 · attic · mine · b1..{SHA[:12]}", "queued", 1),
    ]
    ahead = ahead_of(active, "den")
    assert [(job.run, job.profile, job.status, job.for_s) for job in ahead] == [
        (820, "mine", "running", 600.0),
        (820, "big", "waiting", 0.0),
        (830, "mine", "waiting", 0.0),
    ]
    assert ahead_of(active, "elsewhere") == ()


def test_a_crowd_costs_a_bounded_number_of_requests(github: Github, runs: WorkflowRuns) -> None:
    listed(github, *(Listed(number, f"bench 1 · {number}", "queued") for number in range(100, 160)))
    active = active_runs(runs)
    assert [item.run.id for item in active] == list(range(100, 100 + MOST_LISTED))
    assert len(github.calls) == 2 + MOST_LISTED


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {"jobs": None},
        {"jobs": ["x", {"name": "gate"}, {"name": "bench / den · mine"}, {}]},
        {"jobs": [{"name": "den · mine · b1..b2; rm -rf ~", "status": "queued"}]},
    ],
)
def test_a_job_with_another_name_is_none_of_ours(data: Any) -> None:
    assert read_jobs(data, WorkflowRun(id=1, status="queued", conclusion=None, url=""), 0.0) == ()


def test_a_job_whose_beginning_is_not_known_counts_as_just_begun() -> None:
    run = WorkflowRun(id=1, status="in_progress", conclusion=None, url="")
    entry = {"name": BENCH, "status": "in_progress", "started_at": None}
    (job,) = read_jobs({"jobs": [entry]}, run, 1000.0)
    assert (job.status, job.for_s) == ("running", 0.0)
    assert shown([Active(run, (job,))])[0].stage == "running"
