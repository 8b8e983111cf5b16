"""What a finished run on a GPU must show, as rows of a table. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from bot.bench.spill import spilled_mib
from bot.records import Comparison, GpuTrace, Launch, MemoryTrace, Run

#: CUDA's context and pools, which no log tells: what NVML may show beyond the log's buffers (MiB).
MOST_UNACCOUNTED = 1536.0
#: A launch's use may scatter this much, and must come back to its baseline as well (MiB).
SCATTER = 64.0
#: Of 5 Hz: what a sampler that keeps up takes per second.
LEAST_HZ = 4.0


@dataclass(frozen=True)
class Row:
    """One line: `ok` is None where nothing is demanded."""

    name: str
    value: str | float
    unit: str = ""
    target: str = ""
    ok: bool | None = None

    def as_json(self) -> dict[str, object]:
        """The row as the benchmarks print it."""
        return asdict(self)


def rows(run: Run, *, wall_s: float, limit_s: float, on_gpu: bool = True) -> tuple[Row, ...]:
    """Everything checked of a run; without a GPU (`on_gpu` false) only what concerns none."""
    launches = [item for item in run.launches() if item.status == "ok"]
    found = [*_whole(run, launches, wall_s, limit_s)]
    if on_gpu:
        measured = [launch for item in run.valid_rounds for launch in item.launches]
        found += [*_device(run, launches), *_memory(measured), *_conditions(measured), *_proofs(run)]
    return (*found, *_decisions(run))


def _whole(run: Run, launches: Sequence[Launch], wall_s: float, limit_s: float) -> Iterator[Row]:
    made = list(run.launches())
    builds = " + ".join(f"{build.seconds:.0f}" for build in run.builds)
    yield Row("wall time", round(wall_s, 1), "s", f"<= {limit_s:.0f}", wall_s <= limit_s)
    yield Row("builds", builds, "s", "both", not run.failed_builds and len(run.builds) == 2)
    yield Row("launches that ended well", f"{len(launches)}/{len(made)}", "", "all", launches == made)
    invalid = sorted({item.invalid for item in made if item.invalid})
    yield Row("invalid launches", ", ".join(invalid) or "none")
    yield Row("rounds that count", len(run.valid_rounds), "", ">= 4", len(run.valid_rounds) >= 4)
    blocking = [item.name for item in run.differences if item.blocks]
    yield Row("differences that block", ", ".join(blocking) or "none", "", "none", not blocking)


def _device(run: Run, launches: Sequence[Launch]) -> Iterator[Row]:
    gpu = run.machine.gpu
    name = gpu.name if gpu else "none"
    seen = sorted({device for launch in launches for device in launch.facts.devices})
    yield Row("GPU by NVML", name, "", "one", gpu is not None)
    is_same = (
        bool(seen) and gpu is not None and all(f"(cc {gpu.compute_capability})" in item for item in seen)
    )
    yield Row("GPU by the server's log", ", ".join(seen) or "silent", "", "the same", is_same)
    layers = {launch.facts.offloaded for launch in launches}
    whole = layers and all(item is not None and item[0] == item[1] for item in layers)
    shown = ", ".join("/".join(map(str, item)) if item else "silent" for item in sorted(layers, key=str))
    yield Row("layers on the GPU", shown, "", "all", bool(whole))


def _memory(launches: Sequence[Launch]) -> Iterator[Row]:
    pairs = [(launch, trace) for launch in launches if (trace := _trace(launch))]
    yield Row(
        "launches with NVML memory", f"{len(pairs)}/{len(launches)}", "", "all", len(pairs) == len(launches)
    )
    if not pairs:
        return
    told = [_told_mib(launch) for launch, _ in pairs]
    own = [trace.own_mib for _, trace in pairs]
    rest = [used - log for used, log in zip(own, told, strict=True)]
    yield Row("buffers by the log", round(median(told), 1), "MiB", "> 0", median(told) > 0)
    yield Row("peak by NVML, less baseline", round(median(own), 1), "MiB")
    fits = all(0 <= value <= MOST_UNACCOUNTED for value in rest)
    yield Row(
        "beyond the log (context, pools)",
        round(median(rest), 1),
        "MiB",
        f"0 ... {MOST_UNACCOUNTED:.0f}",
        fits,
    )
    spread = max(own) - min(own)
    yield Row("scatter of the peak", round(spread, 1), "MiB", f"<= {SCATTER:.0f}", spread <= SCATTER)
    spilled = max(spilled_mib(launch) for launch, _ in pairs)
    yield Row("spilled", round(spilled, 1), "MiB", "0", spilled == 0)
    back = [abs(trace.after_mib - trace.baseline_mib) for _, trace in pairs if trace.after_mib is not None]
    worst = max(back, default=float("inf"))
    yield Row("not given back", round(worst, 1), "MiB", f"<= {SCATTER:.0f}", worst <= SCATTER)
    free = [abs(trace.total_mib - trace.min_free_mib - trace.peak_mib) for _, trace in pairs]
    yield Row("total - least free - peak", round(max(free), 1), "MiB", "<= 1", max(free) <= 1)
    rates = [_rate(trace) for _, trace in pairs]
    yield Row("samples per second", round(min(rates), 2), "", f">= {LEAST_HZ}", min(rates) >= LEAST_HZ)


def _conditions(launches: Sequence[Launch]) -> Iterator[Row]:
    gpus = [gpu for launch in launches for gpu in launch.gpus]
    fewest = min((gpu.busy for gpu in gpus), default=0)
    yield Row("busy samples, fewest of a launch", fewest, "", ">= 2", fewest >= 2)
    reasons = sorted({name for gpu in gpus for name in gpu.reasons})
    for name in reasons:
        share = median(gpu.reasons.get(name, 0.0) for gpu in gpus)
        yield Row(f"limited by {name}", round(100 * share, 1), "% of busy samples")
    longest = max((gpu.slowdown_run for gpu in gpus), default=0)
    yield Row("hardware slowdown, longest", longest, "samples", "< 2", longest < 2)
    for label, value, unit in _medians(gpus):
        yield Row(label, value, unit)


def _medians(gpus: Sequence[GpuTrace]) -> Iterator[tuple[str, str | float, str]]:
    clocks = [gpu.sm_mhz.median for gpu in gpus if gpu.sm_mhz]
    if clocks:
        yield "SM clock, lowest and highest launch", f"{min(clocks):.0f} ... {max(clocks):.0f}", "MHz"
    states = sorted({state for gpu in gpus for state in gpu.pstates})
    yield "P-states", ", ".join(states) or "not told", ""
    heat = [gpu.end_c for gpu in gpus if gpu.end_c is not None]
    if heat:
        yield "temperature at the end", round(max(heat), 1), "C"
    power = [gpu.power_w for gpu in gpus if gpu.power_w is not None]
    if power:
        yield "power", round(median(power), 1), "W"


def _proofs(run: Run) -> Iterator[Row]:
    for probe in run.probes:
        starts = ", ".join(f"{item.value} {item.invalid or item.status}" for item in probe.starts)
        yield Row(f"probe {probe.flag}", f"{probe.proven} (computed {probe.computed}: {starts})")


def _decisions(run: Run) -> Iterator[Row]:
    is_same = run.pair.is_self_test
    for item in run.comparisons:
        yield Row(f"{item.metric}, sd of a round", round(100 * item.sd_round, 2), "%")
        wanted = "no change" if is_same else ""
        ok = item.outcome not in ("regression", "improvement") if is_same else None
        yield Row(item.metric, f"{100 * item.change:+.1f} % {item.outcome}", _unit(item), wanted, ok)
    if run.memory:
        same = run.memory.outcome == "same" if is_same else None
        yield Row(
            "memory, head - base", round(run.memory.change_mib, 1), "MiB", "same" if is_same else "", same
        )
    verdict = run.verdict.code if run.verdict else "none"
    yield Row("verdict", verdict, "", "not hold" if is_same else "", verdict != "hold" if is_same else None)


def _unit(item: Comparison) -> str:
    return "ms" if item.kind == "ttft" else "t/s"


def _trace(launch: Launch) -> MemoryTrace | None:
    return next((trace for trace in launch.memory if trace.source == "nvml"), None)


def _told_mib(launch: Launch) -> float:
    names = launch.facts.buffers.items()
    return sum(mib for name, mib in names if name.startswith("CUDA") and not name.startswith("CUDA_Host"))


def _rate(trace: MemoryTrace) -> float:
    if len(trace.points) < 2:
        return 0.0
    return (len(trace.points) - 1) / max(0.2, trace.points[-1][0] - trace.points[0][0])
