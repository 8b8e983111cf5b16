"""The REST side of self-hosted runners: a repository's, an organisation's and their groups."""

from typing import Any

from tests.support.github.contract import filled
from tests.support.github.rest import RefusalError, Reply, Request, on, repo_of
from tests.support.github.shapes import repository
from tests.support.github.state import Organisation, SelfHosted, World


@on("GET /repos/{owner}/{repo}/actions/runners")
def _of_repository(world: World, request: Request) -> Reply:
    return _listed(repo_of(world, request).runners)


@on("GET /orgs/{org}/actions/runners")
def _of_organisation(world: World, request: Request) -> Reply:
    return _listed(_organisation(world, request).runners)


@on("GET /orgs/{org}/actions/runner-groups")
def _groups(world: World, request: Request) -> Reply:
    found = [
        filled(
            "runner-groups-org",
            {
                "id": number,
                "name": group.name,
                "visibility": "all" if group.repositories is None else "selected",
                "restricted_to_workflows": group.workflows is not None,
                "selected_workflows": group.workflows or [],
            },
        )
        for number, group in _organisation(world, request).groups.items()
    ]
    return Reply(200, {"total_count": len(found), "runner_groups": found})


@on("GET /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories")
def _open_to(world: World, request: Request) -> Reply:
    group = _organisation(world, request).groups[int(request.params["runner_group_id"])]
    shapes = [repository(world.repos[name]) for name in group.repositories or ()]
    found = [
        filled("minimal-repository", {key: item[key] for key in ("id", "name", "full_name")})
        for item in shapes
    ]
    return Reply(200, {"total_count": len(found), "repositories": found})


@on("GET /repos/{owner}/{repo}/actions/permissions/fork-pr-contributor-approval")
def _approval(world: World, request: Request) -> Reply:
    return Reply(200, {"approval_policy": repo_of(world, request).approval})


def _organisation(world: World, request: Request) -> Organisation:
    found = world.organisations.get(request.params["org"])
    if found is None:
        raise RefusalError(404, "Not Found")
    return found


def _listed(runners: list[SelfHosted]) -> Reply:
    return Reply(200, {"total_count": len(runners), "runners": [_shape(item) for item in runners]})


def _shape(item: SelfHosted) -> dict[str, Any]:
    return filled(
        "runner",
        {
            "id": item.id,
            "runner_group_id": item.group,
            "name": item.name,
            "os": "linux",
            "status": "online" if item.online else "offline",
            "busy": False,
            "labels": [{"id": number, "name": label} for number, label in enumerate(item.labels, start=1)],
            "ephemeral": item.ephemeral,
        },
    )
