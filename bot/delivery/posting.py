"""Posting finished runs: one comment, discussion, release section or file for a pair on a machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from bot import store
from bot.delivery import wording
from bot.errors import BotError, usage
from bot.github import marker
from bot.github.client import Client
from bot.github.comments import IssueThread
from bot.github.discussions import DiscussionThread, NewDiscussion
from bot.github.outbox import Entry, Outbox
from bot.github.releases import ReleaseSection
from bot.github.surface import Action, Delivery, Surface
from bot.github.targets import (
    CategoryTarget,
    DiscussionTarget,
    FileTarget,
    GithubTarget,
    IssueTarget,
    ReleaseTarget,
    Target,
    parse,
)
from bot.records import Run

#: After these the post waits in the outbox; after any other refusal it is given up.
PASSING = frozenset({"github-limited", "github-unanswered", "github-token", "github-app", "github-moved"})


@dataclass(frozen=True)
class Asked:
    """Who asked for the report by `/bench`, and in which comment (REST or node id).

    `node`: its node id in a discussion, to be answered in its thread.
    """

    comment: str
    login: str
    node: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What became of one target: `action` and `url`, or the `error`."""

    target: str
    action: Action | None = None
    url: str = ""
    error: BotError | None = None


@dataclass
class Poster:
    """Posts records. `client` is called when something on GitHub is to be done, and once.

    `on_posted` hears of each post that stands, with its address; it must not raise.
    """

    client: Callable[[], Client]
    outbox: Outbox
    on_posted: Callable[[Entry, str], None] = lambda entry, address: None

    def post(
        self,
        runs: Sequence[Run],
        targets: Sequence[Target],
        asked: Asked | None = None,
        files: str | None = None,
        *,
        images: Mapping[str, str] | None = None,
        edit_only: bool = False,
    ) -> list[Outcome]:
        """Files first, then GitHub, then what still waits in the outbox. One failure stops no other target.

        `files` is the address of the records and charts, where they are published, `images` as in `Entry`.
        `edit_only`: posts that stand on GitHub are changed, and none is made.

        Raises BotError (exit 2) for runs that make no one post.
        """
        key = common_key(runs, asked)
        outcomes = [_write(target, runs) for target in targets if isinstance(target, FileTarget)]
        posts = [target for target in targets if not isinstance(target, FileTarget)]
        if not posts:
            return outcomes
        kept = {"files": files, "images": dict(images or {}), "edit_only": edit_only}
        with self.outbox.locked():
            made = [_entry(target, key, runs, asked) for target in posts]
            entries = [self.outbox.add(entry.model_copy(update=kept)) for entry in made]
            names = {entry.name for entry in entries}
            late = [entry for entry in self.outbox.waiting() if entry.name not in names]
            return outcomes + [self._deliver(entry) for entry in entries + late]

    def preview(self, runs: Sequence[Run], target: Target, asked: Asked | None = None) -> Outcome:
        """What `post` would do with one target; reads, but writes nothing."""
        key = common_key(runs, asked)
        if isinstance(target, FileTarget):
            return Outcome(str(target), "edited" if target.path.exists() else "created", str(target.path))
        try:
            seen = self._delivery(_entry(target, key, runs, asked)).preview()
        except BotError as error:
            return Outcome(str(target), error=error)
        return Outcome(str(target), seen.action, seen.url)

    def _deliver(self, entry: Entry) -> Outcome:
        try:
            posted = self._delivery(entry).run()
        except BotError as error:
            if error.code not in PASSING:
                self.outbox.done(entry)
            return Outcome(entry.target, error=error)
        self.outbox.done(entry)
        if posted.url:
            self.on_posted(entry, posted.url)
        return Outcome(entry.target, posted.action, posted.url)

    def _delivery(self, entry: Entry) -> Delivery:
        client = self.client()
        target = parse(entry.target)
        assert not isinstance(target, FileTarget)
        client.forbid_upstream(target.repo)
        return Delivery(
            surface=surface(client, target, entry),
            marker=marker.Marker(entry.key),
            compose=lambda earlier: wording.body(
                entry.runs, earlier, entry.mention, entry.files, entry.images
            ),
            patience=client.patience,
            where=entry.target,
            in_doubt=entry.in_doubt,
            edit_only=entry.edit_only,
            on_send=lambda: self.outbox.sending(entry),
        )


def surface(client: Client, target: GithubTarget, entry: Entry) -> Surface:
    """The place for a target."""
    since, asked = wording.since(entry.runs), entry.asked_in is not None
    if isinstance(target, IssueTarget):
        return IssueThread(client, target, since, asked)
    if isinstance(target, DiscussionTarget):
        return DiscussionThread(client, replace(target, reply_to=entry.reply_to), since, asked)
    if isinstance(target, CategoryTarget):
        return NewDiscussion(client, target, wording.title(entry.runs), since)
    assert isinstance(target, ReleaseTarget)
    return ReleaseSection(client, target)


def common_key(runs: Sequence[Run], asked: Asked | None = None) -> str:
    """The key of the post. Raises BotError (exit 2) for unfinished runs, and for runs of several pairs."""
    for run in runs:
        if run.verdict is None:
            raise usage("run-unfinished", id=run.id)
    keys = {marker.key_of(run.pair, run.machine, asked.comment if asked else None) for run in runs}
    if len(keys) != 1:
        raise usage("runs-differ", ids=" | ".join(run.id for run in runs))
    return keys.pop()


def expect(runs: Sequence[Run], pair: str) -> None:
    """Raise BotError (exit 2) unless every run is of the pair `BASE..HEAD`, given as full SHAs.

    A record made beside untrusted code does not say by itself what was asked.
    """
    for run in runs:
        found = f"{run.pair.base.sha}..{run.pair.head.sha}"
        if found != pair:
            raise usage("other-pair", id=run.id, found=found, wanted=pair)


def _entry(target: Target, key: str, runs: Sequence[Run], asked: Asked | None) -> Entry:
    return Entry(
        target=str(target),
        key=key,
        runs=tuple(runs),
        asked_in=asked.comment if asked else None,
        mention=asked.login if asked else None,
        reply_to=asked.node if asked else None,
    )


def _write(target: FileTarget, runs: Sequence[Run]) -> Outcome:
    action: Action = "edited" if target.path.exists() else "created"
    try:
        store.write_text(target.path, wording.plain(runs))
    except BotError as error:
        return Outcome(str(target), error=error)
    return Outcome(str(target), action, str(target.path))
