"""A report that recommended an upgrade is looked over once more after a week, and edited where that matters.

The gate finds out what upstream reverted and which issues were opened; the post job edits. Records come from
the branch of the state, which only the post job writes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from bot import store
from bot.changelog import credits, undone
from bot.delivery.handover import Again, Plan
from bot.delivery.posting import PASSING, Asked, Poster
from bot.delivery.published import images_beside
from bot.delivery.troubling import considered
from bot.delivery.watching import MirrorHistory
from bot.errors import BotError, Exit
from bot.github.state import Keeper
from bot.github.targets import parse
from bot.pipeline.ledger import moved
from bot.records import Credit, Recheck, Run
from bot.report.doubts import DECISIVE, RESERVED
from bot.report.verdict import reconsidered
from bot.watch.state import Posted


def again(posted: Posted, keeper: Keeper, history: MirrorHistory, newest: tuple[str, str]) -> Again:
    """What of this report upstream has reverted up to its `newest` tag (name and commit id).

    Nothing where its records are gone. Raises BotError (exit 4) where git does not answer.
    """
    name, sha = newest
    ledger = [credit for run in _runs(posted, keeper) for credit in credited(run)]
    reverts = undone(ledger, history.commits(posted.head_sha, sha), name) if ledger else ()
    return Again(posted=posted, newest=name, undone=reverts)


def credited(run: Run) -> tuple[Credit, ...]:
    """What the report of this run names."""
    return credits(run.highlights, run.pair.head.name, moved(run)) if run.highlights else ()


def looked_over(run: Run, plan: Plan, item: Again, now: float) -> Run:
    """The record with what upstream learned since. Issues that could not be looked up stay as they were."""
    names = {credit.sha for credit in credited(run)}
    found = Recheck(
        at=datetime.fromtimestamp(now, UTC).isoformat(timespec="seconds"),
        newest=item.newest,
        undone=tuple(one for one in item.undone if one.credit.sha in names),
    )
    marked = run.model_copy(update={"recheck": found})
    if plan.issues and plan.issues.answered:
        return considered(marked, plan.issues)
    return marked.model_copy(update={"verdict": reconsidered(marked)})


def is_worth(old: Run, new: Run) -> bool:
    """Whether the report is edited: the verdict changed, or an upgrade has doubts of a kind it had not."""
    if old.verdict is None or new.verdict is None:
        return False
    kinds = {*DECISIVE, *RESERVED}
    before, now = ({reason.code for reason in found.reasons} & kinds for found in (old.verdict, new.verdict))
    return new.verdict.code != old.verdict.code or (old.verdict.code == "upgrade" and bool(now - before))


@dataclass(frozen=True)
class Rechecked:
    """`done`: keys of reports that were looked over; `records`: the edited ones, by folder.

    `errors`: what will be tried again at the next look; `refused`: what will not.
    """

    done: tuple[str, ...] = ()
    records: tuple[tuple[str, Run], ...] = ()
    errors: tuple[BotError, ...] = ()
    refused: tuple[BotError, ...] = ()


@dataclass(frozen=True)
class Rechecker:
    """The post job's part. Edits go the way of every post: found by the marker, sent once, never doubled."""

    plan: Plan
    keeper: Keeper
    poster: Callable[[], Poster]
    now: float

    def do(self) -> Rechecked:
        """Look each report over; what is edited is a post of ours that still stands, and nothing else."""
        every = [self._one(item) for item in self.plan.again]
        return Rechecked(
            done=tuple(key for one in every for key in one.done),
            records=tuple(record for one in every for record in one.records),
            errors=tuple(error for one in every for error in one.errors),
            refused=tuple(error for one in every for error in one.refused),
        )

    def _one(self, item: Again) -> Rechecked:
        posted = item.posted
        known = _runs(posted, self.keeper)
        fresh = [looked_over(run, self.plan, item, self.now) for run in known]
        if not any(is_worth(old, new) for old, new in zip(known, fresh, strict=True)):
            return Rechecked(done=(posted.key,))
        failures = self._edit(posted, fresh)
        waiting = tuple(error for error in failures if error.code in PASSING)
        return Rechecked(
            done=() if waiting else (posted.key,),
            records=tuple(zip(posted.records, fresh, strict=True)) if not waiting else (),
            errors=waiting,
            refused=tuple(error for error in failures if error.code not in PASSING),
        )

    def _edit(self, posted: Posted, fresh: Sequence[Run]) -> list[BotError]:
        asked = None
        if posted.comment and posted.login:
            asked = Asked(posted.comment, posted.login, posted.node)
        targets = [parse(text) for text in posted.targets]
        try:
            images = images_beside(posted.files, posted.records, fresh)
            outcomes = self.poster().post(fresh, targets, asked, posted.files, images=images, edit_only=True)
        except BotError as error:
            return [error]
        return [outcome.error for outcome in outcomes if outcome.error]


def _runs(posted: Posted, keeper: Keeper) -> list[Run]:
    """The report's records; none where one of them is gone, cannot be read, or is of another pair."""
    found = []
    for folder in posted.records:
        path = str(PurePosixPath(folder) / "run.json")
        try:
            run = store.parse_run(keeper.read(path) or "", Path(path))
        except BotError as error:
            if error.exit_code != Exit.USAGE:
                raise
            return []
        if (run.pair.base.sha, run.pair.head.sha) != (posted.base_sha, posted.head_sha):
            return []
        found.append(run)
    return found
