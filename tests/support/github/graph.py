"""The GraphQL side: the documents run by graphql-core on GitHub's own schema, over the state."""

from collections.abc import Callable
from typing import Any

from graphql import GraphQLError, OperationDefinitionNode, graphql_sync, parse, validate

from tests.support.github import assumed
from tests.support.github.contract import graph
from tests.support.github.shapes import WEB, comment_url
from tests.support.github.state import (
    Comment,
    Grant,
    Person,
    Repo,
    Thread,
    World,
    from_node_id,
    node_id,
)

View = dict[str, Any]


class TypedError(Exception):
    """An error with the `type` that GitHub adds."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def operation_of(document: str) -> tuple[str, str]:
    """`query` or `mutation`, and the first field; empty for what is no document."""
    try:
        nodes = [node for node in parse(document).definitions if isinstance(node, OperationDefinitionNode)]
        field: Any = nodes[0].selection_set.selections[-1]
        return nodes[0].operation.value, field.name.value
    except (GraphQLError, IndexError):
        return "", ""


def faults_of(document: str) -> list[str]:
    """What of a document does not fit GitHub's schema."""
    try:
        return [error.message for error in validate(graph(), parse(document))]
    except GraphQLError as error:
        return [error.message]


def execute(world: World, grant: Grant, document: str, variables: dict[str, Any]) -> dict[str, Any]:
    """The answer's body."""
    result = graphql_sync(graph(), document, _Root(world, grant).view(), variable_values=variables)
    body: dict[str, Any] = {"data": result.data}
    if result.errors:
        body["errors"] = [_error(error) for error in result.errors]
    return body


def _error(error: GraphQLError) -> dict[str, Any]:
    shown: dict[str, Any] = dict(error.formatted)
    if isinstance(error.original_error, TypedError):
        shown["type"] = error.original_error.kind
    return shown


