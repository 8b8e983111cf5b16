"""Does what `replies` decided: reactions, comments of ours, outdated reports. A few requests each, counted.

Reaction 1; comment 2 (look, then post or edit). Raises BotError (exit 5) unless said otherwise.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bot.errors import BotError
from bot.github import queries
from bot.github.client import Client, told
from bot.github.comments import IssueThread
from bot.github.discussions import DiscussionThread
from bot.github.events import Place
from bot.github.marker import Marker
from bot.github.replies import GRAPHQL, Act, Content, Minimise, React, Write
from bot.github.surface import Delivery
from bot.github.targets import DiscussionTarget, GithubTarget, IssueTarget
from bot.http import DeclinedError, LimitedError, UnansweredError

Result = TypeVar("Result")
#: A reaction or an outdated mark is worth this many attempts: done twice, either is harmless.
TRIES = 3


@dataclass(frozen=True)
class Actor:
    """Our hand in one thread. Raises BotError (exit 5) at once for a thread of upstream's."""

    client: Client
    place: Place

    def __post_init__(self) -> None:
        """Refuse upstream before the first request."""
        self.client.forbid_upstream(self.repository)

    @property
    def repository(self) -> str:
        """`owner/name`."""
        return f"{self.place.owner}/{self.place.repo}"

    @property
    def target(self) -> GithubTarget:
        """The thread as a target of a report; in a discussion, that of the asking comment."""
        if self.place.kind == "discussion":
            return DiscussionTarget(self.repository, self.place.number, self.place.comment_node)
        return IssueTarget(self.repository, self.place.number)

    def do(self, acts: Sequence[Act]) -> None:
        """Do them in order; `Minimise` is not for here (see `bot.github.closing`)."""
        for act in acts:
            assert not isinstance(act, Minimise)
            if isinstance(act, React):
                self.react(act.content)
            else:
                self.write(act)

    def react(self, content: Content) -> None:
        """One reaction on the asking comment."""
        if self.place.kind == "discussion":
            subject = self.place.comment_node
            self._harmless(
                lambda: self.client.mutate(queries.ADD_REACTION, subjectId=subject, content=GRAPHQL[content])
            )
            return
        issue = self.client.repository(self.repository).get_issue(self.place.number)
        comment = issue.get_comment(self.place.comment_id)
        self._harmless(lambda: self.client.writing(lambda: comment.create_reaction(content)))

    def write(self, act: Write) -> str:
        """One comment of ours, found again by its key; its address."""
        marker = Marker(act.key)
        delivery = Delivery(
            surface=self.surface(),
            marker=marker,
            compose=lambda earlier: _text(act, marker, earlier),
            patience=self.client.patience,
            where=str(self.target),
        )
        return delivery.run().url

    def surface(self) -> IssueThread | DiscussionThread:
        """The thread as a place for posts; it may be closed, as somebody asked in it."""
        if isinstance(self.target, IssueTarget):
            return IssueThread(self.client, self.target, asked=True)
        assert isinstance(self.target, DiscussionTarget)
        return DiscussionThread(self.client, self.target, asked=True)

    def _harmless(self, call: Callable[[], Result]) -> Result:
        """The result of a write that may be sent twice."""
        return harmless(self.client, self.target, call)


def harmless(client: Client, where: object, call: Callable[[], Result]) -> Result:
    """The result of a write that does nothing when it is repeated. Raises BotError (exit 5)."""

    def again() -> Result:
        for turn in range(TRIES - 1):
            try:
                return call()
            except UnansweredError:
                if not client.patience.wait(2.0**turn):
                    raise
            except LimitedError as limit:
                if not client.patience.wait_for(limit, turn):
                    raise
        return call()

    return told(where, again)


def permitted(call: Callable[[], object]) -> BotError | None:
    """Do what is a kindness, no duty: what GitHub forbids here is told, and fails nothing."""
    try:
        call()
    except (BotError, DeclinedError) as error:
        return error if isinstance(error, BotError) else None
    return None


def _text(act: Write, marker: Marker, earlier: str | None) -> str:
    """With `once`, what is there stays as it is."""
    if act.mode == "once" and earlier is not None:
        return earlier.removeprefix("\ufeff").replace("\r\n", "\n").removeprefix(marker.line).strip()
    return act.text
