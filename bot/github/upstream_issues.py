"""Upstream's open issues, newest first: a few reads, free while nothing changed. Never a write."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Protocol

from bot.errors import BotError
from bot.github.client import told
from bot.github.errors import refused
from bot.github.lookups import Reader
from bot.http import Answer, Clock
from bot.watch.trouble import OpenIssue, OpenIssues, Span, issue

#: Pages of a hundred issues and pull requests. Upstream opens about forty of both a day that stay open, so
#: that these are ten days.
MOST_PAGES = 4
_PER_PAGE = 100


class Poller(Reader, Protocol):
    """The part of `client.Client` that reads, also with stored ETags."""

    def poll(self, path: str) -> Answer:
        """A REST read with the stored ETag; raises the three errors of `bot.http`."""


@dataclass(frozen=True)
class UpstreamIssues:
    """The issues of `repository` (`owner/name`). The list is asked for by the same addresses each time, so
    that ETags serve; labels do not choose: confirmed bugs have others than new ones."""

    client: Poller
    repository: str
    clock: Clock

    def look(self, span: Span, since: float | None) -> OpenIssues:
        """What was opened after `since` (seconds since the epoch) and names something of `span`, or a change.

        Without an answer the result says so; nothing is raised. One that ends early is not complete.
        """
        looked_up_at = datetime.fromtimestamp(self.clock.now(), UTC).isoformat(timespec="seconds")
        found = OpenIssues(repository=self.repository, looked_up_at=looked_up_at)
        items: list[OpenIssue] = []
        try:
            for entry in self._opened_after(since):
                if entry is None:
                    found = found.model_copy(update={"complete": False})
                elif (read := issue(entry, self.repository, span)) is not None:
                    items.append(read)
        except BotError:
            return found.model_copy(update={"answered": False, "complete": False})
        return found.model_copy(update={"items": tuple(items)}).bounded()

    def committed_at(self, sha: str) -> float | None:
        """When a commit was made on the main line (seconds since the epoch); None without an answer."""
        path = f"/repos/{self.repository}/git/commits/{sha}"
        try:
            data = told(path, lambda: self.client.get(path)).data
            return datetime.fromisoformat(data["committer"]["date"]).timestamp()
        except (BotError, KeyError, TypeError, ValueError):
            return None

    def _opened_after(self, since: float | None) -> Iterator[dict[str, Any] | None]:
        """Entries, newest first; None at the end where there may be more."""
        for number in range(1, MOST_PAGES + 1):
            try:
                page = self._page(number)
            except BotError:
                if number == 1:
                    raise
                break
            for entry in page:
                if since is not None and _opened_at(entry) < since:
                    return
                yield entry
            if len(page) < _PER_PAGE:
                return
        yield None

    def _page(self, number: int) -> list[dict[str, Any]]:
        query = f"state=open&sort=created&direction=desc&per_page={_PER_PAGE}&page={number}"
        path = f"/repos/{self.repository}/issues"
        data = told(path, lambda: self.client.poll(f"{path}?{query}")).data
        if not isinstance(data, list):
            raise refused("unanswered", path, why=type(data).__name__)
        return [entry for entry in data if isinstance(entry, dict)]


def _opened_at(entry: dict[str, Any]) -> float:
    """Seconds since the epoch; what cannot be read counts as new, and is looked at."""
    try:
        return datetime.fromisoformat(str(entry.get("created_at"))).timestamp()
    except ValueError:
        return float("inf")
