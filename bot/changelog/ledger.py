"""What earlier reports credited, and what of it was reverted since. Pure: the pipeline keeps the file."""

from collections.abc import Collection, Iterable, Sequence

from bot.changelog.classify import Reading, read
from bot.changelog.links import link
from bot.changelog.parse import parse
from bot.records import Commit, Credit, Highlights, Undone

_SHORTEST_SHA = 7
#: The ledger keeps this many, newest first.
MOST = 2000


def credits(found: Highlights, tag: str, moved: Collection[str]) -> tuple[Credit, ...]:
    """What the report of `tag` names: highlights that apply or may, suspects of the metrics that moved."""
    lines = (
        Credit(
            sha=item.sha,
            pr=item.pr,
            tag=tag,
            role="highlight",
            area=item.area,
            text=item.text,
            texts=item.texts,
        )
        for item in found.items
        if item.applies != "no"
    )
    named = (
        Credit(
            sha=item.sha,
            pr=item.pr,
            tag=tag,
            role="suspect",
            metric=metric,
            area=item.area,
            text=item.text,
            texts=item.texts,
        )
        for metric in sorted(moved)
        for item in found.suspects.get(metric, ())
    )
    return (*named, *lines)


def merged(ledger: Iterable[Credit], new: Iterable[Credit]) -> tuple[Credit, ...]:
    """The ledger with a run's credits in front; a commit stands in it once per role, as first told."""
    known = {(item.sha, item.role, item.metric): item for item in (*new, *ledger)}
    earlier = {(item.sha, item.role, item.metric): item for item in ledger}
    return tuple((known | earlier).values())[:MOST]


def undone(ledger: Sequence[Credit], commits: Sequence[Commit], tag: str) -> tuple[Undone, ...]:
    """Which credited commits the range up to `tag` reverts, one entry per commit (as suspect, if it was one).

    A revert that the range itself takes back undoes nothing.
    """
    readings = read(commits)
    links = link(readings)
    restored = {earlier for earlier, _ in links.pairs}
    reverts = [item for item in readings if item.parsed.revert and item.index not in restored]
    found: dict[str, Undone] = {}
    for credit in sorted(ledger, key=lambda item: item.role != "suspect"):
        revert = next((item for item in reverts if _undoes(item, credit)), None)
        if revert is not None:
            found.setdefault(
                credit.sha,
                Undone(credit=credit, tag=tag, by_sha=revert.commit.sha, by_pr=revert.parsed.pr),
            )
    return tuple(found.values())


def _undoes(reading: Reading, credit: Credit) -> bool:
    revert = reading.parsed.revert
    if revert is None or reading.commit.sha == credit.sha:
        return False
    if revert.sha and len(revert.sha) >= _SHORTEST_SHA and credit.sha.startswith(revert.sha):
        return True
    if revert.pr is not None:
        return revert.pr == credit.pr
    return bool(revert.subject) and _text(revert.subject or "") == credit.text


def _text(subject: str) -> str:
    return parse(Commit(sha="", subject=subject)).text
