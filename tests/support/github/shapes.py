"""The bodies of REST answers, complete as GitHub's description demands."""

from typing import Any

from tests.support.github.contract import filled
from tests.support.github.state import Comment, Grant, Person, Release, Repo, Thread, World, node_id

WEB = "https://github.com"
API = "https://api.github.com"


def person(who: Person) -> dict[str, Any]:
    """A user or bot."""
    return filled(
        "simple-user",
        {
            "login": who.rest_login,
            "type": "Bot" if who.bot else "User",
            "id": abs(hash(who.login)) % 10**6,
            "node_id": node_id("User", who.login),
            "html_url": f"{WEB}/{who.login}",
            "url": f"{API}/users/{who.login}",
            "site_admin": False,
        },
    )


def repository(repo: Repo, *, in_organisation: bool = False) -> dict[str, Any]:
    """A repository's metadata."""
    owner, name = repo.full_name.split("/")
    return filled(
        "full-repository",
        {
            "id": repo.id,
            "node_id": node_id("Repository", repo.id),
            "name": name,
            "full_name": repo.full_name,
            "owner": person(Person(owner)) | ({"type": "Organization"} if in_organisation else {}),
            "private": repo.private,
            "archived": repo.archived,
            "has_discussions": repo.has_discussions,
            "html_url": f"{WEB}/{repo.full_name}",
            "url": f"{API}/repos/{repo.full_name}",
            "default_branch": "main",
        },
    )


def issue(repo: Repo, thread: Thread) -> dict[str, Any]:
    """An issue or pull request."""
    path = "pull" if thread.kind == "PullRequest" else "issues"
    data: dict[str, Any] = {
        "id": repo.id * 10000 + thread.number,
        "node_id": node_id(thread.kind, f"{repo.id}/{thread.number}"),
        "number": thread.number,
        "title": thread.title,
        "body": thread.body,
        "state": "closed" if thread.closed else "open",
        "locked": thread.locked,
        "comments": len(thread.comments),
        "user": person(thread.author),
        "html_url": f"{WEB}/{repo.full_name}/{path}/{thread.number}",
        "url": f"{API}/repos/{repo.full_name}/issues/{thread.number}",
        "repository_url": f"{API}/repos/{repo.full_name}",
        "labels": [{"name": name} for name in thread.labels],
        "created_at": thread.created,
        "updated_at": thread.updated or thread.created,
    }
    if thread.kind == "PullRequest":
        data["pull_request"] = dict.fromkeys(
            ("url", "html_url", "diff_url", "patch_url"), f"{WEB}/{repo.full_name}/pull/{thread.number}"
        )
    return filled("issue", data)


def comment(repo: Repo, thread: Thread, item: Comment) -> dict[str, Any]:
    """A comment on an issue or pull request."""
    base = f"{API}/repos/{repo.full_name}/issues"
    return filled(
        "issue-comment",
        {
            "id": item.id,
            "node_id": node_id("IssueComment", item.id),
            "body": item.body,
            "user": person(item.author),
            "html_url": comment_url(repo, thread, item),
            "issue_url": f"{base}/{thread.number}",
            "url": f"{base}/comments/{item.id}",
            "created_at": item.created,
            "updated_at": item.created,
            "author_association": "NONE",
        },
    )


def comment_url(repo: Repo, thread: Thread, item: Comment) -> str:
    """Where people read it."""
    if thread.kind == "Discussion":
        return f"{WEB}/{repo.full_name}/discussions/{thread.number}#discussioncomment-{item.id}"
    path = "pull" if thread.kind == "PullRequest" else "issues"
    return f"{WEB}/{repo.full_name}/{path}/{thread.number}#issuecomment-{item.id}"


def release(repo: Repo, item: Release) -> dict[str, Any]:
    """A release."""
    owner = Person(repo.full_name.split("/", maxsplit=1)[0])
    data: dict[str, Any] = {
        "id": item.id,
        "node_id": node_id("Release", item.id),
        "tag_name": item.tag,
        "name": item.name,
        "draft": False,
        "prerelease": False,
        "author": person(owner),
        "assets": [],
        "html_url": f"{WEB}/{repo.full_name}/releases/tag/{item.tag}",
        "url": f"{API}/repos/{repo.full_name}/releases/{item.id}",
    }
    if item.body is not None:
        data["body"] = item.body
    return filled("release", data)


def reaction(key: tuple[str, str], number: int) -> dict[str, Any]:
    """A reaction: `key` is login and content."""
    return filled(
        "reaction",
        {
            "id": number,
            "node_id": node_id("Reaction", number),
            "user": person(Person(key[0])),
            "content": key[1],
            "created_at": "2026-06-01T00:00:00Z",
        },
    )


def permission(login: str, level: str) -> dict[str, Any]:
    """The answer about a collaborator: maintain counts as write, triage as read."""
    coarse = {"maintain": "write", "triage": "read"}.get(level, level)
    user = filled("nullable-collaborator", {"login": login, "type": "User", "role_name": level})
    return {"permission": coarse, "role_name": level, "user": user}


def rate_limit(world: World, grant: Grant) -> dict[str, Any]:
    """Plenty is left."""
    left = {"limit": 5000, "used": 0, "remaining": 5000, "reset": int(world.now) + 3600}
    return {"rate": left, "resources": {"core": left, "search": left, "graphql": left}}
