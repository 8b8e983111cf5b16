"""What is remembered between runs in GitHub Actions: `state.json` on the branch of the state. Pure.

Times are seconds since the epoch, UTC.
"""

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from bot.records import Record, VerdictCode
from bot.upstream import tags

DAY_S = 24 * 3600.0
WEEK_S = 7 * DAY_S
#: Runs and tags that are remembered here; every run's record stays in `runs/`.
KEPT_RUNS, KEPT_TAGS, KEPT_POSTED = 500, 300, 200


class Subject(Record):
    """What is watched: one profile on one machine, by their names in the configuration."""

    machine: str
    profile: str


class Done(Record):
    """One finished job. `seconds`: of the run on the machine. `asked`: by `/bench`; then no cap counts it.

    `measured`: head was built and its speeds were decided, so that it can be the next baseline. `path` is
    the folder of its record on the branch, empty where none came of it; `posts` are the addresses of its
    reports.
    """

    job: str
    subject: Subject
    base: str
    base_sha: str
    head: str
    head_sha: str
    at: float
    seconds: float = 0.0
    verdict: VerdictCode | None = None
    measured: bool = False
    asked: bool = False
    preset: str | None = None
    path: str = ""
    posts: tuple[str, ...] = ()


class Posted(Record):
    """A report that recommends an upgrade and is looked over once more, a week after `at`.

    `targets`: where it stands, as for `post --to`; it is found there by its marker, to which `comment` (the
    one that asked, with its author `login`) belongs; `node` as in `bot.delivery.posting.Asked`. `records`:
    folders of its runs, one for each profile.
    """

    key: str
    at: float
    targets: tuple[str, ...]
    records: tuple[str, ...]
    base_sha: str
    head: str
    head_sha: str
    comment: str | None = None
    login: str | None = None
    node: str | None = None
    files: str | None = None


class Moved(Record):
    """A release tag that names another commit than before; `now` is None for one that was deleted."""

    name: str
    was: str
    now: str | None = None


class State(Record):
    """The whole file. `tags`: commit ids as first seen. `moved`: what was reported. `done`: newest last.

    `noticed`: the reports of which a phone was told. `posted`: those that are still to be looked over again.
    """

    schema_version: Literal[1] = 1
    tags: dict[str, str] = Field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
    done: tuple[Done, ...] = ()
    digest_at: float = 0.0
    digest_tag: str | None = None
    noticed: tuple[str, ...] = ()
    posted: tuple[Posted, ...] = ()

    def last(self, subject: Subject) -> Done | None:
        """The newest tag that this subject was measured at: the baseline of its next run.

        Not self-tests, commits, shortened runs, or jobs without a result.
        """
        fit = [item for item in self.done if item.subject == subject and _is_baseline(item)]
        return max(fit, key=lambda item: (tags.parse(item.head) or 0, item.at), default=None)

    def tried(self, subject: Subject) -> Done | None:
        """The latest unasked job of this subject, whatever came of it: the cadence counts from there."""
        fit = [item for item in self.done if item.subject == subject and not item.asked]
        return max(fit, key=lambda item: item.at, default=None)

    def durations(self, subject: Subject) -> tuple[float, ...]:
        """Seconds of this subject's latest ten whole runs, for estimates."""
        found = [item.seconds for item in self.done if item.subject == subject and item.seconds > 0]
        return tuple(found[-10:])

    def due(self, now: float) -> tuple[Posted, ...]:
        """The reports to look over now. One whose turn was missed for a week is let go."""
        return tuple(item for item in self.posted if item.at + WEEK_S <= now < item.at + 2 * WEEK_S)

    def with_posted(self, new: Iterable[Posted], done: Iterable[str], now: float) -> "State":
        """The state with new reports, without those (keys) that were looked over, or are past it."""
        gone = set(done)
        kept = {item.key: item for item in (*self.posted, *new) if item.key not in gone}
        fresh = [item for item in kept.values() if now < item.at + 2 * WEEK_S]
        return self.model_copy(update={"posted": tuple(fresh[-KEPT_POSTED:])})

    def gpu_hours(self, now: float) -> float:
        """GPU hours of unasked runs in the last 7 days."""
        fit = (item for item in self.done if not item.asked and item.at > now - WEEK_S)
        return sum(item.seconds for item in fit) / 3600

    def posts(self, now: float) -> int:
        """Unasked posts in the last 24 hours; the profiles of one machine share theirs."""
        fit = (item for item in self.done if not item.asked and item.at > now - DAY_S)
        return len({address for item in fit for address in item.posts})

    def with_done(self, done: Iterable[Done]) -> "State":
        """The state after these jobs; one that is there already is replaced, so that this can be repeated."""
        new = {item.job: item for item in done}
        kept = [item for item in self.done if item.job not in new]
        return self.model_copy(update={"done": tuple([*kept, *new.values()][-KEPT_RUNS:])})

    def with_notice(self, name: str) -> "State":
        """The state after a phone was told of this report; the oldest names go."""
        others = (item for item in self.noticed if item != name)
        return self.model_copy(update={"noticed": (*others, name)[-KEPT_RUNS:]})

    def without_notice(self, name: str) -> "State":
        """The state after a phone could not be told of this report."""
        return self.model_copy(update={"noticed": tuple(item for item in self.noticed if item != name)})

    def as_text(self) -> str:
        """As it stands in the file."""
        return self.model_dump_json(indent=1) + "\n"

    def with_tags(self, listed: Mapping[str, str], moved: Iterable[Moved]) -> "State":
        """The state after a look: new tags are added, known ones keep their first commit id."""
        every = {**listed, **self.tags}
        newest = tags.releases(every)[-KEPT_TAGS:]
        fresh = [item for item in moved if item not in self.moved]
        return self.model_copy(
            update={"tags": {name: every[name] for name in newest}, "moved": (*self.moved, *fresh)}
        )


def moved_since(state: State, listed: Mapping[str, str]) -> tuple[Moved, ...]:
    """The known tags that name another commit now, or none, oldest first.

    A tag that was forgotten because of its age is not among them.
    """
    return tuple(
        Moved(name=name, was=state.tags[name], now=listed.get(name))
        for name in tags.releases(state.tags)
        if listed.get(name) != state.tags[name]
    )


def _is_baseline(done: Done) -> bool:
    is_whole = done.preset is None and done.base_sha != done.head_sha
    return done.measured and is_whole and tags.parse(done.head) is not None
