"""The weekly digest: what was measured, what was quiet, which tags moved. One post a week at each target."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from bot.delivery.handover import Plan
from bot.delivery.watching_shown import silence
from bot.errors import BotError
from bot.github.client import Client
from bot.github.comments import IssueThread
from bot.github.discussions import DiscussionThread, NewDiscussion
from bot.github.marker import Marker
from bot.github.surface import Delivery, Surface
from bot.github.targets import CategoryTarget, DiscussionTarget, IssueTarget, Target
from bot.report.markdown import code, link
from bot.report.words import Words
from bot.watch.state import WEEK_S, Done, State


@dataclass(frozen=True)
class Digest:
    """The text for the week that ends at `now` (seconds since the epoch); the same week has the same key."""

    plan: Plan
    state: State
    now: float

    @property
    def key(self) -> str:
        """Of the marker."""
        year, week, _ = self._day.isocalendar()
        return f"digest:{year}-{week:02}"

    def title(self, spoken: Sequence[Words]) -> str:
        """One line in all languages."""
        day = self._day.date().isoformat()
        return " / ".join(words.text("digest-title", date=day) for words in spoken)

    def text(self, spoken: Sequence[Words]) -> str:
        """A block for each language."""
        return "\n\n".join(self._block(words) for words in spoken)

    def _block(self, words: Words) -> str:
        runs = [item for item in self.state.done if item.at > self.now - WEEK_S and not item.asked]
        lines = [self._line(item, words) for item in runs]
        silent = [f"- {silence(item, words, code)}" for item in self.plan.silences]
        title = words.text("digest-title", date=self._day.date().isoformat())
        return "\n".join([f"### {title}", "", words.text("digest-runs", runs=len(runs)), "", *lines, *silent])

    def _line(self, done: Done, words: Words) -> str:
        pair = code(f"{done.base[:12]} → {done.head[:12]}")
        said = words.text(f"verdict-{done.verdict}") if done.verdict else words.text("digest-no-result")
        name = link(pair, done.posts[0]) if done.posts else pair
        return f"- {name} · {code(done.subject.profile)} · {code(done.subject.machine)} · {said}"

    @property
    def _day(self) -> datetime:
        return datetime.fromtimestamp(self.now, UTC)


def post_digest(
    client: Client, targets: Sequence[Target], digest: Digest, spoken: Sequence[Words]
) -> list[BotError]:
    """Post it once at each issue, discussion or category; what failed."""
    errors = []
    for target in targets:
        try:
            surface = _surface(client, target, digest.title(spoken))
            if surface:
                _deliver(client, surface, str(target), digest, spoken)
        except BotError as error:
            errors.append(error)
    return errors


def _deliver(client: Client, surface: Surface, where: str, digest: Digest, spoken: Sequence[Words]) -> None:
    Delivery(
        surface=surface,
        marker=Marker(digest.key),
        compose=lambda _: digest.text(spoken),
        patience=client.patience,
        where=where,
    ).run()


def _surface(client: Client, target: Target, title: str) -> Surface | None:
    """A release has no place for what is about a week. Raises BotError (exit 5) for upstream's."""
    if not isinstance(target, IssueTarget | DiscussionTarget | CategoryTarget):
        return None
    client.forbid_upstream(target.repo)
    if isinstance(target, IssueTarget):
        return IssueThread(client, target)
    if isinstance(target, DiscussionTarget):
        return DiscussionThread(client, target)
    return NewDiscussion(client, target, title)
