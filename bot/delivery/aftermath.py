"""What upstream learned since, for a look's plan: open issues, and reports to look over again."""

from collections.abc import Callable, Iterable

from bot.delivery.handover import Again, Plan
from bot.delivery.rechecking import again
from bot.delivery.troubling import look_of
from bot.delivery.watching import Watcher
from bot.errors import BotError
from bot.upstream import tags
from bot.watch.state import WEEK_S, Posted
from bot.watch.trouble import OpenIssues

#: Seconds for which a report that is due waits while GitHub gives no answer.
GRACE_S = 6 * 3600.0
#: Reports of one look; the next ones take the rest. A plan must stay within one variable of the environment.
MOST_AGAIN = 10


def with_aftermath(plan: Plan, watcher: Watcher) -> Plan:
    """The plan with both. An idle look asks nothing; for the rest one look at the issues serves all.

    Raises BotError (exit 4) where git does not answer.
    """
    due = watcher.state.due(watcher.clock.now())[:MOST_AGAIN]
    newest = tags.newest(plan.listed)
    if newest is None or not (plan.jobs or due):
        return plan
    bases = [*(job.base_sha for job in plan.jobs), *(item.base_sha for item in due)]
    heads = [*(job.head for job in plan.jobs), *(item.head for item in due)]
    since = _earliest(bases, watcher.history.committed_at)
    issues = look_of(watcher.settings, watcher.clock).at(heads, since, newest)
    found = tuple(_agains(watcher, due, (newest, plan.listed[newest]), issues))
    return plan.model_copy(update={"issues": issues, "again": found})


def _agains(
    watcher: Watcher, due: Iterable[Posted], newest: tuple[str, str], issues: OpenIssues | None
) -> Iterable[Again]:
    for item in due:
        waits = watcher.clock.now() < item.at + WEEK_S + GRACE_S
        if issues is None or issues.answered or not waits:
            yield again(item, watcher.keeper, watcher.history, newest)


def _earliest(shas: Iterable[str], committed_at: Callable[[str], float]) -> float | None:
    """When the oldest of these was made; None where one of them is not known here."""
    times = []
    for sha in shas:
        try:
            times.append(committed_at(sha))
        except BotError:
            return None
    return min(times, default=None)
