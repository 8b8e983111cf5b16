"""The facts of a run, frozen: what every stage adds to and every report is made from.

Units are in the names: `_ms`, `_s`, `_mib` (2**20 bytes). Rates are tokens per second.
`effect` is a log-ratio with + = better; `change` is head/base - 1 in the metric's own unit.
This module imports nothing of ours. Loading and saving stand in `bot.store`.
"""

import math
from collections.abc import Iterable
from statistics import median
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

SCHEMA = 1

Side = Literal["base", "head"]
Backend = Literal["cpu", "cuda"]
MetricKind = Literal["prefill", "ttft", "decode"]
Outcome = Literal["regression", "improvement", "within", "inconclusive"]
VerdictCode = Literal["upgrade", "optional", "hold", "unknown"]
SIDES: tuple[Side, Side] = ("base", "head")

Value = str | int | float | bool


class Record(BaseModel):
    """Base of all records: immutable, and strict about unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Reason(Record):
    """A code with its numbers; the sentence for it stands in the catalogs."""

    code: str
    args: dict[str, Value] = {}


# --- what is compared -------------------------------------------------------------------------------


class Tag(Record):
    """A release tag, resolved. `number` is None for anything but `bN`."""

    name: str
    sha: str
    number: int | None = None


class Pair(Record):
    """Base and head of one run.

    `ancestor` is None where the source holds no history between the two.
    `web` is the address of the repository's pages, None where commits must not be linked.
    """

    base: Tag
    head: Tag
    ancestor: bool | None = None
    skipped: tuple[str, ...] = ()
    commits: int | None = None
    web: str | None = None

    @property
    def is_self_test(self) -> bool:
        """Whether both sides are the same commit (an A/A run)."""
        return self.base.sha == self.head.sha


class FileChange(Record):
    """One path of a commit or tree diff; line counts are None where blobs were not read."""

    path: str
    added: int | None = None
    deleted: int | None = None


class Commit(Record):
    """One commit between base and head, newest last."""

    sha: str
    subject: str
    body: str = ""
    files: tuple[FileChange, ...] = ()
    pr: int | None = None


class AreaChange(Record):
    """How much of one area (a key of `bot/changelog/areas.toml`) differs between the trees."""

    area: str
    files: int
    added: int
    deleted: int


class Changes(Record):
    """What changed: commit by commit, or (`trees`) only by area where the source has no commit texts."""

    source: Literal["commits", "trees"]
    commits: tuple[Commit, ...] = ()
    areas: tuple[AreaChange, ...] = ()


# --- builds -----------------------------------------------------------------------------------------


class Tool(Record):
    """A program that took part: compiler, cmake, ninja, ccache, nvcc."""

    name: str
    version: str
    path: str


FailureClass = Literal["code", "environment", "configuration", "resource", "network", "unknown"]


class BuildFailure(Record):
    """Why a build failed. `cause` names `cause-<cause>` and `advice-<cause>` in the catalogs."""

    stage: Literal["source", "configure", "compile", "smoke", "identity"]
    kind: FailureClass
    cause: str
    excerpt: str
    tail: str


class Build(Record):
    """One side's binaries: where they came from and how they were made.

    `toolkits` says of each CUDA toolkit that was seen why it was taken or not. `stages` holds the seconds of
    source, configure, compile and identity when it was made (`seconds` is what this run spent on it), `units`
    how its compiler calls went: "hit" in the compiler cache, "miss", or "other" (not cacheable).
    """

    side: Side
    tag: str
    sha: str
    key: str
    backend: Backend
    options: dict[str, str] = {}
    native: bool = True
    tools: tuple[Tool, ...] = ()
    toolkits: tuple[Reason, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    status: Literal["ok", "failed"] = "ok"
    cached: bool = False
    seconds: float = 0.0
    stages: dict[str, float] = {}
    units: dict[str, int] = {}
    version: str | None = None
    binaries: dict[str, str] = {}
    failure: BuildFailure | None = None


# --- one launch -------------------------------------------------------------------------------------


class Sample(Record):
    """One request of one launch, with the server's raw timings and the client's clock.

    Rates are recomputed here because the server's own `*_per_second` changed meaning at b10406.
    `ttft_ms`: from just before send on an open connection to the first chunk with content.
    `problem` is None for an accepted sample, else a protocol code (`cached`, `prompt_length`, ...).
    `disturbed`: client and server disagree on the decode time by more than 2 % and 3 ms; no reason to drop it.
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


class MemoryTrace(Record):
    """Memory over one launch. `rss`: the server's resident set; `nvml`: used bytes of one GPU.

    `baseline_mib` is what was used before the server started (0 for `rss`); `points` are
    (seconds since start, used MiB) at 5 Hz.
    """

    source: Literal["rss", "nvml"]
    total_mib: float
    baseline_mib: float
    loaded_mib: float
    peak_mib: float
    after_mib: float | None = None
    min_free_mib: float
    points: tuple[tuple[float, float], ...] = ()
    unified: bool = False

    @property
    def own_mib(self) -> float:
        """What this launch itself took at its peak."""
        return self.peak_mib - self.baseline_mib


