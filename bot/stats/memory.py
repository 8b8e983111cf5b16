"""Memory of both sides, at one common baseline."""

from collections.abc import Sequence
from itertools import chain
from statistics import fmean, median
from typing import Literal

from bot.records import SIDES, Launch, MemoryComparison, MemoryTrace, Round, Side

#: Smaller differences are not called a change (MiB; a judgement, docs/measuring.md).
TOLERANCE_MIB = 64.0

Source = Literal["rss", "nvml"]
_Traces = dict[Side, list[MemoryTrace]]


def compare_memory(rounds: Sequence[Round]) -> MemoryComparison | None:
    """Compare the peaks of the valid launches; None where a side has no trace.

    Give it the measured rounds, without the warm-up pair. Only launches that ran the whole set of
    scenarios count: one that left out a settled scenario may never have reached the peak.
    GPU memory (`nvml`) where every side has it, else the servers' resident set (`rss`).
    """
    launches = _complete([item for round_ in rounds if round_.is_valid for item in round_.launches])
    for source in ("nvml", "rss"):
        traces = {side: _traces(launches, side, source) for side in SIDES}
        if all(traces.values()):
            return _compare(source, traces)
    return None


def _complete(launches: Sequence[Launch]) -> list[Launch]:
    ran = [{sample.scenario for sample in launch.samples} for launch in launches]
    most = max(map(len, ran), default=0)
    return [launch for launch, names in zip(launches, ran, strict=True) if len(names) == most]


def _traces(launches: Sequence[Launch], side: Side, source: Source) -> list[MemoryTrace]:
    mine = chain.from_iterable(launch.memory for launch in launches if launch.side == side)
    return [trace for trace in mine if trace.source == source]


def _compare(source: Source, traces: _Traces) -> MemoryComparison:
    everything = list(chain.from_iterable(traces.values()))
    common = median(trace.baseline_mib for trace in everything)
    own = {side: fmean(trace.own_mib for trace in traces[side]) for side in SIDES}
    spread = {side: _range([trace.own_mib for trace in traces[side]]) for side in SIDES}
    tolerance = max(TOLERANCE_MIB, 2 * max(spread.values()))
    free = _free(source, everything, common, own)
    return MemoryComparison(
        source=source,
        base_mib=common + own["base"],
        head_mib=common + own["head"],
        base_range_mib=spread["base"],
        head_range_mib=spread["head"],
        tolerance_mib=tolerance,
        total_mib=everything[0].total_mib,
        baseline_mib=common,
        base_headroom_mib=free - own["base"],
        head_headroom_mib=free - own["head"],
        base_min_free_mib=min(trace.min_free_mib for trace in traces["base"]),
        head_min_free_mib=min(trace.min_free_mib for trace in traces["head"]),
        outcome=_outcome(own["head"] - own["base"], tolerance),
    )


def _free(source: Source, traces: Sequence[MemoryTrace], common: float, own: dict[Side, float]) -> float:
    """What a server finds free before it takes its own, so that headroom = free - own on both sides.

    On a GPU: total - common baseline. For `rss`, total - used would count other programs' memory as
    free and mapped model pages twice; instead it is set so that the two sides' mean headroom equals
    the lowest available RAM, median over launches. Either way the headrooms differ by exactly what
    the sides' use differs by.
    """
    if source == "nvml":
        return traces[0].total_mib - common
    return median(trace.min_free_mib for trace in traces) + fmean(own.values())


def _range(values: Sequence[float]) -> float:
    return max(values) - min(values)


def _outcome(change: float, tolerance: float) -> Literal["more", "less", "same"]:
    if abs(change) <= tolerance:
        return "same"
    return "more" if change > 0 else "less"
