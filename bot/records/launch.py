"""One start of one server, and the round that pairs two of them."""

import math
from statistics import median
from typing import Literal

from bot.records.base import MetricKind, Record, Side, Value
from bot.records.watch import GpuTrace, Guard, HostTrace, MemoryTrace


class Sample(Record):
    """One request of one launch, with the server's raw timings and the client's clock.

    Rates are recomputed here because the server's own `*_per_second` changed meaning at b10406.
    `ttft_ms`: from just before send on an open connection to the first chunk with content.
    `problem` is None for an accepted sample, else a protocol code (`cached`, `prompt_length`, ...).
    `disturbed`: client and server disagree on the decode time by over 2 % and 3 ms; no reason to drop it.
    `draft_n` tokens were drafted and `draft_n_accepted` of them taken; None without speculative decoding.
    """

    scenario: str
    index: int
    warmup: bool
    prompt_n: int
    cache_n: int | None = None
    predicted_n: int
    prompt_ms: float
    predicted_ms: float
    ttft_ms: float
    wall_ms: float
    problem: str | None = None
    disturbed: bool = False
    draft_n: int | None = None
    draft_n_accepted: int | None = None

    @property
    def prefill(self) -> float:
        """Prompt tokens per second, the first token's sampling included."""
        return self.prompt_n * 1000 / self.prompt_ms

    @property
    def decode(self) -> float:
        """Decoded tokens per second: n tokens are n - 1 steps after the first."""
        return (self.predicted_n - 1) * 1000 / self.predicted_ms

    def value(self, kind: MetricKind) -> float:
        """The metric in its own unit: tokens per second, or milliseconds for TTFT."""
        if kind == "ttft":
            return self.ttft_ms
        return self.prefill if kind == "prefill" else self.decode


class ServerFacts(Record):
    """What the running server said of itself; compared between the sides.

    `props` holds the flattened keys of /props that matter, `buffers` the log's buffer sizes in MiB
    by `<device>.<kind>`, `offloaded` is (layers on the GPU, layers), None where the log is silent.
    """

    props: dict[str, Value] = {}
    buffers: dict[str, float] = {}
    breakdown: dict[str, dict[str, float]] = {}
    offloaded: tuple[int, int] | None = None
    devices: tuple[str, ...] = ()
    build: str | None = None


LaunchStatus = Literal[
    "ok",
    "crashed_loading",
    "crashed_serving",
    "hung_loading",
    "hung_serving",
    "out_of_memory",
    "refused_flag",
    "bad_model",
    "bad_response",
    "port_taken",
    "no_space",
    "binary_changed",
    "lost",
]


#: Statuses that speak of the build under test where the other side finished (a model that only one side
#: refuses is that side's doing). `lost` (the launch process itself vanished), `no_space`, `port_taken` and
#: `binary_changed` speak of the machine.
BROKEN_STATUSES: frozenset[str] = frozenset(
    {
        "crashed_loading",
        "crashed_serving",
        "hung_loading",
        "hung_serving",
        "out_of_memory",
        "refused_flag",
        "bad_model",
        "bad_response",
    }
)


class Launch(Record):
    """One start of one server: the unit of measurement.

    `slot` is its place in the order run (0, 1, ...; reruns take new slots). `seconds` holds the wall
    time of each stage (load, warmup, measure, stop, total).
    """

    side: Side
    slot: int
    status: LaunchStatus
    detail: str = ""
    invalid: str | None = None
    argv: tuple[str, ...] = ()
    exit_code: int | None = None
    seconds: dict[str, float] = {}
    samples: tuple[Sample, ...] = ()
    memory: tuple[MemoryTrace, ...] = ()
    facts: ServerFacts = ServerFacts()
    log_tail: str = ""
    isolation: tuple[str, ...] = ()
    gpus: tuple[GpuTrace, ...] = ()
    host: HostTrace | None = None
    guards: tuple[Guard, ...] = ()

    @property
    def is_valid(self) -> bool:
        """Finished, and nothing speaks against its numbers."""
        return self.status == "ok" and self.invalid is None

    def values(self, scenario: str, kind: MetricKind) -> list[float]:
        """The accepted, measured (not warm-up) values of one metric, in its own unit."""
        return [
            sample.value(kind)
            for sample in self.samples
            if sample.scenario == scenario and not sample.warmup and sample.problem is None
        ]

    def log_median(self, scenario: str, kind: MetricKind) -> float | None:
        """ln of the median over the launch's requests; None where the scenario was not run."""
        values = self.values(scenario, kind)
        return math.log(median(values)) if values else None


class Round(Record):
    """One launch of each build, adjacent. `attempt` counts reruns of the same index from 0."""

    index: int
    attempt: int = 0
    order: Literal["AB", "BA"]
    launches: tuple[Launch, ...]

    @property
    def is_valid(self) -> bool:
        """Both launches count."""
        return len(self.launches) == 2 and all(launch.is_valid for launch in self.launches)

    def side(self, side: Side) -> Launch | None:
        """That side's launch, None where the round ended before it."""
        return next((launch for launch in self.launches if launch.side == side), None)
