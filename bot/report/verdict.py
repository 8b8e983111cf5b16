"""The verdict: upgrade, optional, hold or cannot tell, with every reason that applies (docs/architecture.md).

The reasons' codes are those of `GROUPS`; the first group that has one decides.
Arguments are raw facts (ratios, MiB, names); `bot.report.phrases` makes sentences of them.
"""

from collections.abc import Iterator, Sequence

from bot.records import (
    Comparison,
    Difference,
    MemoryComparison,
    Reason,
    Run,
    Side,
    Value,
    Verdict,
    VerdictCode,
)
from bot.report import breakage
from bot.report.alarms import ALARMS, alarms
from bot.report.doubts import DECISIVE, RESERVED, doubts

#: Codes by verdict; within a group the most important first. What is decisive against an upgrade comes
#: before the reasons for it.
GROUPS: dict[VerdictCode, tuple[str, ...]] = {
    "hold": ("head_build_failed", "head_broken", *ALARMS, "regression", "headroom_below_reserve"),
    "unknown": (
        "both_build_failed",
        "base_build_failed",
        "both_broken",
        "base_broken",
        "spilled",
        "sources_differ",
        "not_comparable",
        "environment_unstable",
        "self_test_alarm",
        "self_test_failed",
        "nothing_measured",
        "inconclusive_primary",
        "cut_short",
    ),
    "upgrade": ("improvement", "fix"),
    "optional": (
        breakage.HEAD_ONCE,
        *DECISIVE,
        breakage.BASE_ONCE,
        "within",
        "inconclusive",
        "memory",
        *RESERVED,
    ),
}
_GROUP_OF: dict[str, VerdictCode] = {code: verdict for verdict, codes in GROUPS.items() for code in codes}
#: A build that crashed here, though only once, is none to recommend.
_BEFORE_UPGRADE = (breakage.HEAD_ONCE, *DECISIVE)
_ORDER = (*GROUPS["hold"], *GROUPS["unknown"], *_BEFORE_UPGRADE, *GROUPS["upgrade"], *GROUPS["optional"])
_RANK = {code: rank for rank, code in reversed(list(enumerate(_ORDER)))}
#: Notes of other rooms that leave no verdict on the numbers.
_STOPPING_NOTES = frozenset({"environment_unstable", "self_test_alarm", "self_test_failed"})
#: The last look of the decision rule (docs/measuring.md); less than that with an open metric was cut short.
_LAST_LOOK = 12


def conclude(run: Run) -> Verdict:
    """Apply the rules to a run; first match wins, all that apply are listed, most important first.

    In a self-test (the same commit on both sides) nothing can be held or recommended: a difference found
    between a build and itself is the machine's, so the answer is `unknown`.
    """
    return _verdict(run, _reasons(run))


def reconsidered(run: Run) -> Verdict:
    """The record's own verdict with what is known of upstream now; what was measured is not judged anew."""
    if run.verdict is None:
        return conclude(run)
    measured = [reason for reason in run.verdict.reasons if reason.code not in (*DECISIVE, *RESERVED)]
    return _verdict(run, measured) if all(reason.code in _RANK for reason in measured) else run.verdict


def is_upgrade_at_heart(found: Verdict) -> bool:
    """Whether the measurement or the changes alone say upgrade, whatever upstream learned since."""
    codes = {reason.code for reason in found.reasons}
    return found.code in ("upgrade", "optional") and bool(codes & set(GROUPS["upgrade"]))


def _verdict(run: Run, found: Sequence[Reason]) -> Verdict:
    reasons = list(found)
    if not any(group(reason) in ("hold", "unknown") for reason in reasons):
        reasons += doubts(run, [reason.code for reason in reasons])
    reasons.sort(key=lambda reason: _RANK[reason.code])
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
    found = [*_builds(run), *breakage.reasons(run), *alarms(run), *_notes(run)]
    found += [*_sources(run), *_differences(run)]
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


def _notes(run: Run) -> Iterator[Reason]:
    yield from (note for note in run.notes if note.code in _STOPPING_NOTES)


def _sources(run: Run) -> Iterator[Reason]:
    """Binaries that were not made alike tell of compilers as much as of tags; memory still counts."""
    if run.has_mixed_sources and not run.failed_builds:
        args: dict[str, Value] = {f"{build.side}_source": build.source for build in run.builds}
        yield Reason(code="sources_differ", args=args)


def _differences(run: Run) -> Iterator[Reason]:
    for item in run.differences:
        if item.blocks:
            args: dict[str, Value] = {"name": item.name, "base": item.base, "head": item.head}
            yield Reason(code="not_comparable", args=args) if not item.is_spill else _spilled(item)


def _spilled(item: Difference) -> Reason:
    """Told by itself and first: it is no setting that somebody chose."""
    sides = [side for side, mib in (("base", item.base), ("head", item.head)) if not mib.startswith("0")]
    where = sides[0] if len(sides) == 1 else "both"
    return Reason(code="spilled", args={"where": where, "base": item.base, "head": item.head})


def _metrics(run: Run) -> Iterator[Reason]:
    blind = _blind(run)
    found = [item for item in run.comparisons if item.outcome != "inconclusive" or item.metric not in blind]
    for item in found:
        yield Reason(code=_metric_code(item), args=_metric_args(item))
    is_open = any(_metric_code(item) == "inconclusive_primary" for item in found)
    if is_open and len(run.valid_rounds) < _LAST_LOOK:
        yield Reason(code="cut_short", args={"rounds": len(run.valid_rounds)})


def _blind(run: Run) -> frozenset[str]:
    """The metrics that the self-test here leaves open, which that reason tells of."""
    notes = [note for note in run.notes if note.code in ("self_test_alarm", "self_test_failed")]
    return frozenset(metric for note in notes for metric in str(note.args.get("metrics", "")).split())


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
    """Nothing could be judged: with the first status or guard that says why, `none` where there is none.

    A server that put nothing on the GPU says more than a busy machine. `named`: it befell one side only.
    """
    ended: list[tuple[str, Side]] = [
        (item.status, item.side) for item in run.launches() if item.status != "ok"
    ]
    ended += [(item.invalid.partition(":")[0], item.side) for item in run.launches() if item.invalid]
    ended.sort(key=lambda item: item[0] != "cpu_fallback")
    status, side = next(iter(ended), ("none", "head"))
    is_one = len({side for code, side in ended if code == status}) == 1
    return Reason(code="nothing_measured", args={"status": status, "side": side, "named": is_one})
