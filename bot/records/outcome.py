"""What came out: each metric, memory, differences, the verdict, the noise."""

import math
from typing import Literal

from bot.records.base import MetricKind, Outcome, Reason, Record, VerdictCode


class Comparison(Record):
    """One metric, decided. All of it is of the look that decided it.

    `base` and `head` are exp(mean over launches of ln(launch median)) in the metric's own unit
    (tokens per second; milliseconds for TTFT); `low` and `high` bound `effect` at `level`.
    """

    metric: str
    kind: MetricKind
    scenario: str
    primary: bool
    outcome: Outcome
    rounds: int
    frozen: bool = False
    effect: float
    low: float
    high: float
    level: float
    se: float
    sd_round: float
    method: Literal["launches", "pairs"] = "launches"
    base: float
    head: float
    hodges_lehmann: float
    slow_base: int = 0
    slow_head: int = 0
    below_resolution: bool = False
    too_close: bool = False
    small_but_real: bool = False
    rounds_needed: int | None = None
    ratios: tuple[float, ...] = ()

    @property
    def change(self) -> float:
        """head/base - 1 in the metric's own unit (positive = larger number)."""
        return math.exp(self._own(self.effect)) - 1

    @property
    def change_interval(self) -> tuple[float, float]:
        """The decision interval of `change`, low to high."""
        ends = sorted(math.exp(self._own(end)) - 1 for end in (self.low, self.high))
        return ends[0], ends[1]

    def _own(self, effect: float) -> float:
        return -effect if self.kind == "ttft" else effect


class MemoryComparison(Record):
    """Memory of both sides at one common baseline, MiB.

    used = common baseline + mean(peak - own baseline); headroom = total - used.
    changed when |head - base| > `tolerance_mib` (facts: max(64 MiB, 2 x launch-to-launch range)).
    `base_min_free_mib`, `head_min_free_mib`: the least that was seen free in any of these launches, as read,
    with whatever else was using memory at that moment.
    """

    source: Literal["rss", "nvml"]
    base_mib: float
    head_mib: float
    base_range_mib: float
    head_range_mib: float
    tolerance_mib: float
    total_mib: float
    baseline_mib: float
    base_headroom_mib: float
    head_headroom_mib: float
    base_min_free_mib: float | None = None
    head_min_free_mib: float | None = None
    outcome: Literal["more", "less", "same"]

    @property
    def change_mib(self) -> float:
        """head - base, positive = head needs more."""
        return self.head_mib - self.base_mib


class Difference(Record):
    """Something the two sides' servers disagree on; `blocks` when it makes them incomparable."""

    name: str
    base: str
    head: str
    blocks: bool

    @property
    def is_spill(self) -> bool:
        """Whether this is GPU memory that a side asked for and did not get on its GPU."""
        return self.name == "spill"


class Verdict(Record):
    """The answer, with every reason that applies, most important first."""

    code: VerdictCode
    reasons: tuple[Reason, ...]


class Noise(Record):
    """The spread of one metric on this machine, as log-ratios.

    `request`: sd of requests within a launch; `launch`: sd between launches of one build beyond that, 0 where
    the requests explain all of it; `sd_round`: sd of a round's log-ratio. `detectable`: the change that
    `rounds` rounds find in four of five runs (two-sided 5 %).
    """

    metric: str
    scenario: str
    request: float
    launch: float
    sd_round: float
    rounds: int
    detectable: float


class PastSelfTest(Record):
    """One self-test (A/A) as the calibration remembers it; `at`: when its run began (ISO 8601, UTC).

    "alarm": a change was found where there is none; "open": not everything was shown equal.
    `pair`: two tags with nothing in between that acts on the profile, instead of one build twice.
    """

    at: str
    run: str
    outcome: Literal["quiet", "alarm", "open"]
    rounds: int
    pair: bool = False


class Calibration(Record):
    """How launches of one model with one set of flags scatter on this machine (`key`: all that fixes it).

    `runs` are those that it is made of; `self_tests` those of them that compared a build with itself (A/A),
    `false_alarms` how many of these found a change. `unresolved` are the metrics that the last self-test
    could not show equal, `alarmed` those of them in which it found a change. `last_run` was the last to add
    to it. `past` holds the latest self-tests, newest last.
    """

    key: str
    last_run: str = ""
    runs: int = 0
    self_tests: int = 0
    false_alarms: int = 0
    unresolved: tuple[str, ...] = ()
    alarmed: tuple[str, ...] = ()
    noise: tuple[Noise, ...] = ()
    past: tuple[PastSelfTest, ...] = ()
