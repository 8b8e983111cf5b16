"""A few launches of each side in turns, and what broke in them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.bench.plan import Json, ScenarioPlan
from bot.bench.runner import Answered, launch_limit_s, run_errands
from bot.pipeline.evidence.desk import Desk
from bot.pipeline.evidence.launching import told
from bot.pipeline.identity import seed_of
from bot.pipeline.launching import request_for
from bot.records import SIDES, Launch, Reason, Run, Side, Value
from bot.stats.order import orders

#: One broken launch may be a fluke of the machine, two of the same build are a finding.
ROUNDS = 2


def once(
    desk: Desk,
    run: Run,
    name: str,
    *,
    side: Side,
    slot: int,
    scenarios: tuple[ScenarioPlan, ...] = (),
    errands: tuple[Json, ...] = (),
    errands_s: float = 0.0,
) -> Answered:
    """One launch under the conditions of `run`, as its rounds are measured; errands may take that long.

    Raises BotError where the machine ended it; a broken server is a status.
    """
    request = request_for(desk.context, run, side, f"evidence-{name}-{slot:02}-{side}", scenarios)
    limit = launch_limit_s(request) + errands_s
    answered = run_errands(replace(request, errands=errands, deadline_s=limit), side=side, slot=slot)
    return Answered(told(answered.launch, desk, request.folder), answered.extras)


def in_turns(desk: Desk, launch: Callable[[Side, int], Launch]) -> Iterator[tuple[Launch, Launch]]:
    """Two rounds of `launch(side, slot)` for both sides, in balanced order, as long as the budget lasts.

    Each pair is yielded in the order run, when both are done. The first is expected to take as long as the
    warm-up pair did.
    """
    spent = _seconds(desk.run.warmup.launches) if desk.run.warmup else 0.0
    for place, order in enumerate(orders(seed_of(desk.run.id), ROUNDS)):
        if spent > desk.left_s:
            return
        sides = SIDES if order == "AB" else SIDES[::-1]
        first, second = (launch(side, 2 * place + turn) for turn, side in enumerate(sides))
        spent = _seconds((first, second))
        yield first, second


def _seconds(launches: Sequence[Launch]) -> float:
    return sum(item.seconds.get("process", 0.0) for item in launches)


def breakage(launches: Sequence[Launch]) -> Iterator[Reason]:
    """Which side's launches ended otherwise than asked, and what each said of it first.

    Whether that is a finding about head is for the verdict to say (`bot.report.alarms`).
    """
    for side in SIDES:
        bad = next((item for item in launches if item.side == side and item.status != "ok"), None)
        if bad:
            told: dict[str, Value] = {"side": side, "status": bad.status, "log_line": bad.detail[:200]}
            yield Reason(code="launch_broke", args=told)
