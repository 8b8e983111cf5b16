"""The REST side of GitHub Actions: runs of a workflow, listed newest first, cancelled and started again."""

from datetime import UTC, datetime
from typing import Any

from tests.support.github import assumed
from tests.support.github.contract import filled
from tests.support.github.rest import RefusalError, Reply, Request, on, page, repo_of
from tests.support.github.shapes import API, WEB, repository
from tests.support.github.state import Repo, WorkflowRun, World


@on("GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs")
def _runs(world: World, request: Request) -> Reply:
    repo = repo_of(world, request)
    found = [item for item in repo.workflow_runs if item.workflow == request.params["workflow_id"]]
    shown = [_shape(repo, item) for item in page(found[::-1], request)]
    return Reply(200, {"total_count": len(found), "workflow_runs": shown})


@on("GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs")
def _jobs(world: World, request: Request) -> Reply:
    run = _run_of(world, request)
    began = datetime.fromtimestamp(run.began, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    # GitHub says null until a job is over; its description lists no null among the values.
    fixed = {"run_id": run.id, "started_at": began, "conclusion": "success"}
    shown = [filled("job", {**fixed, "name": name, "status": status}) for name, status in run.jobs.items()]
    return Reply(200, {"total_count": len(shown), "jobs": shown})


@on("POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel")
def _cancel(world: World, request: Request) -> Reply:
    run = _run_of(world, request)
    if run.status == "completed":
        raise RefusalError(409, assumed.NOT_RUNNING)
    run.status, run.conclusion = "completed", "cancelled"
    return Reply(202, {})


@on("POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs")
def _rerun(world: World, request: Request) -> Reply:
    run = _run_of(world, request)
    run.status, run.conclusion = "queued", None
    return Reply(201, {})


def _run_of(world: World, request: Request) -> WorkflowRun:
    for item in repo_of(world, request).workflow_runs:
        if str(item.id) == request.params["run_id"]:
            return item
    raise RefusalError(404, "Not Found")


def _shape(repo: Repo, item: WorkflowRun) -> dict[str, Any]:
    home = filled("minimal-repository", {key: repository(repo)[key] for key in ("id", "name", "full_name")})
    return filled(
        "workflow-run",
        {
            "id": item.id,
            "display_title": item.title,
            "status": item.status,
            "conclusion": item.conclusion,
            "event": "issue_comment",
            "html_url": f"{WEB}/{repo.full_name}/actions/runs/{item.id}",
            "url": f"{API}/repos/{repo.full_name}/actions/runs/{item.id}",
            "repository": home,
            "head_repository": home,
        },
    )
