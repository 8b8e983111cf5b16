"""What the further evidence says against head: each is a reason to hold, however fast it is."""

from collections.abc import Iterator

from bot.records import Evidence, Launch, Reason, Run, Side, Value
from bot.report import numbers
from bot.report.breakage import FINDING, is_wreck

BROKEN, CANARY, WARM = "evidence_broken", "canary_failed", "warm_reprocessing"
LEAK = "memory_grows"
#: The codes, most important first.
ALARMS = (BROKEN, CANARY, WARM, LEAK)
#: Those that say what head does worse than base: functional and other regressions.
REGRESSIONS = frozenset({CANARY, WARM, LEAK})
#: The measure of `warm_chat` that is judged, before its turn's number.
REPROCESSED = "reprocessed:"


def alarms(run: Run) -> Iterator[Reason]:
    """Every alarm of a run's evidence."""
    for item in run.evidence:
        yield from _broken(item)
    names = [check.name for item in run.evidence for check in item.new_failures]
    if names:
        yield Reason(code=CANARY, args={"checks": " ".join(dict.fromkeys(names)), "count": len(names)})
    yield from _warm(run)
    yield from _leaks(run)


def _broken(item: Evidence) -> Iterator[Reason]:
    """Head broke in it, and again when it was launched again; base finished."""
    base, head = _launches(item, "base"), _launches(item, "head")
    wrecks = [launch for launch in head if is_wreck(launch)]
    if len(wrecks) >= FINDING and head[-1] in wrecks and base and base[-1].status == "ok":
        args: dict[str, Value] = {"evidence": item.kind, "status": wrecks[-1].status, "broken": len(wrecks)}
        yield Reason(code=BROKEN, args=args)


def _launches(item: Evidence, side: Side) -> list[Launch]:
    return [launch for launch in item.launches if launch.side == side]


def _warm(run: Run) -> Iterator[Reason]:
    """The turn of a warm chat in which head processes most more than base."""
    worse = [
        (measure.head - measure.base, measure)
        for item in run.evidence
        if item.kind == "warm_chat"
        for measure in item.measures
        if measure.name.startswith(REPROCESSED) and measure.outcome == "worse"
        if measure.base is not None and measure.head is not None
    ]
    if worse:
        _, measure = max(worse, key=lambda item: item[0])
        turn = int(measure.name.removeprefix(REPROCESSED))
        sides: dict[str, Value] = {
            "base_tokens": round(measure.base or 0),
            "head_tokens": round(measure.head or 0),
        }
        yield Reason(code=WARM, args={"turn": turn, **sides})


def _leaks(run: Run) -> Iterator[Reason]:
    """Memory that grows with every request to head: on the GPU first, where it runs out first."""
    grown = [
        measure
        for item in run.evidence
        if item.kind == "leak"
        for measure in item.measures
        if measure.outcome == "worse" and measure.head is not None
    ]
    for measure in sorted(grown, key=lambda item: item.name, reverse=True)[:1]:
        sides = {"base_mib": numbers.growth(measure.base or 0), "head_mib": numbers.growth(measure.head or 0)}
        yield Reason(code=LEAK, args={"place": measure.name.removesuffix("_growth"), **sides})
