"""Every launch as a row of a CSV file: for spreadsheets and scripts. The same record gives the same bytes."""

import csv
import io
import re
from collections.abc import Iterator
from statistics import median

from bot.records import Launch, MetricKind, Round, Run, Scenario
from bot.report.markdown import clean

FILE_NAME = "launches.csv"
#: The unit in each metric's column: milliseconds, tokens per second.
_UNITS: dict[MetricKind, str] = {"ttft": "ms", "prefill": "tokens_per_s", "decode": "tokens_per_s"}
_STAGES = ("load", "warmup", "measure", "stop", "total")
_MEMORY = ("baseline_mib", "loaded_mib", "peak_mib", "own_mib", "min_free_mib")
#: A spreadsheet takes a text that begins with one of these for a formula.
_FORMULA = re.compile(r"^[=+\-@\t\r]")
#: No log line longer than this is of use in a cell.
_LONGEST = 500

Cell = str | int | float | None


def launches_csv(run: Run) -> str:
    """Every launch in the order run, the warm-up pair (round 0) and reruns included; empty without launches.

    A metric's column holds the launch's median over its accepted requests, in the unit of its name;
    `requests_<scenario>` how many there were. `counted` tells whether the launch is part of the numbers.
    """
    rows = [_row(run, item, launch) for item in _rounds(run) for launch in item.launches]
    if not rows:
        return ""
    text = io.StringIO()
    writer = csv.DictWriter(text, fieldnames=list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def _rounds(run: Run) -> tuple[Round, ...]:
    return ((run.warmup,) if run.warmup else ()) + run.rounds


def _row(run: Run, item: Round, launch: Launch) -> dict[str, Cell]:
    is_warmup = item is run.warmup
    memory = next((trace for trace in launch.memory if trace.source == "nvml"), None)
    memory = memory or next(iter(launch.memory), None)
    return {
        "run": run.id,
        "round": 0 if is_warmup else item.index + 1,
        "attempt": item.attempt,
        "order": item.order,
        "slot": launch.slot,
        "side": launch.side,
        "tag": run.pair.base.name if launch.side == "base" else run.pair.head.name,
        "status": launch.status,
        "invalid": launch.invalid,
        "counted": "yes" if item.is_valid and not is_warmup else "no",
        "exit_code": launch.exit_code,
        "detail": launch.detail,
        **{f"{stage}_s": launch.seconds.get(stage) for stage in _STAGES},
        "memory_source": memory.source if memory else None,
        **{name: getattr(memory, name) if memory else None for name in _MEMORY},
        **_conditions(launch),
        **dict(_metrics(run, launch)),
    }


def _conditions(launch: Launch) -> dict[str, Cell]:
    """What the launch ran under; of several GPUs the first (all stand in the record)."""
    gpu, host = next(iter(launch.gpus), None), launch.host
    return {
        "guards": " ".join(guard.code for guard in launch.guards),
        "gpu_sm_mhz": gpu.sm_mhz.median if gpu and gpu.sm_mhz else None,
        "gpu_memory_mhz": gpu.memory_mhz.median if gpu and gpu.memory_mhz else None,
        "gpu_power_cap_share": gpu.reasons.get("sw_power_cap", 0.0) if gpu and gpu.busy else None,
        "gpu_power_w": gpu.power_w if gpu else None,
        "gpu_start_c": gpu.start_c if gpu else None,
        "gpu_end_c": gpu.end_c if gpu else None,
        "cpu_others_share": host.others if host else None,
    }


def _metrics(run: Run, launch: Launch) -> Iterator[tuple[str, Cell]]:
    for name, scenario in zip(_names(run.profile.scenarios), run.profile.scenarios, strict=True):
        counts = [len(launch.values(scenario.name, kind)) for kind in scenario.judged]
        yield f"requests_{name}", max(counts, default=0)
        for kind in scenario.judged:
            values = launch.values(scenario.name, kind)
            yield f"{kind}_{name}_{_UNITS[kind]}", median(values) if values else None


def _names(scenarios: tuple[Scenario, ...]) -> list[str]:
    """The scenarios' names in snake case, each once."""
    names: list[str] = []
    for place, scenario in enumerate(scenarios):
        name = re.sub(r"[^a-z0-9]+", "_", scenario.name.lower()).strip("_")
        names.append(name if name and name not in names else f"{name}_{place + 1}".strip("_"))
    return names


def _cell(value: Cell) -> str:
    if isinstance(value, float):
        return f"{value:.3f}"
    if not isinstance(value, str):
        return "" if value is None else str(value)
    text = re.sub(r"\s+", " ", clean(value)).strip()[:_LONGEST]
    return f"'{text}" if _FORMULA.match(text) else text
