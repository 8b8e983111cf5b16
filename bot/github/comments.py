"""Comments on issues and pull requests."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from bot.github.client import Client
from bot.github.errors import refused
from bot.github.marker import Marker
from bot.github.queries import THREAD
from bot.github.surface import Compose, Found, Page, Posted, Seen, own, pages, refusal_of
from bot.github.targets import IssueTarget


@dataclass
class IssueThread:
    """The comments of one issue or pull request. `since` (ISO 8601) bounds how far back a long one is read.

    `asked`: a comment there asked for the post, so that a closed thread may have it.
    """

    client: Client
    target: IssueTarget
    since: str = ""
    asked: bool = False
    _repo: str = field(init=False, default="")
    refusal: str | None = field(init=False, default=None)

    def look(self, marker: Marker) -> list[Found]:
        """Our comments with this marker, oldest first: one request per hundred comments."""
        for nodes, viewer in self.comments():
            ours = [node for node in nodes if own(node, viewer) and marker.starts(node["body"])]
            if ours:
                return [Found(str(node["databaseId"]), node["body"], node["url"]) for node in ours]
        return []

    def comments(self) -> Iterator[Seen]:
        """Everybody's comments as GraphQL nodes with the viewer's login, newest page first."""
        return pages(self._page, self.since)

    def text(self, marker: Marker, found: Found | None, compose: Compose) -> str:
        """The whole comment is ours."""
        return marker.put(compose(found.body if found else None))

    def edit(self, found: Found, text: str) -> Posted:
        """PATCH the comment."""
        from bot.github.rest import confirmed  # noqa: PLC0415 - PyGithub costs 0.3 s

        comment = self._issue().get_comment(int(found.id))

        def send() -> None:
            comment.edit(text)
            confirmed(comment.node_id)

        self.client.writing(send)
        return Posted("edited", found.id, found.url)

    def create(self, text: str) -> Posted:
        """POST a comment, once."""
        from bot.github.rest import confirmed  # noqa: PLC0415 - as above

        def send() -> Posted:
            comment = self._issue().create_comment(text)
            confirmed(comment.node_id)
            return Posted("created", str(comment.id), comment.html_url)

        return self.client.writing(send)

    def remove(self, found: Found) -> None:
        """DELETE the comment."""
        self.client.writing(self._issue().get_comment(int(found.id)).delete)

    def _issue(self) -> Any:  # noqa: ANN401 - PyGithub's Issue, whose import is late
        return self.client.repository(self._repo or self.target.repo).get_issue(self.target.number)

    def _page(self, before: str | None) -> Page:
        owner, name = self.target.repo.split("/")
        data = self.client.query(THREAD, owner=owner, name=name, number=self.target.number, before=before)
        return self._opened(data["repository"]), data["viewer"]["login"]

    def _opened(self, repository: dict[str, Any] | None) -> dict[str, Any]:
        """The comments; notes the repository's present name, and why nothing new may be posted."""
        thread = repository["issueOrPullRequest"] if repository else None
        if not repository or not thread:
            raise refused("gone", str(self.target))
        self._repo = repository["nameWithOwner"]
        self.client.forbid_upstream(self._repo)
        self.client.forbid_upstream(thread["repository"]["nameWithOwner"])
        self.refusal = refusal_of(repository, thread, asked=self.asked)
        comments: dict[str, Any] = thread["comments"]
        return comments
