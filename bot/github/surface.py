"""What a place for posts must be able to do, and the one way to put a post there exactly once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from bot.errors import BotError
from bot.github.errors import from_failure, refused
from bot.github.marker import Marker
from bot.http import DeclinedError, LimitedError, Patience, UnansweredError

Action = Literal["created", "edited", "unchanged"]

#: Seconds before each further look after a post whose fate is unknown: lists may lag behind writes.
DOUBT_S = (3.0, 10.0, 30.0, 60.0)
#: Posts that may be attempted in all, each after the doubt about the one before it was settled.
TRIES = 4


@dataclass(frozen=True)
class Found:
    """A post of ours that is there. `id` is what the place edits it by."""

    id: str
    body: str
    url: str


@dataclass(frozen=True)
class Posted:
    """A post as it stands now. `requests` of GitHub's ids: `id` is a node id, a REST id or a path."""

    action: Action
    id: str
    url: str


class Surface(Protocol):
    """One place on GitHub for one post. Methods raise what `bot.http` raises, or BotError (exit 5).

    `refusal`, known after a look, is why nothing new may be posted there (`error-github-<refusal>`).
    """

    refusal: str | None

    def look(self, marker: Marker) -> list[Found]:
        """Our own posts with this marker, oldest first. Refuses (BotError) a place that may not be used."""
        ...

    def text(self, marker: Marker, found: Found | None, compose: "Compose") -> str:
        """The whole text to send, our part of it made by `compose`."""
        ...

    def edit(self, found: Found, text: str) -> Posted:
        """Replace the text; harmless when done twice."""
        ...

    def create(self, text: str) -> Posted:
        """Post; called only where there is no `refusal`."""
        ...

    def remove(self, found: Found) -> None:
        """Take back a post that this very delivery made twice."""
        ...


#: Makes the post's text from the one that is there (None where there is none).
Compose = Callable[[str | None], str]


@dataclass
class Delivery:
    """One post on its way. `in_doubt`: an earlier attempt may have worked; `on_send` comes before a POST.

    `edit_only`: where no post stands (any more), none is made, and its address is empty.
    """

    surface: Surface
    marker: Marker
    compose: Compose
    patience: Patience
    where: str
    in_doubt: bool = False
    on_send: Callable[[], None] = lambda: None
    edit_only: bool = False
    _creates: int = 0
    _limits: int = 0

    def run(self) -> Posted:
        """Look, then edit or post once; on doubt look again. Raises BotError (exit 5) with the reason."""
        failure: Exception = UnansweredError()
        for turn in range(TRIES):
            try:
                return self._attempt()
            except BotError:
                raise
            except UnansweredError as unknown:
                failure, self.in_doubt = unknown, self.in_doubt or self._creates > 0
                go_on = self.patience.wait(2.0**turn)
            except LimitedError as limit:
                failure = limit
                go_on = self.patience.wait_for(limit, turn)
            except DeclinedError as declined:
                failure = declined
                go_on = 300 <= declined.status < 400 and self.patience.wait(2.0**turn)
            if not go_on:
                break
        raise from_failure(failure, self.where)

    def preview(self) -> Posted:
        """What `run` would do; writes nothing. Raises BotError (exit 5) where a look shows that it would."""
        try:
            found = next(iter(self.surface.look(self.marker)), None)
        except (UnansweredError, LimitedError, DeclinedError) as failure:
            raise from_failure(failure, self.where) from None
        same = found and _same(found.body, self.surface.text(self.marker, found, self.compose))
        if not found:
            self._may_create()
            return Posted("created", "", "")
        return Posted("unchanged" if same else "edited", found.id, found.url)

    def _attempt(self) -> Posted:
        found = self._settled()
        if not found and self.edit_only:
            return Posted("unchanged", "", "")
        if not found:
            self._may_create()
        text = self.surface.text(self.marker, found, self.compose)
        if found and _same(found.body, text):
            return Posted("unchanged", found.id, found.url)
        if found:
            return self.surface.edit(found, text)
        self._creates += 1
        self.on_send()
        posted = self.surface.create(text)
        return self._only_one(posted, text) if self._creates > 1 else posted

    def _may_create(self) -> None:
        if self.surface.refusal:
            raise refused(self.surface.refusal, self.where)

    def _settled(self) -> Found | None:
        """The post that is there; where one may be on its way, only several looks say that there is none."""
        found = self.surface.look(self.marker)
        for pause in DOUBT_S if self.in_doubt else ():
            if found or not self.patience.wait(pause):
                break
            found = self.surface.look(self.marker)
        return found[0] if found else None

    def _only_one(self, posted: Posted, text: str) -> Posted:
        """A list that lagged longer than we waited let us post twice: the later copies go."""
        for pause in DOUBT_S:
            copies = [item for item in self.surface.look(self.marker) if _same(item.body, text)]
            if any(item.id == posted.id for item in copies):
                for extra in copies[1:]:
                    self.surface.remove(extra)
                return Posted("created", copies[0].id, copies[0].url)
            if not self.patience.wait(pause):
                break
        return posted


#: A connection as GraphQL gives it, or its nodes; with the viewer's login.
Page = tuple[dict[str, Any], str]
Seen = tuple[list[dict[str, Any]], str]


def pages(fetch: Callable[[str | None], Page], since: str) -> Iterator[Seen]:
    """Nodes of a connection with the viewer's login, newest page first, each page in its own order.

    `fetch` gets the cursor. Further pages are read back to `since` (ISO 8601) only: see `horizon`.
    """
    cursor = None
    while True:
        connection, viewer = fetch(cursor)
        nodes, info = connection["nodes"], connection["pageInfo"]
        yield nodes, viewer
        oldest = min((str(node["createdAt"]) for node in nodes), default="")
        if not info.get("hasPreviousPage", info.get("hasNextPage")) or (since and oldest < since):
            return
        cursor = info.get("startCursor") or info.get("endCursor")


def refusal_of(repository: dict[str, Any], thread: dict[str, Any], *, asked: bool) -> str | None:
    """Why nothing new may be posted in a thread; one that is closed may answer who asked in it."""
    if repository["isArchived"]:
        return "archived"
    if thread["locked"]:
        return "locked"
    return "closed" if thread["closed"] and not asked else None


def _same(one: str, other: str) -> bool:
    return one.replace("\r\n", "\n").strip() == other.replace("\r\n", "\n").strip()


def own(node: dict[str, Any], viewer: str) -> bool:
    """Whether we wrote it. A bot's name lacks `[bot]` where it is an author, and has it where it is asked."""
    author = node.get("author") or {}
    name = viewer.removesuffix("[bot]")
    is_our_bot = name != viewer and author.get("__typename") == "Bot" and author.get("login") == name
    return bool(node.get("viewerDidAuthor")) or is_our_bot
