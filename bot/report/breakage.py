"""Which broken launches are a finding about a build, and which happened once among good ones."""

from collections.abc import Iterator, Sequence

from bot.records import BROKEN_STATUSES, SIDES, Launch, Reason, Run, Side, Value

#: One crash may be a fluke of the machine, two of one build are a finding (as `bot.bench.rounds` has it).
FINDING = 2
#: Broke once and never again, though the pair was measured again: said, and no reason to hold.
HEAD_ONCE, BASE_ONCE = "head_broke_once", "base_broke_once"


def broken(run: Run, side: Side) -> list[Launch]:
    """Launches of a side that failed by the build's own doing."""
    return [launch for launch in run.launches(side) if is_wreck(launch)]


def is_wreck(launch: Launch) -> bool:
    """Whether a launch failed by the build's own doing.

    One that a guard found disturbed (a foreign process took the memory) says nothing of the build.
    """
    return launch.status in BROKEN_STATUSES and launch.invalid in (None, launch.status)


def is_broken(run: Run, side: Side) -> bool:
    """Whether that is a finding: it happened again, or it once left nothing measured."""
    count = len(broken(run, side))
    return count >= FINDING or (count > 0 and not run.valid_rounds)


def reasons(run: Run) -> Iterator[Reason]:
    """What the launches that broke say of either side."""
    wrecks = {side: broken(run, side) for side in SIDES}
    found = {side for side in SIDES if is_broken(run, side)}
    base, head = wrecks["base"], wrecks["head"]
    if found and base and head:
        yield Reason(code="both_broken", args={"base_status": base[0].status, "status": head[0].status})
    elif "head" in found and any(launch.status == "ok" for launch in run.launches("base")):
        yield Reason(code="head_broken", args=_how(run, "head", head))
    elif "base" in found:
        yield Reason(code="base_broken", args=_how(run, "base", base))
    elif not found:
        codes: dict[Side, str] = {"base": BASE_ONCE, "head": HEAD_ONCE}
        for side in (side for side in SIDES if wrecks[side]):
            yield Reason(
                code=codes[side], args=_how(run, side, wrecks[side]) | {"again": _went_on(run, side)}
            )


def _went_on(run: Run, side: Side) -> bool:
    """Whether that side was launched again after it broke, and ran."""
    return [launch.status for launch in run.launches(side)][-1:] == ["ok"]


def _how(run: Run, side: Side, launches: Sequence[Launch]) -> dict[str, Value]:
    made = sum(1 for _ in run.launches(side))
    return {"status": launches[0].status, "broken": len(launches), "launches": made}