class Spread(Record):
    """The lowest, middle and highest of a launch's busy samples."""

    low: float
    median: float
    high: float


class GpuTrace(Record):
    """One GPU over one launch, by NVML at 5 Hz; None is what its driver does not tell.

    `id` is its UUID, hashed where the record is published. `unified`: the memory is the host's. `busy` counts
    the samples between the first request and the last in which it worked; shares are of those. `reasons` are
    the clock's limits by name (`bot.gpu.reader.REASONS`; unknown bits as `bit-N`), `pstates` by `P0`, `P2`.
    `slowdown_run`: the longest run of such samples with a hardware slowdown. `thermal`, `power` and
    `hardware` (thermal and brake) are shares of the window by the driver's own counters. `idle_use`: highest
    utilisation (percent) just before the start. `foreign_before`, `foreign_after`: processes that compute
    there before the server starts, and new ones after it has ended.
    """

    id: str
    total_mib: float
    reserved_mib: float | None = None
    unified: bool = False
    baseline_mib: float
    peak_mib: float
    steady_mib: float | None = None
    after_mib: float | None = None
    idle_use: float | None = None
    busy: int = 0
    use: float | None = None
    sm_mhz: Spread | None = None
    memory_mhz: Spread | None = None
    pstates: dict[str, float] = {}
    reasons: dict[str, float] = {}
    slowdown_run: int = 0
    thermal: float | None = None
    power: float | None = None
    hardware: float | None = None
    start_c: float | None = None
    end_c: float | None = None
    power_w: float | None = None
    energy_j: float | None = None
    limit_w: float | None = None
    pcie_width: int | None = None
    pcie_generation: int | None = None
    foreign_before: int | None = None
    foreign_after: int | None = None


class HostTrace(Record):
    """The host between the first request and the last (`seconds`).

    `others` is other processes' CPU time and `steal` the hypervisor's, as shares of all CPUs. `pressure` is
    the highest PSI of memory (`some avg10`, percent). `battery`: whether one was being emptied.
    """

    seconds: float
    cores: int
    others: float
    steal: float
    swapped_in_mib: float
    pressure: float | None = None
    battery: bool | None = None
    governors: str = ""


class Guard(Record):
    """One thing that speaks against a launch: `status-<code>` in the catalogs, with what was seen.

    `invalidates`: the pair is measured again. Otherwise it is only said.
    """

    code: str
    invalidates: bool
    args: dict[str, Value] = {}


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


# --- what was asked ---------------------------------------------------------------------------------


class Scenario(Record):
    """One prompt shape: exact prompt length in tokens, fixed answer length, K requests per launch."""

    name: str
    prompt_tokens: int
    n_predict: int
    requests: int
    judged: tuple[MetricKind, ...] = ("ttft", "prefill")


class Model(Record):
    """The model file as its header and bytes say; `name` is the file's name, never its path."""

    name: str
    sha256: str
    size_mib: float
    architecture: str = ""
    quantization: str = ""
    layers: int | None = None
    license: str = ""


class Profile(Record):
    """The conditions of a run, as configured. `flags` are the user's own server flags."""

    name: str
    model: Model
    backend: Backend
    flags: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    margin: Annotated[float, Field(gt=0, lt=1)]
    primary: tuple[str, ...] = ()
    reserve_mib: int = 300
    preset: str | None = None
    hash: str = ""


class Gpu(Record):
    """One GPU; `id` is a hash of its UUID."""

    id: str
    name: str
    driver: str
    total_mib: float
    compute_capability: str | None = None


class Machine(Record):
    """Where it ran; `id` is a hash of the host name."""

    id: str
    cpu: str
    cores: int
    ram_mib: float
    os: str
    kernel: str
    virtual: bool = False
    gpu: Gpu | None = None


class Plan(Record):
    """How the run was to go. `cuts` are the reasons for anything the budget or preset shortened."""

    seed: int
    max_rounds: int
    looks: tuple[int, ...]
    budget_s: float
    estimate_s: float
    launch_s: float
    warmups: int = 2
    cuts: tuple[Reason, ...] = ()


# --- what came out ----------------------------------------------------------------------------------


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


class Verdict(Record):
    """The answer, with every reason that applies, most important first."""

    code: VerdictCode
    reasons: tuple[Reason, ...]


class Highlight(Record):
    """One line of the changelog: a commit worth telling, and whether it can act on this profile.

    `area`, `type` and `applies` name `area-<key>`, `type-<key>` and `applies-<key>` in the catalogs.
    `needs` are conditions such as `spec:mtp` or `np>1`; `why` are those that do not hold (`applies` = no)
    or that nobody knows (unknown), as messages `need-...`. `text` is the subject without prefix and
    numbers, as written: data from outside, never markup. `followups` are SHAs told with it.
    `texts` holds the line by language where one could be made; elsewhere a reader gets labels and `text`.
    `touches` says which of the profile's own flags it removes or changes, as messages `touch-...`.
    """

    sha: str
    pr: int | None = None
    area: str
    type: str
    severity: Literal["security", "crash", "corruption"] | None = None
    needs: tuple[str, ...] = ()
    applies: Literal["yes", "no", "unknown"]
    why: tuple[Reason, ...] = ()
    text: str
    texts: dict[str, str] = {}
    score: float
    followups: tuple[str, ...] = ()
    touches: tuple[Reason, ...] = ()


