"""What the picture of the rounds shows, as plain data: a point for each round of each metric."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from bot.records import Comparison, Round, Run
from bot.report.rows import Row, metric_rows

Use = Literal["used", "unused", "invalid"]
#: The scale ends at so many margins (in logs) even where values lie beyond: the margin must stay visible.
_MOST_MARGINS = 6.0
_FEWEST_MARGINS = 1.6


@dataclass(frozen=True)
class Point:
    """One round of one metric. `place`: as in the report's launch table (3; 3.1 is its first rerun).

    `log_change` is ln(head/base) in the metric's own unit. `unused`: measured after the metric was decided.
    """

    place: str
    log_change: float
    use: Use


@dataclass(frozen=True)
class MetricRounds:
    """One metric: its line of the report, its decision, its rounds in the order run."""

    row: Row
    comparison: Comparison
    points: tuple[Point, ...]

    @property
    def log_interval(self) -> tuple[float, float]:
        """The decision interval of ln(head/base) in the metric's own unit, low to high."""
        ends = sorted(_own(self.comparison, end) for end in (self.comparison.low, self.comparison.high))
        return ends[0], ends[1]

    @property
    def log_change(self) -> float:
        """The estimate of ln(head/base) in the metric's own unit."""
        return _own(self.comparison, self.comparison.effect)


@dataclass(frozen=True)
class RoundsStory:
    """Every metric in the order of the report's full table, and the rounds that do not count."""

    run: Run
    metrics: tuple[MetricRounds, ...]
    invalid: tuple[str, ...]


def rounds_story(run: Run) -> RoundsStory | None:
    """The rounds of a run; None where no metric was measured."""
    measured = tuple(item for item in run.comparisons if item.rounds)
    if not measured:
        return None
    return RoundsStory(
        run=run,
        metrics=tuple(
            MetricRounds(row, item, tuple(_points(run, item)))
            for row, item in zip(metric_rows(run), measured, strict=True)
        ),
        invalid=tuple(place(item) for item in run.rounds if not item.is_valid),
    )


def place(item: Round) -> str:
    """A round as the report counts it: from 1, with the number of its rerun."""
    return f"{item.index + 1}" + (f".{item.attempt}" if item.attempt else "")


def margin_band(item: Comparison, margin: float) -> tuple[float, float]:
    """Where ln(head/base) is equal within the margin: ln(1 -+ margin) of the effect, whose sign TTFT flips.

    The rule's own bounds (docs/measuring.md), so a TTFT's band of 3 % is drawn from -2.9 % to +3.1 %.
    """
    ends = sorted(_own(item, end) for end in (math.log1p(-margin), math.log1p(margin)))
    return ends[0], ends[1]


def half_width(story: RoundsStory) -> float:
    """Half of the scale in ln(head/base): all there is, but neither less nor more than some margins."""
    margin = -math.log1p(-story.run.profile.margin)
    return min(max(1.05 * reach(story), _FEWEST_MARGINS * margin), _MOST_MARGINS * margin)


def reach(story: RoundsStory) -> float:
    """The furthest from no change that anything lies, rounds and intervals, in ln(head/base)."""
    ends = [end for metric in story.metrics for end in metric.log_interval]
    return max(
        abs(end) for end in [*ends, *(one.log_change for metric in story.metrics for one in metric.points)]
    )


def _points(run: Run, item: Comparison) -> Iterator[Point]:
    left = item.rounds
    for one in run.rounds:
        change = _log_change(one, item)
        if change is None:
            continue
        use: Use = "invalid" if not one.is_valid else "used" if left > 0 else "unused"
        left -= use == "used"
        yield Point(place(one), change, use)


def _log_change(item: Round, metric: Comparison) -> float | None:
    sides = (item.side("base"), item.side("head"))
    values = [side.log_median(metric.scenario, metric.kind) if side else None for side in sides]
    if values[0] is None or values[1] is None:
        return None
    return values[1] - values[0]


def _own(item: Comparison, effect: float) -> float:
    return -effect if item.kind == "ttft" else effect
