"""The step after the rounds: what else the profile asks for, within a budget of its own."""

import time
from collections.abc import Iterator

from bot import store
from bot.errors import BotError
from bot.pipeline.context import Context
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.pipeline.evidence.kinds import GATHERERS
from bot.pipeline.launching import load_tokens
from bot.pipeline.preparing import TOKENS
from bot.progress import clock
from bot.records import Evidence, EvidenceKind, Run

__all__ = ["Desk", "gather", "not_run"]

#: Measuring ended early for these: there is nothing more to learn from either build on this machine.
_STOPPED = frozenset({"stopped_broken", "environment_unstable"})
#: They compare speeds or what follows from them.
_OF_SPEED = frozenset({"llama_bench", "load", "energy", "variant"})
#: What keeps a kind from working: the machine, or an answer of a build that is not as answers are.
_TROUBLE = (BotError, OSError, ValueError, TypeError, LookupError, ArithmeticError)
#: With less than this left, no kind is begun (seconds).
_LEAST_S = 5.0


def gather(context: Context, run: Run) -> Run:
    """The run with the evidence that its profile asks for, in that order; none where measuring broke off.

    No trouble of a kind ends the run: it is `not_run`, with a reason.
    """
    kinds = context.profile.evidence
    if not kinds or not run.valid_rounds or any(note.code in _STOPPED for note in run.notes):
        return run
    desk = Desk(
        context, run, load_tokens(context.folder.path / TOKENS), time.monotonic() + _budget_s(context)
    )
    found: list[Evidence] = []
    with context.reporter.stage(
        "progress-evidence", budget=clock(context.settings.evidence_budget_s)
    ) as advance:
        for place, kind in enumerate(kinds):
            advance(place, len(kinds))
            found += _kind(desk, kind)
        advance(len(kinds), len(kinds))
    return run.model_copy(update={"evidence": tuple(found)})


def _kind(desk: Desk, kind: EvidenceKind) -> Iterator[Evidence]:
    if kept := desk.kept(kind):
        yield kept
        return
    if desk.run.has_mixed_sources and kind in _OF_SPEED:
        yield not_run(kind, "evidence_sources_differ")
        return
    if desk.left_s < _LEAST_S:
        yield not_run(kind, BUDGET)
        return
    gatherer = iter(GATHERERS[kind](desk))
    while True:
        began = time.monotonic()
        try:
            item = next(gatherer, None)
        except _TROUBLE as error:
            yield not_run(kind, "evidence_failed", error=str(error)[:200] or type(error).__name__)
            return
        if item is None:
            return
        if not item.seconds:
            item = item.model_copy(update={"seconds": round(time.monotonic() - began, 3)})
        if item.outcome != "not_run":
            desk.keep(item)
        yield item


def _budget_s(context: Context) -> float:
    """The budget, less what an earlier sitting of this run spent on the evidence that it finished."""
    folder = context.folder.path / "evidence"
    spent = sum(store.load(path, Evidence).seconds for path in folder.glob("*.json"))
    return context.settings.evidence_budget_s - spent