class _Root:
    """Resolvers for one request."""

    def __init__(self, world: World, grant: Grant) -> None:
        self.world = world
        self.grant = grant

    def view(self) -> View:
        """Queries and mutations."""
        return {
            "viewer": {
                "__typename": "User",
                **self._actor(self.grant.person),
                "login": self.grant.person.rest_login,
            },
            "rateLimit": {
                "cost": 1,
                "limit": 5000,
                "remaining": 4999,
                "used": 1,
                "resetAt": self.world.stamp(),
            },
            "repository": self._repository,
            "node": lambda _, id: self._node(id),
            **{name: self._guarded(name) for name in _MUTATIONS},
        }

    # --- what can be read ---------------------------------------------------------------------------

    def _repository(self, _: Any, owner: str, name: str, **__: Any) -> View:
        repo = self.world.repo(f"{owner}/{name}")
        if repo is None:
            raise TypedError(
                "NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'."
            )
        return self._repo_view(repo)

    def _repo_view(self, repo: Repo) -> View:
        categories = [_category(repo, slug) for slug in repo.categories]
        started = sorted(repo.discussions.values(), key=lambda item: item.created)
        return {
            "id": node_id("Repository", repo.id),
            "databaseId": repo.id,
            "nameWithOwner": repo.full_name,
            "name": repo.full_name.split("/")[1],
            "isArchived": repo.archived,
            "isPrivate": repo.private,
            "hasDiscussionsEnabled": repo.has_discussions,
            "hasIssuesEnabled": True,
            "url": f"{WEB}/{repo.full_name}",
            "issueOrPullRequest": lambda _, number: self._thread(
                repo, repo.issues, number, "issue or pull request"
            ),
            "discussion": lambda _, number: self._discussion(repo, number),
            "discussionCategory": lambda _, slug: next((c for c in categories if c["slug"] == slug), None),
            "discussionCategories": lambda _, **args: _connection(categories, args),
            "discussions": lambda _, **args: _connection(
                [self._thread_view(repo, item) for item in _ordered(started, args)], args
            ),
        }

    def _discussion(self, repo: Repo, number: int) -> View:
        threads = repo.discussions if repo.has_discussions else {}
        return self._thread(repo, threads, number, "Discussion")

    def _thread(self, repo: Repo, threads: dict[int, Thread], number: int, what: str) -> View:
        thread = threads.get(number)
        if thread is None or thread.gone:
            raise TypedError("NOT_FOUND", f"Could not resolve to an {what} with the number of {number}.")
        return self._thread_view(repo, thread)

    def _thread_view(self, repo: Repo, thread: Thread) -> View:
        home = self.world.repo(thread.moved_to) if thread.moved_to else repo
        path = {"PullRequest": "pull", "Discussion": "discussions"}.get(thread.kind, "issues")
        assert home
        return {
            "__typename": thread.kind,
            "id": node_id(thread.kind, f"{repo.id}/{thread.number}"),
            "number": thread.number,
            "title": thread.title,
            "body": thread.body,
            "locked": thread.locked,
            "closed": thread.closed,
            "createdAt": thread.created,
            "updatedAt": thread.created,
            "url": f"{WEB}/{home.full_name}/{path}/{thread.number}",
            "repository": lambda _: self._repo_view(home),
            "author": _author(thread.author),
            "viewerDidAuthor": thread.author == self.grant.person,
            "category": _category(repo, thread.category) if thread.category else None,
            "comments": lambda _, **args: _connection(
                [self._comment_view(repo, thread, item) for item in thread.comments], args
            ),
        }

    def _comment_view(self, repo: Repo, thread: Thread, item: Comment) -> View:
        kind = "DiscussionComment" if thread.kind == "Discussion" else "IssueComment"
        return {
            "__typename": kind,
            "id": node_id(kind, item.id),
            "databaseId": item.id,
            "body": item.body,
            "createdAt": item.created,
            "updatedAt": item.created,
            "url": comment_url(repo, thread, item),
            "author": _author(item.author),
            "viewerDidAuthor": item.author == self.grant.person,
            "isMinimized": item.minimized is not None,
            "minimizedReason": item.minimized,
            "discussion": lambda _: self._thread_view(repo, thread),
            "replyTo": lambda _: next(
                (self._comment_view(repo, thread, one) for one in thread.comments if item in one.replies),
                None,
            ),
            "replies": lambda _, **args: _connection(
                [self._comment_view(repo, thread, reply) for reply in item.replies], args
            ),
        }

    def _actor(self, who: Person) -> View:
        return {"id": node_id("User", who.login), "login": who.login, "url": f"{WEB}/{who.login}"}

    def _node(self, text: str) -> View:
        repo, thread, item = self._find(text)
        return self._comment_view(repo, thread, item) if item else self._thread_view(repo, thread)

    def _find(self, text: str) -> tuple[Repo, Thread, Comment | None]:
        """A thread or comment by its id."""
        for repo in self.world.repos.values():
            for thread in [*repo.issues.values(), *repo.discussions.values()]:
                if node_id(thread.kind, f"{repo.id}/{thread.number}") == text:
                    return repo, thread, None
                kind = "DiscussionComment" if thread.kind == "Discussion" else "IssueComment"
                for item in [*thread.comments, *(reply for one in thread.comments for reply in one.replies)]:
                    if node_id(kind, item.id) == text:
                        return repo, thread, item
        raise TypedError("NOT_FOUND", f"Could not resolve to a node with the global id of '{text}'")

    # --- what can be written ------------------------------------------------------------------------

    def _guarded(self, name: str) -> Callable[..., View]:
        def run(_: Any, input: dict[str, Any]) -> View:
            area = assumed.MUTATIONS_NEED.get(name)
            if area and self.grant.permissions.get(area) != "write":
                raise TypedError("FORBIDDEN", assumed.FORBIDDEN)
            if len(str(input.get("body", ""))) > assumed.LONGEST_BODY:
                raise TypedError("UNPROCESSABLE", assumed.TOO_LONG)
            return {"clientMutationId": input.get("clientMutationId"), **_MUTATIONS[name](self, input)}

        return run

    def _add_comment(self, given: dict[str, Any]) -> View:
        repo, thread, _ = self._find(given["discussionId"])
        if thread.locked:
            raise TypedError("FORBIDDEN", "Discussion is locked.")
        item = Comment(self.world.next_id(), self.grant.person, given["body"], self.world.stamp())
        if parent := given.get("replyToId"):
            _, _, above = self._find(parent)
            if above is None or all(one is not above for one in thread.comments):
                raise TypedError("UNPROCESSABLE", "Parent comment is already in a thread, cannot reply to it")
            above.replies.append(item)
        else:
            thread.comments.append(item)
        return {"comment": self._comment_view(repo, thread, item)}

    def _update_comment(self, given: dict[str, Any]) -> View:
        repo, thread, item = self._find(given["commentId"])
        assert item
        item.body = given["body"]
        return {"comment": self._comment_view(repo, thread, item)}

    def _delete_comment(self, given: dict[str, Any]) -> View:
        repo, thread, item = self._find(given["id"])
        assert item
        for items in (thread.comments, *(one.replies for one in thread.comments)):
            items[:] = [one for one in items if one is not item]
        return {"comment": self._comment_view(repo, thread, item)}

    def _create_discussion(self, given: dict[str, Any]) -> View:
        _, number = from_node_id(given["repositoryId"])
        repo = next(item for item in self.world.repos.values() if str(item.id) == number)
        slug = from_node_id(given["categoryId"])[1].split("/")[1]
        new = max([0, *repo.discussions, *repo.issues]) + 1
        thread = Thread(
            new, given["title"], self.grant.person, given["body"], self.world.stamp(), "Discussion", slug
        )
        repo.discussions[new] = thread
        return {"discussion": self._thread_view(repo, thread)}

    def _update_discussion(self, given: dict[str, Any]) -> View:
        repo, thread, _ = self._find(given["discussionId"])
        thread.body = given.get("body", thread.body)
        thread.title = given.get("title", thread.title)
        return {"discussion": self._thread_view(repo, thread)}

    def _delete_discussion(self, given: dict[str, Any]) -> View:
        repo, thread, _ = self._find(given["id"])
        del repo.discussions[thread.number]
        return {"discussion": self._thread_view(repo, thread)}

    def _minimize(self, given: dict[str, Any]) -> View:
        repo, thread, item = self._find(given["subjectId"])
        assert item
        item.minimized = given["classifier"].lower()
        return {"minimizedComment": self._comment_view(repo, thread, item)}

    def _add_reaction(self, given: dict[str, Any]) -> View:
        _, thread, item = self._find(given["subjectId"])
        key = (self.grant.person.rest_login, given["content"])
        number = (item or thread).reactions.setdefault(key, self.world.next_id())
        return {"reaction": {"id": node_id("Reaction", number), "content": given["content"]}}

    def _remove_reaction(self, given: dict[str, Any]) -> View:
        _, thread, item = self._find(given["subjectId"])
        number = (item or thread).reactions.pop((self.grant.person.rest_login, given["content"]), 0)
        return {"reaction": {"id": node_id("Reaction", number), "content": given["content"]}}


