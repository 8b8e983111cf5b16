"""The verdict: upgrade, optional, hold or cannot tell, with every reason that applies (docs/architecture.md).

The reasons' codes are those of `GROUPS`; the first group that has one decides.
Arguments are raw facts (ratios, MiB, names); `bot.report.phrases` makes sentences of them.
"""

from collections.abc import Iterator

from bot.records import (
    BROKEN_STATUSES,
    Comparison,
    Launch,
    MemoryComparison,
    Reason,
    Run,
    Side,
    Value,
    Verdict,
    VerdictCode,
)

#: Codes by verdict; within a group the most important first.
GROUPS: dict[VerdictCode, tuple[str, ...]] = {
    "hold": ("head_build_failed", "head_broken", "regression", "headroom_below_reserve"),
    "unknown": (
        "both_build_failed",
        "base_build_failed",
        "both_broken",
        "base_broken",
        "not_comparable",
        "environment_unstable",
        "self_test_failed",
        "nothing_measured",
        "inconclusive_primary",
        "cut_short",
    ),
    "upgrade": ("improvement", "fix"),
    "optional": ("within", "inconclusive", "memory"),
}
_GROUP_OF: dict[str, VerdictCode] = {code: verdict for verdict, codes in GROUPS.items() for code in codes}
_RANK = {code: rank for rank, code in enumerate(_GROUP_OF)}
#: Notes of other rooms that leave no verdict on the numbers.
_STOPPING_NOTES = frozenset({"environment_unstable", "self_test_failed"})
#: The last look of the decision rule (docs/measuring.md); less than that with an open metric was cut short.
_LAST_LOOK = 12


def conclude(run: Run) -> Verdict:
    """Apply the rules to a run; first match wins, all that apply are listed, most important first.

    In a self-test (the same commit on both sides) nothing can be held or recommended: a difference found
    between a build and itself is the machine's, so the answer is `unknown`.
    """
    reasons = sorted(_reasons(run), key=lambda reason: _RANK[reason.code])
    code = group(reasons[0])
    if run.pair.is_self_test and code in ("hold", "upgrade"):
        code = "unknown"
    return Verdict(code=code, reasons=tuple(reasons))


def group(reason: Reason) -> VerdictCode:
    """The verdict that this reason asks for."""
    return _GROUP_OF[reason.code]


def is_comparable(run: Run) -> bool:
    """Whether the servers of both sides really ran the same configuration."""
    return not any(item.blocks for item in run.differences)


def _reasons(run: Run) -> list[Reason]:
    found = [*_builds(run), *_launches(run), *_notes(run), *_differences(run)]
    if is_comparable(run):
        found += [*_metrics(run), *_memory(run), *_fixes(run)]
    if not any(group(reason) in ("hold", "unknown") for reason in found) and not _has_primary(run):
        found.append(_nothing(run))
    return found


def _builds(run: Run) -> Iterator[Reason]:
    failures = {build.side: build.failure for build in run.failed_builds}
    if not failures:
        return
    code = "both_build_failed" if len(failures) == 2 else f"{next(iter(failures))}_build_failed"
    failure = failures.get("head") or failures.get("base")
    args: dict[str, Value] = {}
    if failure:
        args = {"stage": failure.stage, "class": failure.kind, "cause": failure.cause}
    yield Reason(code=code, args=args)


def _launches(run: Run) -> Iterator[Reason]:
    head, base = broken(run, "head"), broken(run, "base")
    if head and base:
        yield Reason(code="both_broken", args={"base_status": base[0].status, "status": head[0].status})
    elif head and any(launch.status == "ok" for launch in run.launches("base")):
        yield Reason(code="head_broken", args=_how_broken(run, "head", head))
    elif base:
        yield Reason(code="base_broken", args=_how_broken(run, "base", base))


def broken(run: Run, side: Side) -> list[Launch]:
    """Launches of a side that failed by the build's own doing.

    One that a guard found disturbed (a foreign process took the memory) says nothing of the build.
    """
    return [
        launch
        for launch in run.launches(side)
        if launch.status in BROKEN_STATUSES and launch.invalid in (None, launch.status)
    ]


def _how_broken(run: Run, side: Side, launches: list[Launch]) -> dict[str, Value]:
    made = sum(1 for _ in run.launches(side))
    return {"status": launches[0].status, "broken": len(launches), "launches": made}


def _notes(run: Run) -> Iterator[Reason]:
    yield from (note for note in run.notes if note.code in _STOPPING_NOTES)


def _differences(run: Run) -> Iterator[Reason]:
    for item in run.differences:
        if item.blocks:
            args: dict[str, Value] = {"name": item.name, "base": item.base, "head": item.head}
            yield Reason(code="not_comparable", args=args)


def _metrics(run: Run) -> Iterator[Reason]:
    for item in run.comparisons:
        yield Reason(code=_metric_code(item), args=_metric_args(item))
    is_open = any(_metric_code(item) == "inconclusive_primary" for item in run.comparisons)
    if is_open and len(run.valid_rounds) < _LAST_LOOK:
        yield Reason(code="cut_short", args={"rounds": len(run.valid_rounds)})


def _metric_code(item: Comparison) -> str:
    return "inconclusive_primary" if item.outcome == "inconclusive" and item.primary else item.outcome


def _metric_args(item: Comparison) -> dict[str, Value]:
    args: dict[str, Value] = {
        "metric": item.metric,
        "kind": item.kind,
        "scenario": item.scenario,
        "change": item.change,
    }
    if item.outcome == "inconclusive" and item.rounds_needed is not None:
        args["rounds_needed"] = item.rounds_needed
    return args


def _memory(run: Run) -> Iterator[Reason]:
    memory = run.memory
    if memory is None or memory.outcome == "same":
        return
    args: dict[str, Value] = {
        "source": memory.source,
        "outcome": memory.outcome,
        "base_mib": memory.base_mib,
        "head_mib": memory.head_mib,
        "headroom_mib": memory.head_headroom_mib,
        "reserve_mib": run.profile.reserve_mib,
    }
    yield Reason(code="headroom_below_reserve" if _is_tight(run, memory) else "memory", args=args)


def _is_tight(run: Run, memory: MemoryComparison) -> bool:
    """Fell beyond its tolerance and is now below the reserve; host memory has no reserve."""
    return (
        memory.source == "nvml"
        and memory.outcome == "more"
        and memory.head_headroom_mib < run.profile.reserve_mib
    )


def _fixes(run: Run) -> Iterator[Reason]:
    """Security, crash and corruption fixes that surely act on this profile."""
    for item in run.highlights.items if run.highlights else ():
        if item.severity and item.applies == "yes":
            yield Reason(code="fix", args={"sha": item.sha, "text": item.text, "severity": item.severity})


def _has_primary(run: Run) -> bool:
    return any(item.primary for item in run.comparisons)


def _nothing(run: Run) -> Reason:
    """Nothing could be judged: with the first status or guard that says why, `none` where there is none."""
    failed = [launch.status for launch in run.launches() if launch.status != "ok"]
    invalid = [launch.invalid.partition(":")[0] for launch in run.launches() if launch.invalid]
    return Reason(code="nothing_measured", args={"status": next(iter(failed + invalid), "none")})
