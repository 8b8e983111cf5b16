"""What the picture of the memory shows, as plain data: one launch of each side, and the printed numbers."""

from collections.abc import Iterable
from dataclasses import dataclass
from statistics import fmean
from typing import Literal

from bot.records import SIDES, Launch, MemoryTrace, Round, Run, Side
from bot.report.charts.points import place

Source = Literal["rss", "nvml"]
#: Columns of time that a curve keeps; each keeps its lowest and highest point, so no peak is lost.
_COLUMNS = 160


@dataclass(frozen=True)
class Curve:
    """One launch: (seconds since the server's start, MiB at the common baseline), and its marked moments.

    `status` is the launch's own; `loaded` and `peak` are points of the curve, None where unknown.
    """

    side: Side
    status: str
    points: tuple[tuple[float, float], ...]
    loaded: tuple[float, float] | None
    peak: tuple[float, float]


@dataclass(frozen=True)
class Figures:
    """A side's numbers as the report prints them, MiB; `headroom` is None for host memory."""

    loaded: float
    peak: float
    headroom: float | None


@dataclass(frozen=True)
class MemoryStory:
    """Memory over one launch of each side that has a trace. `total` is None for host memory."""

    run: Run
    source: Source
    round: str
    curves: tuple[Curve, ...]
    figures: dict[Side, Figures]
    total: float | None


def memory_story(run: Run) -> MemoryStory | None:
    """The memory of a run; None where no round has a trace of it."""
    source = _source(run)
    traced = [item for item in run.rounds if any(_trace(launch, source) for launch in item.launches)]
    if not traced:
        return None
    shown = _typical([item for item in traced if item.is_valid] or traced, run, source)
    found = [(launch, _trace(launch, source)) for side in SIDES if (launch := shown.side(side))]
    return MemoryStory(
        run=run,
        source=source,
        round=place(shown),
        curves=tuple(_curve(launch, trace, run) for launch, trace in found if trace),
        figures={side: _figures(run, side, source) for side in SIDES if _valid(run, side, source)},
        total=next((trace.total_mib for _, trace in found if trace and source == "nvml"), None),
    )


def thinned(points: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
    """The lowest and highest point of each of equally long stretches of time, first and last point kept."""
    if len(points) <= 2 * _COLUMNS:
        return points
    start, length = points[0][0], (points[-1][0] - points[0][0]) or 1.0
    columns: dict[int, list[tuple[float, float]]] = {}
    for point in points:
        columns.setdefault(int((point[0] - start) / length * _COLUMNS), []).append(point)
    kept = {points[0], points[-1]}
    for column in columns.values():
        kept |= {min(column, key=lambda point: point[1]), max(column, key=lambda point: point[1])}
    return tuple(sorted(kept))


def _source(run: Run) -> Source:
    if run.memory:
        return run.memory.source
    has_gpu = any(_trace(launch, "nvml") for item in run.rounds for launch in item.launches)
    return "nvml" if has_gpu else "rss"


def _trace(launch: Launch, source: Source) -> MemoryTrace | None:
    return next((trace for trace in launch.memory if trace.source == source and trace.points), None)


def _typical(rounds: list[Round], run: Run, source: Source) -> Round:
    """The round whose peaks are nearest to the printed ones; the first where nothing is printed."""

    def distance(item: Round) -> float:
        traces = {launch.side: _trace(launch, source) for launch in item.launches}
        return sum(
            abs(_shift(trace, run) + trace.peak_mib - _printed_peak(run, side))
            for side, trace in traces.items()
            if trace
        )

    complete = [item for item in rounds if all(_trace(launch, source) for launch in item.launches)]
    return min(complete or rounds, key=distance) if run.memory else (complete or rounds)[0]


def _printed_peak(run: Run, side: Side) -> float:
    assert run.memory is not None
    return run.memory.base_mib if side == "base" else run.memory.head_mib


def _shift(trace: MemoryTrace, run: Run) -> float:
    """From a launch's own baseline to the common one: what a desktop used meanwhile is not the server's."""
    return run.memory.baseline_mib - trace.baseline_mib if run.memory else 0.0


def _curve(launch: Launch, trace: MemoryTrace, run: Run) -> Curve:
    shift = _shift(trace, run)
    load_s = launch.seconds.get("load")
    top = max(trace.points, key=lambda point: point[1])
    return Curve(
        side=launch.side,
        status=launch.status,
        points=tuple((second, mib + shift) for second, mib in thinned(trace.points)),
        loaded=None if load_s is None else (load_s, trace.loaded_mib + shift),
        peak=(top[0], trace.peak_mib + shift),
    )


def _valid(run: Run, side: Side, source: Source) -> list[MemoryTrace]:
    launches: Iterable[Launch | None] = (item.side(side) for item in run.valid_rounds)
    found = (_trace(launch, source) for launch in launches if launch)
    return [trace for trace in found if trace]


def _figures(run: Run, side: Side, source: Source) -> Figures:
    traces = _valid(run, side, source)
    loaded = fmean(trace.loaded_mib + _shift(trace, run) for trace in traces)
    if run.memory is None:
        return Figures(loaded, fmean(trace.peak_mib for trace in traces), None)
    base = side == "base"
    left = run.memory.base_headroom_mib if base else run.memory.head_headroom_mib
    return Figures(loaded, _printed_peak(run, side), left if source == "nvml" else None)
