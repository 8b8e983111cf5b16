"""Upstream's open issues, held against a run: which of them name its head, a newer tag, or a change. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import Field

from bot.records import Backend, Record, Run, Trouble, UpstreamTrouble
from bot.watch.naming import backends, pulls, versions

#: Labels of what is no report of trouble.
_OTHERS = frozenset({"documentation", "duplicate", "enhancement", "invalid", "question", "wontfix"})
_RANK = {"head": 0, "pr": 1, "newer": 2}
#: How a run's backend is called in upstream's form.
_NAMES: dict[Backend, frozenset[str]] = {
    "cuda": frozenset({"all", "cuda"}),
    "cpu": frozenset({"all", "amx", "blas", "cpu"}),
}
_LONGEST_TITLE, _MOST_PULLS, _MOST_LABELS = 160, 20, 6
#: Bytes of all issues in a job's outputs. A plan is handed on in one variable of the environment, which
#: Linux bounds to 128 KiB (MAX_ARG_STRLEN).
LONGEST = 48_000


class OpenIssue(Record):
    """One open issue, with the versions (build numbers) and pull requests that it names."""

    number: int
    title: str
    created: str
    labels: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    versions: tuple[int, ...] = ()
    pulls: tuple[int, ...] = ()


class OpenIssues(Record):
    """What one look found; `looked_up_at`, `answered` and `complete` as in `UpstreamTrouble`.

    `repository`: `owner/name`. Newest first.
    """

    repository: str
    looked_up_at: str
    answered: bool = True
    complete: bool = True
    items: tuple[OpenIssue, ...] = ()

    def bounded(self, longest: int = LONGEST) -> "OpenIssues":
        """No larger than `longest` bytes of JSON: the oldest go, and `complete` says so."""
        kept: list[OpenIssue] = []
        size = 0
        for item in self.items:
            size += len(item.model_dump_json().encode()) + 1
            if size > longest:
                return self.model_copy(update={"items": tuple(kept), "complete": False})
            kept.append(item)
        return self


class Span(Record):
    """The build numbers that may be meant: from the head to the newest tag. None where head is no tag."""

    low: int | None = None
    high: int = Field(default=0)


def issue(data: dict[str, Any], repository: str, span: Span) -> OpenIssue | None:
    """One entry of GitHub's list, as far as it bears; None for pull requests, bots, wishes, and what names
    nothing."""
    labels = tuple(_labels(data))
    user, number = data.get("user"), data.get("number")
    is_bot = isinstance(user, dict) and user.get("type") == "Bot"
    if (
        not isinstance(number, int)
        or data.get("pull_request")
        or is_bot
        or _OTHERS & {name.lower() for name in labels}
    ):
        return None
    title, body = str(data.get("title") or ""), str(data.get("body") or "")
    text = f"{title}\n{body}"
    found = OpenIssue(
        number=number,
        title=title[:_LONGEST_TITLE],
        created=str(data.get("created_at") or "")[:20],
        labels=labels[:_MOST_LABELS],
        backends=backends(body),
        versions=versions(text, span.low, span.high) if span.low is not None else (),
        pulls=pulls(text, repository)[:_MOST_PULLS],
    )
    return found if found.versions or found.pulls else None


def trouble(run: Run, found: OpenIssues) -> UpstreamTrouble:
    """What of it concerns this run, strongest first. Nothing of a self-test: it recommends no tag."""
    items: Iterable[Trouble] = () if run.pair.is_self_test else _troubles(run, found)
    return UpstreamTrouble(
        looked_up_at=found.looked_up_at,
        answered=found.answered,
        complete=found.complete,
        items=tuple(sorted(items, key=lambda item: (item.elsewhere, _RANK[item.why], -item.number))),
    )


def _troubles(run: Run, found: OpenIssues) -> Iterator[Trouble]:
    changes = {
        item.pr
        for item in (run.highlights.items if run.highlights else ())
        if item.applies != "no" and item.pr
    }
    for item in found.items:
        if named := _named(item, run.pair.head.number, changes):
            why, names = named
            yield Trouble(
                number=item.number,
                title=item.title,
                url=f"https://github.com/{found.repository}/issues/{item.number}",
                why=why,
                names=names,
                created=item.created,
                labels=item.labels,
                backends=item.backends,
                elsewhere=_is_elsewhere(item.backends, run.profile.backend),
            )


def _named(item: OpenIssue, head: int | None, changes: set[int]) -> tuple[Any, str] | None:
    if head is not None and head in item.versions:
        return "head", f"b{head}"
    if pull := next((number for number in item.pulls if number in changes), None):
        return "pr", str(pull)
    newer = [number for number in item.versions if head is not None and number > head]
    return ("newer", f"b{newer[0]}") if newer else None


def _is_elsewhere(named: Sequence[str], backend: Backend) -> bool:
    return bool(named) and not _NAMES[backend] & {name.lower() for name in named}


def _labels(data: dict[str, Any]) -> Iterator[str]:
    listed = data.get("labels")
    for item in listed if isinstance(listed, list) else ():
        name = item.get("name") if isinstance(item, dict) else item
        if isinstance(name, str):
            yield name[:50]
