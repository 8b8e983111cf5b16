"""One whole run, in order. A step whose result is on disk is not done again."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from bot import hooks, store
from bot.config import Settings
from bot.errors import Exit
from bot.locks import gpu_lock
from bot.pipeline import calibrations, fingerprints, self_test
from bot.pipeline.begin import begin, intents, take_up
from bot.pipeline.building import build, discard_untrusted
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.context import Context
from bot.pipeline.evidence import gather
from bot.pipeline.explaining import conclude, explain
from bot.pipeline.ledger import place, remember
from bot.pipeline.measuring import measure
from bot.pipeline.preparing import prepare
from bot.pipeline.probing import probe
from bot.pipeline.request import Request
from bot.pipeline.writing import write
from bot.progress import Reporter
from bot.records import Run
from bot.report.alarms import REGRESSIONS


def run(settings: Settings, request: Request, reporter: Reporter) -> tuple[Run, RunFolder]:
    """The finished run and its folder: measured now, gone on with, or found finished.

    Raises BotError for what the user can mend; what is finished stays on disk.
    """
    if hooks.restore_abandoned(intents(settings)):
        reporter.say("progress-restored")
    context, first = begin(settings, request, reporter)
    with _turn(context, first.id, request):
        begun = take_up(context, first)
        if context.folder.is_finished and (not request.probe or context.folder.has("probe")):
            reporter.say("progress-already-finished", id=begun.id)
            return store.load_run(context.folder.record), context.folder
        return _steps(context, begun, is_probing=request.probe), context.folder


def _steps(context: Context, begun: Run, *, is_probing: bool) -> Run:
    step, machine = context.folder.step, (context.settings, context.device)
    now = step("build", begun, lambda run: build(context, run))
    if not now.failed_builds:
        second = self_test.twin(context, now)
        with _quiet_machine(context, is_probing=is_probing):
            now = step("prepare", now, lambda run: fingerprints.compared(*machine, prepare(context, run)))
            if now.plan:
                if second or context.folder.has(self_test.STEP):
                    now = step(self_test.STEP, now, lambda run: self_test.measured(context, run, second))
                now = step("measure", now, lambda run: measure(context, run))
                now = step("evidence", now, lambda run: gather(context, run))
                if is_probing or context.folder.has("probe"):
                    now = step("probe", now, lambda run: probe(context, run))
    now = step("explain", now, lambda run: explain(context, run))
    finished = conclude(calibrations.calibrated(context.settings, conclude(now)))
    remember(place(context.settings), finished)
    fingerprints.remember(context.settings, finished)
    calibrations.remember(context.settings, finished)
    written = write(context, finished)
    discard_untrusted(context)
    return written


@contextmanager
def _turn(context: Context, run_id: str, request: Request) -> Iterator[None]:
    """One GPU, one run: the second waits, or ends with exit 4; of several GPUs all must be free."""
    names = [device.uuid for device in context.device.each] if context.device else ["host"]

    def on_wait() -> None:
        context.reporter.say("progress-waiting")

    with ExitStack() as stack:
        for name in sorted(names):  # in one order, so that two runs never wait for each other
            stack.enter_context(gpu_lock(name, wait=request.wait, on_wait=on_wait, run=run_id))
        yield


@contextmanager
def _quiet_machine(context: Context, *, is_probing: bool) -> Iterator[None]:
    """The user's own server is away while there is something to measure."""
    machine = context.settings.machine
    is_over = context.folder.has("probe" if is_probing else "evidence")
    if is_over or not (machine.before or machine.after):
        yield
        return
    context.reporter.say("progress-hooks")
    with hooks.around(machine.before, machine.after, intents(context.settings)):
        yield


def exit_code(finished: Run, fail_on: str | None) -> Exit:
    """What the command line answers with (a contract, see docs/architecture.md)."""
    if finished.failed_builds:
        return Exit.BUILD_FAILED
    reasons = finished.verdict.reasons if finished.verdict else ()
    regressed = any(item.outcome == "regression" for item in finished.comparisons) or any(
        reason.code in REGRESSIONS for reason in reasons
    )
    held = finished.verdict is not None and finished.verdict.code == "hold"
    found = {"regression": regressed, "hold": held}
    return Exit.FOUND if fail_on and found[fail_on] else Exit.DONE
