"""Upstream's open issues for a job: looked up before a report is written, and put into its record."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bot.config import Settings
from bot.config.github import GithubConfig
from bot.config.models import UpstreamConfig
from bot.errors import BotError
from bot.github.auth import Credentials, NoToken, credentials
from bot.github.client import Client
from bot.github.public import public
from bot.github.upstream_issues import UpstreamIssues
from bot.http import Clock, SystemClock
from bot.records import Run
from bot.report.verdict import is_upgrade_at_heart, reconsidered
from bot.upstream import tags
from bot.upstream.remote import web_address
from bot.watch.trouble import OpenIssues, Span, trouble

#: Seconds between attempts, in all, at a look that a report can do without; no attempt takes over 10.
PATIENCE_S = 30.0
#: Where the newest tag is not known: build numbers that may have followed the head by now (80 days).
_AHEAD = 1000


@dataclass(frozen=True)
class Look:
    """One look at upstream's open issues: four reads at most, with a token where there is one for github.com.

    `cache` keeps what was read with its ETags; `patience_s` bounds the pauses
    between attempts.
    """

    github: GithubConfig
    upstream: UpstreamConfig
    cache: Path
    clock: Clock = field(default_factory=SystemClock)
    patience_s: float = PATIENCE_S

    def at(self, heads: Iterable[str], since: float | None, newest: str | None = None) -> OpenIssues | None:
        """What was opened after `since` (seconds since the epoch) and names one of `heads`, a newer tag or a
        pull request. None where nothing is to be looked up."""
        return self._issues.look(_span(heads, newest), since) if self._issues else None

    def committed_at(self, sha: str) -> float | None:
        """When a commit was made (seconds since the epoch): one request; None where that is not known."""
        return self._issues.committed_at(sha) if self._issues else None

    @cached_property
    def _issues(self) -> UpstreamIssues | None:
        repository = issues_of(self.upstream)
        if repository is None:
            return None
        elsewhere = public(self.github)
        client = Client(
            elsewhere or self.github,
            NoToken() if elsewhere else _somebody(self.github),
            self.clock,
            timeout_s=10,
            cache=self.cache / "etags",
            patience_s=self.patience_s,
        )
        return UpstreamIssues(client, repository, self.clock)


def look_of(settings: Settings, clock: Clock | None = None) -> Look:
    """As configured."""
    return Look(settings.github, settings.upstream, settings.cache, clock or SystemClock())


def issues_of(upstream: UpstreamConfig) -> str | None:
    """The repository (`owner/name`) whose issues are read; None where none is."""
    if upstream.issues == "none":
        return None
    if upstream.issues != "auto":
        return upstream.issues
    page = web_address(upstream.url)
    return page.removeprefix("https://github.com/") if page else None


def considered(run: Run, found: OpenIssues | None) -> Run:
    """The record with what concerns it, and the verdict that follows; nothing that it says of it itself."""
    known = trouble(run, found) if found else None
    plain = run.model_copy(update={"upstream_trouble": known})
    return plain.model_copy(update={"verdict": reconsidered(plain)})


def considered_now(runs: list[Run], look: Look) -> list[Run]:
    """As `considered`, looked up now, where one of the runs recommends an upgrade; else as they are."""
    if not any(run.verdict and is_upgrade_at_heart(run.verdict) for run in runs):
        return runs
    pair = runs[0].pair
    found = look.at([pair.head.name], look.committed_at(pair.base.sha))
    return [_unless_same(run, considered(run, found)) for run in runs]


def _unless_same(old: Run, new: Run) -> Run:
    """The record as it was where a look found the same again: a report is not edited for the time alone."""
    before, now = old.upstream_trouble, new.upstream_trouble
    same = before and now and now.model_copy(update={"looked_up_at": before.looked_up_at}) == before
    return old if same else new


def _somebody(github: GithubConfig) -> Credentials:
    """Who we are where that is configured, else nobody: what is asked for is public."""
    try:
        return credentials(github)
    except BotError:
        return NoToken()


def _span(heads: Iterable[str], newest: str | None) -> Span:
    numbers = [number for name in heads if (number := tags.parse(name)) is not None]
    if not numbers:
        return Span()
    high = tags.parse(newest or "") or max(numbers) + _AHEAD
    return Span(low=min(numbers), high=max(high, *numbers))
