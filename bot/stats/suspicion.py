"""Changes that may be the environment's, and are therefore not judged.

Launches alternate, so that drift hits both sides alike. Where it did not, and half of the metrics moved one
way, a common cause is likelier than a commit that slows everything. Where other programs take more than half
of the machine, its noise is far beyond the margin, which then protects no metric any more: the rule asks for
what holds over all metrics and looks together. Nothing here asks how fast a launch was beyond the decision's
own outcome.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from statistics import median
from typing import NamedTuple

from bot.records import SIDES, Comparison, GpuTrace, HostTrace, Launch, Outcome, Reason, Round
from bot.stats.decide import LOOKS
from bot.stats.quantiles import degrees, t_tail

#: Share of the metrics that must have moved the same way.
_COMMON = 1 / 2
#: Other programs' share of all CPU time from which on a change needs more proof (docs/measuring.md).
BUSY = 1 / 2
#: The chance that any metric of a report is called changed at any look, by noise alone.
_CHANCE = 0.05
_MOVED: tuple[Outcome, Outcome] = ("regression", "improvement")

Number = Callable[[Launch], float | None]


class Doubt(NamedTuple):
    """Metrics whose change is not judged, and a note that says why."""

    reason: Reason
    metrics: frozenset[str]


def doubt(rounds: Sequence[Round], comparisons: Sequence[Comparison], margin: float) -> Doubt | None:
    """What is not to be judged; None where everything may be believed. `margin` is a fraction."""
    moved = [item for item in comparisons if item.outcome in _MOVED]
    if not moved:
        return None
    if _is_common(comparisons) and (code := next(differing(rounds), None)):
        reason = Reason(code="environment_differs", args={"status": code})
        return Doubt(reason, frozenset(item.metric for item in moved))
    others = _middle(_launches(rounds), _on_host(lambda host: host.others)) or 0.0
    tests = len(LOOKS) * sum(1 for item in comparisons if item.rounds)
    unproven = frozenset(item.metric for item in moved if not _is_proven(item, margin, tests))
    if others <= BUSY or not unproven:
        return None
    return Doubt(Reason(code="machine_busy", args={"percent": round(100 * others)}), unproven)


def doubted(comparisons: Sequence[Comparison], found: Doubt | None) -> tuple[Comparison, ...]:
    """The comparisons, without a verdict on what is in doubt."""
    metrics = found.metrics if found else frozenset()
    return tuple(
        item.model_copy(update={"outcome": "inconclusive"}) if item.metric in metrics else item
        for item in comparisons
    )


def withheld(comparisons: Sequence[Comparison], notes: Sequence[Reason]) -> tuple[Comparison, ...]:
    """The comparisons without what the last self-test here (A/A) leaves no ground for.

    A change is not believed where one build was called changed against itself, nor equality of a primary
    metric that could not be shown for one build: the report would contradict its own headline.
    """
    alarmed = _metrics(notes, "self_test_alarm", "self_test_side_alarm")
    blind = _metrics(notes, "self_test_alarm", "self_test_failed")
    return tuple(
        item.model_copy(update={"outcome": "inconclusive"})
        if (item.outcome in _MOVED and item.metric in alarmed)
        or (item.outcome == "within" and item.metric in blind)
        else item
        for item in comparisons
    )


def _metrics(notes: Sequence[Reason], *codes: str) -> frozenset[str]:
    return frozenset(
        name for note in notes if note.code in codes for name in str(note.args.get("metrics", "")).split()
    )


def _is_common(comparisons: Sequence[Comparison]) -> bool:
    outcomes = [item.outcome for item in comparisons if item.rounds]
    return max(outcomes.count(way) for way in _MOVED) >= _COMMON * len(outcomes)


def _is_proven(item: Comparison, margin: float, tests: int) -> bool:
    if item.se <= 0:
        return False
    statistic = abs(item.effect) / item.se
    return is_proven((item.low, item.high), statistic, degrees(item.method, item.rounds), margin, tests)


def is_proven(interval: tuple[float, float], statistic: float, df: int, margin: float, tests: int) -> bool:
    """Whether a change would be believed on a busy machine.

    Its whole decision interval lies beyond the margin, and its t is too large for chance in any of so many
    `tests` (metrics times looks, Bonferroni): 5 % over all of them.
    """
    return is_beyond(*interval, margin) and 2 * t_tail(statistic, df) * tests <= _CHANCE


def is_beyond(low: float, high: float, margin: float) -> bool:
    """Whether the whole decision interval (log-ratios) lies beyond the margin (a fraction)."""
    return high < math.log1p(-margin) or low > math.log1p(margin)


def _launches(rounds: Sequence[Round]) -> list[Launch]:
    return [launch for item in rounds if item.is_valid for launch in item.launches]


def differing(rounds: Sequence[Round]) -> Iterator[str]:
    """Codes of what differs between the sides' medians, by more than chance makes it.

    The power cap and the SM clock are no conditions: both are outcomes of the build.
    """
    launches = _launches(rounds)
    for code, number, tolerance in _CONDITIONS:
        middles = [_middle([item for item in launches if item.side == side], number) for side in SIDES]
        base, head = middles
        if base is not None and head is not None and abs(head - base) > tolerance:
            yield code


def _middle(launches: Sequence[Launch], number: Number) -> float | None:
    values = [value for item in launches if (value := number(item)) is not None]
    return median(values) if values else None


def _on_gpu(number: Callable[[GpuTrace], float | None]) -> Number:
    """The highest over a launch's GPUs."""

    def read(launch: Launch) -> float | None:
        values = [value for gpu in launch.gpus if (value := number(gpu)) is not None]
        return max(values, default=None)

    return read


def _on_host(number: Callable[[HostTrace], float]) -> Number:
    return lambda launch: number(launch.host) if launch.host else None


def _thermal(gpu: GpuTrace) -> float | None:
    return gpu.reasons.get("sw_thermal", 0.0) if gpu.busy else None


def _memory_clock(gpu: GpuTrace) -> float | None:
    return gpu.memory_mhz.median if gpu.memory_mhz else None


#: Code of `status-<code>`, the number, how far apart the sides' medians may be. Shares, degrees, MHz.
_CONDITIONS: tuple[tuple[str, Number, float], ...] = (
    ("sw_thermal", _on_gpu(_thermal), 0.20),
    ("hot_start", _on_gpu(lambda gpu: gpu.start_c), 5.0),
    ("memory_clock", _on_gpu(_memory_clock), 50.0),
    ("host_load", _on_host(lambda host: host.others), 0.15),
    ("steal", _on_host(lambda host: host.steal), 0.01),
)
