"""What was seen of the machine while a launch ran: memory, GPU, host, guards."""

from typing import Literal

from bot.records.base import Record, Value


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
