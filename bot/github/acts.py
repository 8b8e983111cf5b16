"""Does what `replies` decided: reactions, comments found again by their key, reports marked as outdated."""

from collections.abc import Iterable
from dataclasses import dataclass

from bot.github import queries
from bot.github.client import Client, told
from bot.github.comments import IssueThread
from bot.github.discussions import DiscussionThread
from bot.github.events import Place
from bot.github.marker import Marker, key_of
from bot.github.replies import GRAPHQL, Act, Content, Minimise, React, Write
from bot.github.surface import Delivery, Posted, own
from bot.github.targets import DiscussionTarget, IssueTarget
from bot.http import DeclinedError, LimitedError, UnansweredError
from bot.records import Machine, Pair


@dataclass
class Acts:
    """Acts in the thread of one asking comment. Methods raise BotError (exit 5).

    `since` (ISO 8601) bounds how far back a long thread is read.
    """

    client: Client
    place: Place
    since: str = ""

    def do(self, acts: Iterable[Act], pair: Pair | None = None, machine: Machine | None = None) -> None:
        """All of it, in order. `pair` and `machine` are of the report whose older ones are minimised."""
        for act in acts:
            if isinstance(act, React):
                self.react(act.content)
            elif isinstance(act, Write):
                self.write(act)
            elif pair and machine:
                self.minimise(act, pair, machine)

    def react(self, content: Content) -> None:
        """One request; the same reaction again changes nothing."""
        place = self.place
        self.client.forbid_upstream(self._name)
        if self._is_discussion:
            told(
                self._target,
                lambda: self.client.mutate(
                    queries.ADD_REACTION, subjectId=place.comment_node, content=GRAPHQL[content]
                ),
            )
            return
        comment = self.client.repository(self._name).get_issue(place.number).get_comment(place.comment_id)
        told(self._target, lambda: self.client.writing(lambda: comment.create_reaction(content)))

    def write(self, act: Write) -> Posted:
        """One look, and at most one write: `once` leaves a comment that is there as it is."""

        def compose(earlier: str | None) -> str:
            return act.text if earlier is None or act.mode == "replace" else _without_marker(earlier)

        return Delivery(self._thread, Marker(act.key), compose, self.client.patience, str(self._target)).run()

    def minimise(self, act: Minimise, pair: Pair, machine: Machine) -> int:
        """How many older reports were marked as outdated; none where GitHub does not let us."""
        pages = told(self._target, lambda: list(self._thread.comments()))
        nodes, viewer = [node for page, _ in pages for node in page], pages[0][1]
        asked = {node["databaseId"] for node in nodes} - {act.keep}
        markers = [Marker(key_of(pair, machine, str(number))) for number in asked]
        stale = [
            node["id"]
            for node in nodes
            if own(node, viewer)
            and not node["isMinimized"]
            and any(marker.starts(node["body"]) for marker in markers)
        ]
        return sum(self._minimised(subject) for subject in stale)

    def _minimised(self, subject: str) -> bool:
        try:
            self.client.mutate(queries.MINIMIZE, subjectId=subject, classifier="OUTDATED")
        except (DeclinedError, LimitedError, UnansweredError):
            return False
        return True

    @property
    def _name(self) -> str:
        return f"{self.place.owner}/{self.place.repo}"

    @property
    def _is_discussion(self) -> bool:
        return self.place.kind == "discussion"

    @property
    def _target(self) -> IssueTarget | DiscussionTarget:
        kind = DiscussionTarget if self._is_discussion else IssueTarget
        return kind(self._name, self.place.number)

    @property
    def _thread(self) -> IssueThread | DiscussionThread:
        target = self._target
        if isinstance(target, DiscussionTarget):
            return DiscussionThread(self.client, target, self.since, asked=True)
        return IssueThread(self.client, target, self.since, asked=True)


def _without_marker(body: str) -> str:
    return body.partition("\n")[2]
