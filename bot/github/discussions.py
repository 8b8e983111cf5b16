"""Discussions: comments on one, and new ones in a category. GraphQL only; REST has none of it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.github import queries
from bot.github.client import Client
from bot.github.errors import refused
from bot.github.marker import Marker
from bot.github.surface import Compose, Found, Page, Posted, Seen, own, pages, refusal_of
from bot.github.targets import CategoryTarget, DiscussionTarget


@dataclass
class DiscussionThread:
    """The comments of one discussion; `since` and `asked` as in `IssueThread`.

    With `target.reply_to` the post is a reply, in the thread of that comment while it is there.
    """

    client: Client
    target: DiscussionTarget
    since: str = ""
    asked: bool = False
    _id: str = field(init=False, default="")
    _parent: str | None = field(init=False, default=None)
    refusal: str | None = field(init=False, default=None)

    def look(self, marker: Marker) -> list[Found]:
        """Our comments and replies with this marker, oldest first: one request per hundred comments."""
        for nodes, viewer in self._replies() if self.target.reply_to else self.comments():
            if ours := [_found(node) for node in nodes if own(node, viewer) and marker.starts(node["body"])]:
                return ours
        return []

    def comments(self) -> Iterator[Seen]:
        """Everybody's comments and replies as GraphQL nodes with the viewer's login, newest page first."""
        for nodes, viewer in pages(self._page, self.since):
            yield list(_with_replies(nodes)), viewer

    def text(self, marker: Marker, found: Found | None, compose: Compose) -> str:
        """The whole comment is ours."""
        return marker.put(compose(found.body if found else None))

    def edit(self, found: Found, text: str) -> Posted:
        """Edit the comment."""
        data = self.client.mutate(queries.UPDATE_COMMENT, commentId=found.id, body=text)
        comment = data["updateDiscussionComment"]["comment"]
        return Posted("edited", comment["id"], comment["url"])

    def create(self, text: str) -> Posted:
        """Add a comment, once."""
        reply = {"replyToId": self._parent} if self._parent else {}
        data = self.client.mutate(queries.ADD_COMMENT, discussionId=self._id, body=text, **reply)
        comment = data["addDiscussionComment"]["comment"]
        return Posted("created", comment["id"], comment["url"])

    def remove(self, found: Found) -> None:
        """Delete the comment."""
        self.client.mutate(queries.DELETE_COMMENT, id=found.id)

    def _replies(self) -> Iterator[Seen]:
        """The replies in the thread of the asking comment; where that is gone, everything."""
        first = self._reply_page(None)
        if self._parent is None:
            yield from self.comments()
            return
        yield from pages(lambda before: self._reply_page(before) if before else first, "")

    def _reply_page(self, before: str | None) -> Page:
        owner, name = self.target.repo.split("/")
        data = self.client.query(
            queries.REPLIES,
            owner=owner,
            name=name,
            number=self.target.number,
            asked=self.target.reply_to,
            before=before,
        )
        thread = self._opened_thread(data["repository"])
        asked = data["node"] or {}
        is_here = (asked.get("discussion") or {}).get("id") == thread["id"]
        top: dict[str, Any] = (asked.get("replyTo") or asked) if is_here else {}
        self._parent = top.get("id")
        return top.get("replies", {}), data["viewer"]["login"]

    def _page(self, before: str | None) -> Page:
        owner, name = self.target.repo.split("/")
        data = self.client.query(
            queries.DISCUSSION, owner=owner, name=name, number=self.target.number, before=before
        )
        return self._opened(data["repository"]), data["viewer"]["login"]

    def _opened(self, repository: dict[str, Any] | None) -> dict[str, Any]:
        comments: dict[str, Any] = self._opened_thread(repository)["comments"]
        return comments

    def _opened_thread(self, repository: dict[str, Any] | None) -> dict[str, Any]:
        """The discussion; notes its id, and why nothing new may be posted."""
        thread: dict[str, Any] = _of_repository(self.client, repository, str(self.target))["discussion"]
        if not thread:
            raise refused("gone", str(self.target))
        self._id = thread["id"]
        assert repository
        self.client.forbid_upstream(thread["repository"]["nameWithOwner"])
        self.refusal = refusal_of(repository, thread, asked=self.asked)
        return thread


@dataclass
class NewDiscussion:
    """A discussion of our own in a category. `title` is plain text; `since` as in `IssueThread`."""

    client: Client
    target: CategoryTarget
    title: str
    since: str = ""
    _repository: str = field(init=False, default="")
    _category: str = field(init=False, default="")
    refusal: str | None = field(init=False, default=None)

    def look(self, marker: Marker) -> list[Found]:
        """Our discussions with this marker in this category, oldest first; newest pages are read first."""
        slug = self.target.slug.lower()
        for nodes, viewer in pages(self._page, self.since):
            ours = [
                _found(node)
                for node in nodes
                if own(node, viewer) and marker.starts(node["body"]) and node["category"]["slug"] == slug
            ]
            if ours:
                return ours[::-1]
        return []

    def text(self, marker: Marker, found: Found | None, compose: Compose) -> str:
        """The whole text is ours."""
        return marker.put(compose(found.body if found else None))

    def edit(self, found: Found, text: str) -> Posted:
        """Edit text and title."""
        data = self.client.mutate(
            queries.UPDATE_DISCUSSION, discussionId=found.id, title=self.title, body=text
        )
        discussion = data["updateDiscussion"]["discussion"]
        return Posted("edited", discussion["id"], discussion["url"])

    def create(self, text: str) -> Posted:
        """Start the discussion, once."""
        data = self.client.mutate(
            queries.CREATE_DISCUSSION,
            repositoryId=self._repository,
            categoryId=self._category,
            title=self.title,
            body=text,
        )
        discussion = data["createDiscussion"]["discussion"]
        return Posted("created", discussion["id"], discussion["url"])

    def remove(self, found: Found) -> None:
        """Delete the discussion."""
        self.client.mutate(queries.DELETE_DISCUSSION, id=found.id)

    def _page(self, after: str | None) -> Page:
        owner, name = self.target.repo.split("/")
        slug = self.target.slug.lower()
        data = self.client.query(queries.CATEGORY, owner=owner, name=name, slug=slug, after=after)
        return self._opened(data["repository"]), data["viewer"]["login"]

    def _opened(self, repository: dict[str, Any] | None) -> dict[str, Any]:
        found = _of_repository(self.client, repository, str(self.target))
        category = found["discussionCategory"]
        if not category:
            known = " | ".join(node["slug"] for node in found["discussionCategories"]["nodes"])
            raise refused("no-category", str(self.target), found=self.target.slug, known=known)
        self._repository, self._category = found["id"], category["id"]
        self.refusal = "archived" if found["isArchived"] else None
        discussions: dict[str, Any] = found["discussions"]
        return discussions


def _of_repository(client: Client, repository: dict[str, Any] | None, where: str) -> dict[str, Any]:
    if not repository:
        raise refused("gone", where)
    client.forbid_upstream(repository["nameWithOwner"])
    if not repository["hasDiscussionsEnabled"]:
        raise refused("discussions-off", where)
    return repository


def _with_replies(nodes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        yield node
        yield from node["replies"]["nodes"]


def _found(node: dict[str, Any]) -> Found:
    return Found(node["id"], node["body"], node["url"])
