"""Which pair is due for a profile on a machine, or why none is. Pure; what only git knows is asked."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from bot.config.watch import WatchConfig
from bot.upstream import tags
from bot.watch.jobs import Silence
from bot.watch.state import State, Subject, moved_since

#: A schedule that comes a little early must not skip a whole day.
SLACK_S = 3600.0


class History(Protocol):
    """What git knows about commits (full ids). Raises BotError where it does not answer."""

    def committed_at(self, sha: str) -> float:
        """Seconds since the epoch at which the commit was made on the main line."""
        ...

    def is_ancestor(self, base: str, head: str) -> bool:
        """Whether `base` is in the history of `head`."""
        ...

    def matters(self, profile: str, base: str, head: str) -> tuple[bool, int]:
        """Whether a commit in between can act on the profile, and how many commits there are."""
        ...


@dataclass(frozen=True)
class Chosen:
    """One pair that is due, tags with their commit ids."""

    subject: Subject
    base: str
    base_sha: str
    head: str
    head_sha: str


@dataclass(frozen=True)
class Chooser:
    """The rules, with what one look at the remote's tags (`listed`: name to commit id) has shown."""

    config: WatchConfig
    state: State
    listed: Mapping[str, str]
    history: History
    now: float

    def choose(self, subject: Subject) -> Chosen | Silence:
        """The newest tag that is old enough against the last one measured; everything between is skipped.

        Git is asked only where the names alone do not say that nothing is due.
        """
        last = self.state.last(subject)
        names = self._choosable()
        newer = [name for name in names if not last or _number(name) > _number(last.head)]
        code = self._too_soon(subject, newer)
        if code:
            return Silence(subject=subject, code=code, base=last.head if last else None)
        head = self._old_enough(newer)
        if head is None:
            return Silence(subject=subject, code="watch-young", head=newer[-1])
        base = self._base(subject, names, head)
        if base is None:
            return Silence(subject=subject, code="watch-seen", head=head)
        return self._if_it_matters(subject, base, head)

    def _choosable(self) -> tuple[str, ...]:
        aside = {item.name for item in (*self.state.moved, *moved_since(self.state, self.listed))}
        return tags.releases(name for name in self.listed if name not in aside)

    def _too_soon(self, subject: Subject, newer: list[str]) -> str | None:
        if not newer:
            return "watch-seen"
        tried = self.state.tried(subject)
        if tried and self.now < tried.at + self.config.every.seconds - SLACK_S and self.config.every.seconds:
            return "watch-early"
        if tried and tried.head_sha == self.listed[newer[-1]]:
            return "watch-seen"  # that very tag was tried, and gave no baseline
        if self.state.last(subject) and len(newer) < self.config.every.tags:
            return "watch-few"
        if self.state.gpu_hours(self.now) >= self.config.gpu_hours_per_week:
            return "watch-capped"
        return None

    def _old_enough(self, newer: list[str]) -> str | None:
        """By the commit's own time: tags follow their commits within minutes."""
        limit = self.now - self.config.min_age_s
        fit = (name for name in reversed(newer) if self.history.committed_at(self.listed[name]) <= limit)
        return next(fit, None)

    def _base(self, subject: Subject, names: tuple[str, ...], head: str) -> tuple[str, str] | None:
        """The last one measured, where it lies in the head's history; else the tag before the head.

        A base whose tag was moved since is named by its commit.
        """
        last = self.state.last(subject)
        if last and self.history.is_ancestor(last.head_sha, self.listed[head]):
            is_there = self.listed.get(last.head) == last.head_sha
            return (last.head if is_there else last.head_sha), last.head_sha
        before = tags.previous(names, head)
        return (before, self.listed[before]) if before else None

    def _if_it_matters(self, subject: Subject, base: tuple[str, str], head: str) -> Chosen | Silence:
        sha = self.listed[head]
        matters, commits = self.history.matters(subject.profile, base[1], sha)
        if not matters and not self.config.self_test_when_idle:
            return Silence(subject=subject, code="watch-quiet", base=base[0], head=head, commits=commits)
        tried = self.state.tried(subject)
        if tried and (tried.base_sha, tried.head_sha) == (base[1], sha):
            return Silence(subject=subject, code="watch-seen", base=base[0], head=head)
        return Chosen(subject=subject, base=base[0], base_sha=base[1], head=head, head_sha=sha)


def is_digest_due(config: WatchConfig, state: State, now: float) -> bool:
    """A week after the last digest; the first a week after the first run."""
    if not config.digest or not config.targets:
        return False
    first = min((item.at for item in state.done), default=now)
    return now >= (state.digest_at or first) + 7 * 24 * 3600


def _number(name: str) -> int:
    return tags.parse(name) or 0
