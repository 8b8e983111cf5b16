"""How well both builds predict a fixed text, at full speed: what computes wrongly cannot hide here."""

import math
from collections.abc import Iterator
from pathlib import Path

from bot import resources, store
from bot.bench.conditions import parse_help
from bot.bench.perplexity import Estimate, arguments, read
from bot.bench.tool import ToolEnd, tool_help
from bot.build.extras import PERPLEXITY
from bot.pipeline.evidence import tools
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.records import SIDES, Check, CheckResult, Evidence, Measure, Reason, Side
from bot.stats import likelihood

#: Texts of the shipped prompts, one after the other: prose, then code with its discussion.
_TEXTS = ("document", "coding")
#: One process in six loses its last lines.
_TRIES = 5


def gather(desk: Desk) -> Iterator[Evidence]:
    """Perplexity of both sides over the same chunks; a broken one is a failed check."""
    missing = next((side for side in SIDES if not _is_built(desk, side)), None)
    if missing:
        yield not_run("likelihood", "likelihood_not_built", side=missing)
        return
    passage = desk.context.folder.path / "passage.txt"
    store.write_text(passage, _passage())
    base = _run(desk, "base", passage)
    if base.seconds > desk.left_s:
        yield not_run("likelihood", BUDGET)
        return
    found = _judged(base, _run(desk, "head", passage))
    if found.new_failures and base.seconds < desk.left_s:  # once may be a fluke of the machine
        found = _judged(base, _run(desk, "head", passage))
    yield found


def _is_built(desk: Desk, side: Side) -> bool:
    build = desk.run.build(side)
    return build is not None and PERPLEXITY in build.binaries


def _passage() -> str:
    folder = resources.templates() / "prompts"
    return "\n\n".join((folder / f"{name}.txt").read_text("utf-8") for name in _TEXTS)


def _run(desk: Desk, side: Side, passage: Path) -> ToolEnd:
    """One process, made again where it ended well and its output is not whole."""
    context, program = desk.context, tools.program(desk, side, PERPLEXITY)
    words = arguments(
        tool_help(program, parse_help, "-f", tools.box(desk)),
        model=str(context.profile.model),
        passage=passage,
        flags=desk.run.profile.flags,
        backend=context.backend,
        threads=context.threads,
    )
    for _ in range(_TRIES):
        end = tools.run(desk, (*program, *words))
        if end.status != "ok" or read(end.stdout, end.stderr) or end.seconds > desk.left_s:
            break
    return end


def _judged(base_end: ToolEnd, head_end: ToolEnd) -> Evidence:
    if "timeout" in (base_end.status, head_end.status):
        return not_run("likelihood", BUDGET)
    base, head = (
        read(end.stdout, end.stderr) if end.status == "ok" else None for end in (base_end, head_end)
    )
    if base and head and _is_comparable(base, head):
        return _compared(base, head)
    check = Check(
        name="likelihood",
        base=_result(base, head) if base or base_end.status != "ok" else "not_run",
        head=_result(head, base) if head or head_end.status != "ok" else "not_run",
        base_detail=_detail(base_end, base),
        head_detail=_detail(head_end, head),
    )
    outcome = "worse" if check.is_new_failure else "unjudged"
    return Evidence(kind="likelihood", outcome=outcome, measures=(_measure(base, head),), checks=(check,))


def _is_comparable(base: Estimate, head: Estimate) -> bool:
    """Numbers over the same chunks, of the same order."""
    same = len(base.running) == len(head.running) and bool(base.running)
    broken = (_result(base, head), _result(head, base)) != ("pass", "pass")
    return same and base.is_finite and head.is_finite and not broken


def _compared(base: Estimate, head: Estimate) -> Evidence:
    losses = likelihood.chunk_losses(base.running), likelihood.chunk_losses(head.running)
    outcome = likelihood.judged(*losses)
    delta, error = likelihood.difference(*losses)
    told = {"delta": math.expm1(delta), "delta_error": error, "chunks": len(base.running)}
    return Evidence(
        kind="likelihood",
        outcome=outcome,
        measures=(_measure(base, head).model_copy(update={"outcome": outcome}),),
        notes=(Reason(code="likelihood_paired", args=told),),
    )


def _measure(base: Estimate | None, head: Estimate | None) -> Measure:
    return Measure(
        name="perplexity",
        base=_finite(base.perplexity) if base else None,
        head=_finite(head.perplexity) if head else None,
        base_error=_finite(base.error) if base else None,
        head_error=_finite(head.error) if head else None,
    )


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def _result(found: Estimate | None, other: Estimate | None) -> CheckResult:
    if found is None or likelihood.is_broken(found.perplexity, other.perplexity if other else None):
        return "fail"
    return "pass"


def _detail(end: ToolEnd, found: Estimate | None) -> str:
    if found is None:
        return end.detail[:200] or "no_estimate"
    return f"{found.perplexity:.4g}"
