"""`/bench status`, `cancel` and `retry` in Actions: which run is meant, and what is done to it."""

from bot.github import replies
from bot.github.acting import Actor
from bot.github.commands import Command
from bot.github.queue import Active, read_jobs, shown
from bot.github.replies import Act
from bot.github.wording import Voice
from bot.github.workflow_runs import WorkflowRun, WorkflowRuns
from bot.records import Reason

#: Runs whose jobs are looked at, each for one request; GitHub lets 100 wait for a machine.
MOST_LISTED = 12


def answer_about_runs(command: Command, actor: Actor, runs: WorkflowRuns, voice: Voice) -> None:
    """Do it and say so: three to four requests after the acknowledgement, for `status` two more and one for
    each run under way. Raises BotError (exit 5)."""
    actor.do(_acts(command, actor, runs, voice))


def _acts(command: Command, actor: Actor, runs: WorkflowRuns, voice: Voice) -> tuple[Act, ...]:
    latest = runs.latest()
    if command.action == "status":
        return replies.status(voice, shown(active_runs(runs, latest)), actor.place)
    chosen = choose(command, latest, actor.place.number)
    if isinstance(chosen, Reason):
        return replies.answer(voice, chosen, actor.place)
    if command.action == "cancel":
        runs.cancel(chosen)
    else:
        runs.retry(chosen)
    done = "cancelled" if command.action == "cancel" else "retried"
    return replies.answer(voice, Reason(code=done, args={"id": str(chosen.id)}), actor.place)


def active_runs(runs: WorkflowRuns, latest: tuple[WorkflowRun, ...] | None = None) -> tuple[Active, ...]:
    """What is not over, with its jobs; the oldest, where there are very many. Raises BotError (exit 5)."""
    known = runs.latest() if latest is None else latest
    under_way = [*(run for run in known if run.is_running), *runs.automatic()]
    oldest = sorted(under_way, key=lambda run: run.id)[:MOST_LISTED]
    now = runs.client.clock.now()
    return tuple(Active(run, read_jobs(runs.jobs(run), run, now)) for run in oldest)


def choose(command: Command, latest: tuple[WorkflowRun, ...], thread: int) -> WorkflowRun | Reason:
    """The run that is meant: by its id, else the only one of this thread that is under way; for `retry` the
    latest of this thread that failed. Otherwise why there is none."""
    cancels = command.action == "cancel"
    fit = [run for run in latest if (run.is_running if cancels else run.has_failed)]
    if command.id is not None:
        named = next((run for run in fit if str(run.id) == command.id), None)
        return named or Reason(code="unknown-id", args={"id": command.id})
    here = [run for run in fit if run.thread == thread]
    if not here:
        return Reason(code="nothing-to-cancel" if cancels else "nothing-to-retry")
    if cancels and len(here) > 1:
        return Reason(code="several-runs", args={"ids": ", ".join(str(run.id) for run in here)})
    return here[0]