_MUTATIONS: dict[str, Callable[[_Root, dict[str, Any]], View]] = {
    "addDiscussionComment": _Root._add_comment,
    "updateDiscussionComment": _Root._update_comment,
    "deleteDiscussionComment": _Root._delete_comment,
    "createDiscussion": _Root._create_discussion,
    "updateDiscussion": _Root._update_discussion,
    "deleteDiscussion": _Root._delete_discussion,
    "minimizeComment": _Root._minimize,
    "addReaction": _Root._add_reaction,
    "removeReaction": _Root._remove_reaction,
}


def _author(who: Person) -> View:
    kind = "Bot" if who.bot else "User"
    return {
        "__typename": kind,
        "login": who.login,
        "url": f"{WEB}/{who.login}",
        "id": node_id(kind, who.login),
    }


def _category(repo: Repo, slug: str) -> View:
    name = slug.replace("-", " ").title()
    return {
        "id": node_id("DiscussionCategory", f"{repo.id}/{slug}"),
        "name": name,
        "slug": slug,
        "isAnswerable": slug == "q-a",
    }


def _ordered(threads: list[Thread], args: dict[str, Any]) -> list[Thread]:
    order = args.get("orderBy") or {"direction": "DESC"}
    return threads[::-1] if order["direction"] == "DESC" else threads


def _connection(items: list[View], args: dict[str, Any]) -> View:
    """One page, by `first`/`after` or `last`/`before`; a page has at most 100 entries."""
    size = args.get("first") or args.get("last")
    if not size or size > assumed.PER_PAGE:
        raise TypedError("ARGUMENT_LIMIT", "You must provide a `first` or `last` value from 1 to 100.")
    if args.get("last"):
        end = int(args["before"]) if args.get("before") else len(items)
        start = max(0, end - size)
    else:
        start = int(args["after"]) if args.get("after") else 0
        end = min(len(items), start + size)
    info = {
        "hasPreviousPage": start > 0,
        "hasNextPage": end < len(items),
        "startCursor": str(start),
        "endCursor": str(end),
    }
    return {"nodes": items[start:end], "totalCount": len(items), "pageInfo": info}
