"""The REST side: a function for each operation that is in use, over the state."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from tests.support.github import assumed, shapes
from tests.support.github.contract import document, filled, filled_entry
from tests.support.github.state import Comment, Grant, Repo, Thread, World


@dataclass
class Request:
    """One request, taken apart."""

    method: str
    path: str
    query: dict[str, str]
    body: dict[str, Any]
    grant: Grant
    params: dict[str, str] = field(default_factory=dict)
    template: str = ""


@dataclass
class Reply:
    """One answer; `data` None is an empty body."""

    status: int
    data: Any = None
    headers: dict[str, str] = field(default_factory=dict)


class RefusalError(Exception):
    """An error of the API's."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(status, message)
        self.reply = Reply(status, {"message": message, "documentation_url": "https://docs.github.com/rest"})


Handler = Callable[[World, Request], Reply]
HANDLERS: dict[str, Handler] = {}


def on(operation: str) -> Callable[[Handler], Handler]:
    """Registers the function for an operation of the description."""

    def register(handler: Handler) -> Handler:
        HANDLERS[operation] = handler
        return handler

    return register


def template_of(method: str, path: str) -> tuple[str, dict[str, str]] | None:
    """The description's path for a request, the most literal first, and its parameters."""
    paths = [path_ for path_, methods in document()["paths"].items() if method.lower() in methods]
    for template in sorted(paths, key=lambda text: text.count("{")):
        pattern = re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)
        if match := re.fullmatch(pattern, path):
            return template, {name: unquote(value) for name, value in match.groupdict().items()}
    return None


def answer(world: World, request: Request) -> Reply:
    """Do it, with the permissions and limits that `assumed` names."""
    operation = f"{request.method} {request.template}"
    try:
        moved = _moved(world, request)
        if moved:
            return moved
        need = assumed.REST_NEEDS.get(operation)
        if need and request.grant.permissions.get(need.area) != need.level:
            raise RefusalError(403, assumed.FORBIDDEN)
        return HANDLERS[operation](world, request)
    except RefusalError as error:
        return error.reply


def repo_of(world: World, request: Request) -> Repo:
    """The repository that the path names."""
    repo = world.repo(f"{request.params['owner']}/{request.params['repo']}")
    if repo is None:
        raise RefusalError(404, "Not Found")
    return repo


def thread_of(world: World, request: Request) -> Thread:
    """The issue or pull request that the path names."""
    thread = repo_of(world, request).issues.get(int(request.params["issue_number"]))
    if thread is None:
        raise RefusalError(404, "Not Found")
    if thread.gone:
        raise RefusalError(410, assumed.GONE)
    return thread


def comment_of(world: World, request: Request) -> tuple[Repo, Thread, Comment]:
    """The comment that the path names."""
    repo = repo_of(world, request)
    for thread in repo.issues.values():
        for item in thread.comments:
            if str(item.id) == request.params["comment_id"]:
                return repo, thread, item
    raise RefusalError(404, "Not Found")


def body_of(request: Request, longest: int = assumed.LONGEST_BODY) -> str:
    """The text to post."""
    text = str(request.body["body"])
    if len(text) > longest:
        raise RefusalError(422, assumed.TOO_LONG)
    return text


def page(items: list[Any], request: Request) -> list[Any]:
    """One page of a list."""
    size = min(int(request.query.get("per_page", "30")), assumed.PER_PAGE)
    first = (int(request.query.get("page", "1")) - 1) * size
    return items[first : first + size]


def _moved(world: World, request: Request) -> Reply | None:
    name = f"{request.params.get('owner')}/{request.params.get('repo')}".lower()
    if name not in world.renames:
        return None
    repo = world.repo(name)
    assert repo
    rest = request.path.split("/", 4)[4:]
    location = "/".join([f"/repositories/{repo.id}", *rest])
    return Reply(301, {"message": "Moved Permanently", "url": location}, {"Location": location})


# --- the operations -----------------------------------------------------------------------------------


@on("GET /user")
def _user(_: World, request: Request) -> Reply:
    if request.grant.person.bot:
        raise RefusalError(403, assumed.FORBIDDEN)
    return Reply(200, filled("public-user", shapes.person(request.grant.person)))


@on("GET /rate_limit")
def _rate_limit(world: World, request: Request) -> Reply:
    return Reply(200, shapes.rate_limit(world, request.grant))


@on("GET /app/installations")
def _installations(world: World, _: Request) -> Reply:
    return Reply(200, [filled_entry("/app/installations", {"id": number}) for number in world.installations])


@on("POST /app/installations/{installation_id}/access_tokens")
def _access_token(world: World, request: Request) -> Reply:
    number = int(request.params["installation_id"])
    if number not in world.installations:
        raise RefusalError(404, "Not Found")
    made = world.installations[number]
    token = f"ghs_installation{world.next_id()}"
    ends = world.now + 3600
    world.tokens[token] = Grant(made.person, made.permissions, ends)
    now, world.now = world.now, ends
    stamp, world.now = world.stamp(), now
    return Reply(201, filled("installation-token", {"token": token, "expires_at": stamp}))


@on("GET /repos/{owner}/{repo}")
def _repository(world: World, request: Request) -> Reply:
    owner = request.params["owner"]
    shown = shapes.repository(repo_of(world, request), in_organisation=owner in world.organisations)
    return Reply(200, shown)


@on("GET /repos/{owner}/{repo}/collaborators/{username}/permission")
def _permission(world: World, request: Request) -> Reply:
    repo = repo_of(world, request)
    login = request.params["username"]
    level = repo.access.get(login, "none" if repo.private else "read")
    return Reply(200, shapes.permission(login, level))


