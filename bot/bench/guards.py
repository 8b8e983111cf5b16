"""What speaks against a launch, by evidence alone: never by how fast it was. Pure.

A launch that a guard invalidates is measured again with its pair (`bot.bench.rounds`). What is the same in
every launch of a session harms both sides alike and is only said. Thresholds: docs/measuring.md, from
facts that others measured or, where it says so, a judgement.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from bot.bench import guards_host
from bot.records import Backend, GpuTrace, Guard, Launch, Value

#: A desktop's windows move this much between two looks (MiB; a judgement).
MEMORY_MIB = 64.0
#: Utilisation above the session's usual idle one (percent points): a cursor blinks, a game does not.
IDLE_POINTS = 5.0
#: DCGM: HW_SLOWDOWN "may be also reported during PState or clock change", so one sample is none.
SLOWDOWN_RUN = 2
#: Share of the window that the driver's counters may hold of hardware slowdown.
SLOWDOWN_SHARE = 0.005
#: Share of busy samples: thermal limit, and P-states other than the session's.
SAMPLES_SHARE = 0.05
#: Degrees above the session's usual start.
HOTTER_C = 5.0
#: Memory clocks and power limits are settings, not outcomes: 1 % is rounding.
SETTING_SHARE = 0.01
#: A median SM clock further off its own side's is worth a word; it is an outcome of the build.
CLOCK_SHARE = 0.03
#: Launches from which on a session has a usual value.
_USUAL_FROM = 2

Found = Iterator[Guard]


@dataclass(frozen=True)
class Expected:
    """What the run was set up with: the GPUs as (name, compute capability), as far as NVML tells."""

    backend: Backend
    devices: tuple[tuple[str, str | None], ...] = ()


def judged(launch: Launch, earlier: Sequence[Launch], expected: Expected) -> Launch:
    """The launch with its guards, and invalid where one of them says so.

    `earlier`: all launches of this run so far, warm-up pair and invalid ones included.
    """
    found = (*launch.guards, *_gpus(launch, earlier), *_server(launch, earlier, expected))
    found += tuple(guards_host.look(launch, earlier, expected.backend))
    first = next((item.code for item in found if item.invalidates), None)
    return launch.model_copy(update={"guards": found, "invalid": launch.invalid or first})


def cool_to(earlier: Sequence[Launch]) -> float | None:
    """Degrees above which a GPU is left to cool before a launch: a little over the session's usual start.

    The first launch began cold, so it does not count.
    """
    starts = [gpu.start_c for launch in earlier[1:] for gpu in launch.gpus if gpu.start_c is not None]
    return median(starts) + HOTTER_C if len(starts) >= _USUAL_FROM else None


def _gpus(launch: Launch, earlier: Sequence[Launch]) -> Found:
    for gpu in launch.gpus:
        before = [(item, trace) for item in earlier for trace in item.gpus if trace.id == gpu.id]
        traces = [trace for _, trace in before]
        yield from _strangers(gpu, traces)
        if launch.status != "ok":
            continue  # what a server that died left behind is its own doing
        yield from _memory_back(gpu)
        yield from _heat(gpu, traces, cool_to(earlier))
        yield from _settings(gpu, traces)
        yield from _clock(gpu, [trace for item, trace in before if item.side == launch.side])


def _strangers(gpu: GpuTrace, earlier: Sequence[GpuTrace]) -> Found:
    """Somebody else on the GPU, before the server starts or once it has ended."""
    if count := (gpu.foreign_before or 0) + (gpu.foreign_after or 0):
        yield _invalid("foreign_process", count=count)
    usual = _usual(earlier, lambda item: item.idle_use) or 0.0
    if gpu.idle_use is not None and gpu.idle_use > usual + IDLE_POINTS:
        yield _invalid("gpu_busy", use=round(gpu.idle_use))
    baseline = _usual(earlier, lambda item: item.baseline_mib)
    if baseline is not None and gpu.baseline_mib > baseline + MEMORY_MIB and not gpu.unified:
        yield _invalid("memory_taken", mib=round(gpu.baseline_mib - baseline))


def _memory_back(gpu: GpuTrace) -> Found:
    if gpu.after_mib is not None and not gpu.unified and abs(gpu.after_mib - gpu.baseline_mib) > MEMORY_MIB:
        yield _invalid("memory_not_back", mib=round(gpu.after_mib - gpu.baseline_mib))


def _heat(gpu: GpuTrace, earlier: Sequence[GpuTrace], limit: float | None) -> Found:
    """Slowdowns by the hardware; the driver's own thermal limit only where it is not the session's rule.

    The power cap is no guard: decoding runs into it on a healthy machine (ninfer-3090#72).
    """
    if gpu.slowdown_run >= SLOWDOWN_RUN or (gpu.hardware or 0.0) > SLOWDOWN_SHARE:
        yield _invalid("hw_slowdown", samples=gpu.slowdown_run)
    share = gpu.reasons.get("sw_thermal", 0.0)
    if share > SAMPLES_SHARE:
        usual = _usual(earlier, lambda item: item.reasons.get("sw_thermal", 0.0) if item.busy else None)
        is_usual = usual is not None and share <= usual + SAMPLES_SHARE
        yield Guard(code="sw_thermal", invalidates=not is_usual, args={"percent": round(100 * share)})
    if limit is not None and gpu.start_c is not None and gpu.start_c > limit:
        yield _invalid("hot_start", degrees=round(gpu.start_c))


def _settings(gpu: GpuTrace, earlier: Sequence[GpuTrace]) -> Found:
    """What belongs to the machine's set-up and not to a build: memory clock, P-state, power limit, PCIe."""
    clock = gpu.memory_mhz.median if gpu.memory_mhz else None
    usual = _usual(earlier, lambda item: item.memory_mhz.median if item.memory_mhz else None)
    if _differs(clock, usual):
        yield _invalid("memory_clock", mhz=round(clock or 0), usual=round(usual or 0))
    state = _usual_state(earlier)
    if state and gpu.pstates and 1 - gpu.pstates.get(state, 0.0) > SAMPLES_SHARE:
        yield _invalid("pstate", usual=state, seen=" ".join(gpu.pstates))
    limit = _usual(earlier, lambda item: item.limit_w)
    if _differs(gpu.limit_w, limit):
        yield _invalid("power_limit", watts=round(gpu.limit_w or 0), usual=round(limit or 0))
    width = _usual(earlier, lambda item: item.pcie_width)
    if width is not None and gpu.pcie_width is not None and gpu.pcie_width < width:
        yield _invalid("pcie_width", width=gpu.pcie_width, usual=round(width))


def _clock(gpu: GpuTrace, same_side: Sequence[GpuTrace]) -> Found:
    usual = _usual(same_side, lambda item: item.sm_mhz.median if item.sm_mhz else None)
    if gpu.sm_mhz and usual and abs(gpu.sm_mhz.median / usual - 1) > CLOCK_SHARE:
        args: dict[str, Value] = {"mhz": round(gpu.sm_mhz.median), "usual": round(usual)}
        yield Guard(code="sm_clock", invalidates=False, args=args)


def _server(launch: Launch, earlier: Sequence[Launch], expected: Expected) -> Found:
    """The server ran where it should, with what it had in its earlier launches."""
    if launch.status != "ok":
        return
    seen = launch.facts.devices
    if expected.devices and seen and not _are_expected(seen, expected.devices):
        yield _invalid("wrong_device", device=", ".join(seen)[:200])
    offloaded = launch.facts.offloaded
    known = [item.facts.offloaded for item in earlier if item.side == launch.side and item.facts.offloaded]
    if offloaded and known and offloaded != known[0]:
        yield _invalid("offload_changed", layers=offloaded[0], usual=known[0][0])


def _are_expected(seen: Sequence[str], devices: Sequence[tuple[str, str | None]]) -> bool:
    """`seen` as `NAME (cc X.Y)` of the server's log; it lists equal ones once."""
    wanted = {capability for _, capability in devices}
    if None in wanted:
        return True
    return {item.rpartition("(cc ")[2].rstrip(")") for item in seen} == wanted


def _usual(earlier: Sequence[GpuTrace], number: Callable[[GpuTrace], float | None]) -> float | None:
    """The session's median; None while there are too few launches to have one."""
    values = [value for item in earlier if (value := number(item)) is not None]
    return median(values) if len(values) >= _USUAL_FROM else None


def _usual_state(earlier: Sequence[GpuTrace]) -> str | None:
    """The P-state that most of the busy time of the session was spent in."""
    states = [state for item in earlier for state, share in item.pstates.items() if share > 1 / 2]
    return max(sorted(set(states)), key=states.count) if len(states) >= _USUAL_FROM else None


def _differs(value: float | None, usual: float | None) -> bool:
    return value is not None and bool(usual) and abs(value / (usual or 1.0) - 1) > SETTING_SHARE


def _invalid(code: str, **args: Value) -> Guard:
    return Guard(code=code, invalidates=True, args=args)
