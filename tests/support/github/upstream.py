"""What is asked of llama.cpp's own repository: its issues, and where a commit comes from. Only reads."""

from typing import Any

from tests.support.github import shapes
from tests.support.github.contract import filled
from tests.support.github.rest import RefusalError, Reply, Request, on, page, repo_of
from tests.support.github.state import Commit, Repo, Thread, World


@on("GET /repos/{owner}/{repo}/issues")
def _issues(world: World, request: Request) -> Reply:
    """Issues and pull requests together, as GitHub lists them."""
    repo, query = repo_of(world, request), request.query
    found = [thread for thread in repo.issues.values() if _fits(thread, query)]
    by = query.get("sort", "created")
    found.sort(
        key=lambda item: (item.updated or item.created if by == "updated" else item.created, item.number),
        reverse=query.get("direction", "desc") == "desc",
    )
    return Reply(200, [shapes.issue(repo, thread) for thread in page(found, request)])


def _fits(thread: Thread, query: dict[str, str]) -> bool:
    state = query.get("state", "open")
    wanted = set(filter(None, query.get("labels", "").split(",")))
    return (
        not thread.gone
        and state in ("all", "closed" if thread.closed else "open")
        and wanted <= set(thread.labels)
        and (thread.updated or thread.created) >= query.get("since", "")
    )


@on("GET /repos/{owner}/{repo}/git/commits/{commit_sha}")
def _git_commit(world: World, request: Request) -> Reply:
    commit = _commit_of(repo_of(world, request), request.params["commit_sha"])
    who = {"name": "A Dev", "email": "dev@example.org", "date": commit.at}
    data = {"sha": commit.sha, "committer": who, "author": who, "message": "one"}
    return Reply(200, filled("git-commit", data))


@on("GET /repos/{owner}/{repo}/compare/{basehead}")
def _compare(world: World, request: Request) -> Reply:
    """`status` says how the right side lies to the left one; only the main line has history here."""
    repo = repo_of(world, request)
    left, _, right = request.params["basehead"].partition("...")
    commit = _commit_of(repo, left)
    if right != "master":
        raise RefusalError(404, "Not Found")
    # Nobody on GitHub need have written a commit: then these are empty.
    end = filled("commit", {"sha": commit.sha, "author": {}, "committer": {}})
    data: dict[str, Any] = {
        "status": "ahead" if commit.on_main else "diverged",
        "base_commit": end,
        "merge_base_commit": end,
        "commits": [],
        "files": [],
    }
    return Reply(200, filled("commit-comparison", data))


@on("GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls")
def _pulls(world: World, request: Request) -> Reply:
    repo = repo_of(world, request)
    commit = _commit_of(repo, request.params["commit_sha"])
    found = [repo.issues[number] for number in commit.pulls]
    return Reply(200, page([_pull(repo, thread, commit.sha) for thread in found], request))


@on("GET /repos/{owner}/{repo}/commits/{ref}/check-suites")
def _check_suites(world: World, request: Request) -> Reply:
    commit = _commit_of(repo_of(world, request), request.params["ref"])
    data = {"id": 1, "created_at": commit.pushed, "status": "completed"}
    suites = [filled("check-suite", data)] if commit.pushed else []
    return Reply(200, {"total_count": len(suites), "check_suites": page(suites, request)})


def _commit_of(repo: Repo, sha: str) -> Commit:
    if sha not in repo.commits:
        raise RefusalError(404, "Not Found")
    return repo.commits[sha]


def _pull(repo: Repo, thread: Thread, sha: str) -> dict[str, Any]:
    owner, name = repo.full_name.split("/")
    home = filled(
        "repository", {"id": repo.id, "name": name, "full_name": repo.full_name, "owner": _owner(owner)}
    )
    end = {"label": "x:y", "ref": "y", "repo": home, "sha": sha, "user": _owner(owner)}
    return filled(
        "pull-request-simple",
        {
            "number": thread.number,
            "title": thread.title,
            "state": "closed" if thread.closed else "open",
            "user": shapes.person(thread.author),
            "head": end,
            "base": {**end, "ref": "master"},
        },
    )


def _owner(login: str) -> dict[str, Any]:
    return filled("simple-user", {"login": login, "type": "Organization"})