class Theme(Record):
    """Commits of one kind in one area, where there are too many for a line each.

    `area` and `type` as in `Highlight`; `exemplars` are the best one or two of `count`.
    """

    area: str
    type: str
    count: int
    exemplars: tuple[Highlight, ...]
    shas: tuple[str, ...]


class RevertLink(Record):
    """A commit that undoes another. `in_range`: both lie between base and head and cancel out."""

    sha: str
    target_sha: str | None = None
    target_pr: int | None = None
    in_range: bool


class Suspect(Record):
    """A commit that may be related to a metric that moved: by paths and words, never bisected.

    `reasons` are ids of messages: `area-...` first, then `suspect-...`.
    """

    sha: str
    pr: int | None = None
    area: str
    text: str
    texts: dict[str, str] = {}
    reasons: tuple[str, ...]
    score: float


class Credit(Record):
    """A commit that an earlier report named: as a highlight, or as a suspect of `metric`.

    `tag` is that report's head. `text` and `texts` as in `Highlight`.
    """

    sha: str
    pr: int | None = None
    tag: str
    role: Literal["highlight", "suspect"]
    metric: str | None = None
    area: str
    text: str
    texts: dict[str, str] = {}


class Undone(Record):
    """A commit that was credited and has been reverted since, up to `tag`, by `by_sha`."""

    credit: Credit
    tag: str
    by_sha: str
    by_pr: int | None = None


class Highlights(Record):
    """The changelog of a range, best line first.

    Every commit has one reason: `reasons` by SHA, `accounted` counted (`accounted-<key>` in the
    catalogs); the counts sum to the number of commits. `suspects` are by metric, where one moved.
    `themes` stand for the commits that apply or may, where more than twelve are worth a line.
    `worth` says what of the range acts on this profile: messages `worth-...`, each with its count.
    """

    items: tuple[Highlight, ...] = ()
    accounted: dict[str, int] = {}
    reasons: dict[str, str] = {}
    reverts: tuple[RevertLink, ...] = ()
    suspects: dict[str, tuple[Suspect, ...]] = {}
    themes: tuple[Theme, ...] = ()
    worth: tuple[Reason, ...] = ()
    undone: tuple[Undone, ...] = ()


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


class Calibration(Record):
    """How launches of one model with one set of flags scatter on this machine (`key`: all that fixes it).

    `runs` are those that it is made of; `self_tests` those of them that compared a build with itself (A/A),
    `false_alarms` how many of these found a change. `unresolved` are the metrics that the last self-test
    could not show equal. `last_run` was the last to add to it.
    """

    key: str
    last_run: str = ""
    runs: int = 0
    self_tests: int = 0
    false_alarms: int = 0
    unresolved: tuple[str, ...] = ()
    noise: tuple[Noise, ...] = ()


class Run(Record):
    """Everything known of one run; `schema_version` is written as `schema`.

    `fingerprint` is what could move this machine's numbers (`bot.gpu.fingerprint`, and what the builds and
    the server add), `changed` how it differs from the run `changed_since`, the last one here (its value is
    in `base`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)

    schema_version: int = Field(default=SCHEMA, alias="schema")
    id: str
    program: str
    created: str
    asked_by: str = "cli"
    pair: Pair
    profile: Profile
    machine: Machine
    languages: tuple[str, ...] = ("zh-Hans", "en")
    builds: tuple[Build, ...] = ()
    plan: Plan | None = None
    warmup: Round | None = None
    rounds: tuple[Round, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    memory: MemoryComparison | None = None
    differences: tuple[Difference, ...] = ()
    changes: Changes | None = None
    highlights: Highlights | None = None
    verdict: Verdict | None = None
    notes: tuple[Reason, ...] = ()
    seconds: dict[str, float] = {}
    fingerprint: dict[str, str] = {}
    changed: tuple[Difference, ...] = ()
    changed_since: str | None = None
    calibration: Calibration | None = None

    @property
    def valid_rounds(self) -> tuple[Round, ...]:
        """The rounds that count, in the order run."""
        return tuple(item for item in self.rounds if item.is_valid)

    @property
    def failed_builds(self) -> tuple[Build, ...]:
        """The sides that did not build."""
        return tuple(build for build in self.builds if build.status == "failed")

    def build(self, side: Side) -> Build | None:
        """That side's build, None before it was made."""
        return next((build for build in self.builds if build.side == side), None)

    def launches(self, side: Side | None = None) -> Iterable[Launch]:
        """Every launch made, warm-up pair and invalid ones included."""
        rounds = ((self.warmup,) if self.warmup else ()) + self.rounds
        return (launch for item in rounds for launch in item.launches if side is None or launch.side == side)
