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
KEPT_RUNS, KEPT_TAGS = 500, 300


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


class Moved(Record):
    """A release tag that names another commit than before; `now` is None for one that was deleted."""

    name: str
    was: str
    now: str | None = None


class State(Record):
    """The whole file. `tags`: commit ids as first seen. `moved`: what was reported. `done`: newest last."""

    schema_version: Literal[1] = 1
    tags: dict[str, str] = Field(default_factory=dict)
    moved: tuple[Moved, ...] = ()
    done: tuple[Done, ...] = ()
    digest_at: float = 0.0
    digest_tag: str | None = None

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