@on("GET /orgs/{org}/teams/{team_slug}/memberships/{username}")
def _membership(world: World, request: Request) -> Reply:
    members = world.teams.get(f"{request.params['org']}/{request.params['team_slug']}", {})
    state = members.get(request.params["username"])
    if state is None:
        raise RefusalError(404, "Not Found")
    return Reply(200, filled("team-membership", {"state": state, "role": "member"}))


@on("GET /repos/{owner}/{repo}/issues/{issue_number}")
def _issue(world: World, request: Request) -> Reply:
    return Reply(200, shapes.issue(repo_of(world, request), thread_of(world, request)))


@on("GET /repos/{owner}/{repo}/issues/{issue_number}/comments")
def _comments(world: World, request: Request) -> Reply:
    repo, thread = repo_of(world, request), thread_of(world, request)
    return Reply(200, [shapes.comment(repo, thread, item) for item in page(thread.comments, request)])


@on("GET /repos/{owner}/{repo}/issues/comments")
def _all_comments(world: World, request: Request) -> Reply:
    repo, since = repo_of(world, request), request.query.get("since", "")
    found = [
        (item.created, shapes.comment(repo, thread, item))
        for thread in repo.issues.values()
        for item in thread.comments
        if item.created >= since
    ]
    found.sort(key=lambda pair: pair[0], reverse=request.query.get("direction") == "desc")
    return Reply(200, page([item for _, item in found], request))


@on("POST /repos/{owner}/{repo}/issues/{issue_number}/comments")
def _create_comment(world: World, request: Request) -> Reply:
    repo, thread = repo_of(world, request), thread_of(world, request)
    if thread.locked and repo.access.get(request.grant.person.rest_login) not in ("write", "admin"):
        raise RefusalError(403, assumed.LOCKED)
    item = Comment(world.next_id(), request.grant.person, body_of(request), world.stamp())
    thread.comments.append(item)
    return Reply(201, shapes.comment(repo, thread, item))


@on("GET /repos/{owner}/{repo}/issues/comments/{comment_id}")
def _comment(world: World, request: Request) -> Reply:
    return Reply(200, shapes.comment(*comment_of(world, request)))


@on("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}")
def _edit_comment(world: World, request: Request) -> Reply:
    repo, thread, item = comment_of(world, request)
    if item.author != request.grant.person:
        raise RefusalError(403, assumed.FORBIDDEN)
    item.body = body_of(request)
    return Reply(200, shapes.comment(repo, thread, item))


@on("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}")
def _delete_comment(world: World, request: Request) -> Reply:
    _, thread, item = comment_of(world, request)
    thread.comments.remove(item)
    return Reply(204)


def _react(world: World, request: Request, reactions: dict[tuple[str, str], int]) -> Reply:
    key = (request.grant.person.rest_login, str(request.body["content"]))
    status = 200 if key in reactions else 201
    return Reply(status, shapes.reaction(key, reactions.setdefault(key, world.next_id())))


@on("POST /repos/{owner}/{repo}/issues/{issue_number}/reactions")
def _react_issue(world: World, request: Request) -> Reply:
    return _react(world, request, thread_of(world, request).reactions)


@on("POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions")
def _react_comment(world: World, request: Request) -> Reply:
    return _react(world, request, comment_of(world, request)[2].reactions)


@on("GET /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions")
def _reactions(world: World, request: Request) -> Reply:
    found = comment_of(world, request)[2].reactions
    return Reply(200, page([shapes.reaction(key, number) for key, number in found.items()], request))


@on("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions/{reaction_id}")
def _delete_reaction(world: World, request: Request) -> Reply:
    reactions = comment_of(world, request)[2].reactions
    wanted = int(request.params["reaction_id"])
    for key in [key for key, number in reactions.items() if number == wanted]:
        del reactions[key]
    return Reply(204)


@on("GET /repos/{owner}/{repo}/releases")
def _releases(world: World, request: Request) -> Reply:
    repo = repo_of(world, request)
    return Reply(200, [shapes.release(repo, item) for item in page(repo.releases, request)])


@on("GET /repos/{owner}/{repo}/releases/tags/{tag}")
def _release_by_tag(world: World, request: Request) -> Reply:
    repo = repo_of(world, request)
    for item in repo.releases:
        if item.tag == request.params["tag"]:
            return Reply(200, shapes.release(repo, item))
    raise RefusalError(404, "Not Found")


@on("PATCH /repos/{owner}/{repo}/releases/{release_id}")
def _edit_release(world: World, request: Request) -> Reply:
    repo = repo_of(world, request)
    for item in repo.releases:
        if str(item.id) == request.params["release_id"]:
            item.body = body_of(request, assumed.LONGEST_RELEASE) if "body" in request.body else item.body
            item.name = request.body.get("name", item.name)
            return Reply(200, shapes.release(repo, item))
    raise RefusalError(404, "Not Found")


@on("GET /search/issues")
def _search(world: World, request: Request) -> Reply:
    """Words of the query that are no qualifiers must all stand in title or body; `repo:` chooses."""
    words = [word.strip('"').lower() for word in request.query["q"].split() if ":" not in word]
    repos = [word[5:] for word in request.query["q"].split() if word.startswith("repo:")]
    found = [
        filled("issue-search-result-item", {**shapes.issue(repo, thread), "score": 1})
        for repo in filter(None, map(world.repo, repos))
        for thread in repo.issues.values()
        if all(word in f"{thread.title} {thread.body}".lower() for word in words)
    ]
    data = {"total_count": len(found), "incomplete_results": False, "items": page(found, request)}
    return Reply(200, data)
