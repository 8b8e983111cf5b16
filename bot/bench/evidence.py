"""The sampler's rows as `records.GpuTrace` and `records.HostTrace` dicts. Standard library only."""

from collections.abc import Sequence
from typing import Any

from bot.bench.plan import Json

#: Columns of a GPU's row (`bot.gpu.sampler`).
_AT, _MARK, _USED, _FREE, _SM, _MEMORY, _REASONS, _PSTATE, _DEGREES, _WATTS, _USE = range(11)
#: Bits of NVML's reasons by name (nvml.h); `bot.gpu.reader` has the same, which imports pynvml.
_BITS = ("idle", "app_clocks", "sw_power_cap", "hw_slowdown", "sync_boost", "sw_thermal", "hw_thermal")
_NAMES = {1 << place: name for place, name in enumerate((*_BITS, "power_brake", "display"))}
#: Those that the hardware pulls: slowdown, thermal, power brake.
HARDWARE = 0x8 | 0x40 | 0x80
#: NVML's utilisation looks back up to a second: the first baseline samples may still show the last server.
_IDLE_SAMPLES = 3

Row = list[Any]


def gpus(answer: Json) -> list[Json]:
    """One trace per GPU that left a row."""
    return [_gpu(item) for item in answer.get("gpus", []) if item["rows"]]


def _gpu(item: Json) -> Json:
    rows: list[Row] = item["rows"]
    states: Json = item["states"]
    before = [row for row in rows if row[_MARK] == "baseline"]
    after = [row for row in rows if row[_MARK] == "after"]
    during = [row for row in rows if row[_MARK] not in ("baseline", "after")] or rows
    busy = _busy(rows, states)
    return {
        "id": item["uuid"],
        "unified": item["unified"],
        "total_mib": item["total_mib"],
        "reserved_mib": item["reserved_mib"],
        "baseline_mib": _median([row[_USED] for row in before or rows[:1]]),
        "peak_mib": max(row[_USED] for row in during),
        "steady_mib": _median([row[_USED] for row in busy[-_tail(busy) :]]) if busy else None,
        "after_mib": after[-1][_USED] if after else None,
        "idle_use": max(_column(before[-_IDLE_SAMPLES:], _USE), default=None),
        "start_c": next(iter(_column(before[-1:], _DEGREES)), None),
        "end_c": next(iter(_column(busy[-1:], _DEGREES)), None),
        **_work(busy),
        **_counters(states),
        **_processes(states),
    }


def _tail(busy: Sequence[Row]) -> int:
    """The last third of the work is the steady state."""
    return max(1, len(busy) // 3)


def _busy(rows: Sequence[Row], states: Json) -> list[Row]:
    """Rows between the first request and the last in which the GPU worked, as far as it tells."""
    loaded, end = states.get("loaded", {}).get("at"), states.get("end", {}).get("at")
    if loaded is None:
        return []
    inside = [row for row in rows if loaded <= row[_AT] <= (end or rows[-1][_AT]) and not row[_MARK]]
    return [row for row in inside if row[_USE] is None or row[_USE] > 0]


def _work(busy: Sequence[Row]) -> Json:
    watts, use = _column(busy, _WATTS), _column(busy, _USE)
    bits = [int(value) for value in _column(busy, _REASONS)]
    return {
        "busy": len(busy),
        "use": sum(use) / len(use) if use else None,
        "sm_mhz": _spread(_column(busy, _SM)),
        "memory_mhz": _spread(_column(busy, _MEMORY)),
        "pstates": _shares([f"P{int(value)}" for value in _column(busy, _PSTATE)]),
        "reasons": _reasons(bits),
        "slowdown_run": _longest([bool(value & HARDWARE) for value in bits]),
        "power_w": sum(watts) / len(watts) if watts else None,
    }


def _reasons(bits: Sequence[int]) -> dict[str, float]:
    """Share of samples with each reason, of those that occur."""
    seen = 0
    for value in bits:
        seen |= value
    places = [place for place in range(seen.bit_length()) if seen >> place & 1]
    return {
        _NAMES.get(1 << place, f"bit-{place}"): sum(value >> place & 1 for value in bits) / len(bits)
        for place in places
    }


def _counters(states: Json) -> Json:
    """What the driver counted while requests ran, and the settings in force then."""
    loaded, end = states.get("loaded", {}), states.get("end", {})
    window = end["at"] - loaded["at"] if loaded and end else 0.0
    counters = ("thermal_s", "power_s", "hardware_s", "energy_j")
    passed = {name: _passed(loaded, end, name) for name in counters}
    last = end or loaded or states.get("before", {})
    return {
        "thermal": _share(passed["thermal_s"], window),
        "power": _share(passed["power_s"], window),
        "hardware": _share(passed["hardware_s"], window),
        "energy_j": passed["energy_j"],
        "limit_w": last.get("limit_w"),
        "pcie_width": last.get("pcie_width"),
        "pcie_generation": last.get("pcie_generation"),
    }


def _processes(states: Json) -> Json:
    """Counts only: the names of a user's programs are nobody's business. PIDs may be another namespace's."""
    before, after = (states.get(moment, {}).get("processes") for moment in ("before", "after"))
    known = {pid for pid, _ in before or ()}
    new = None if before is None or after is None else sum(pid not in known for pid, _ in after)
    return {"foreign_before": None if before is None else len(known), "foreign_after": new}


def host(answer: Json) -> Json | None:
    """The host's trace; None where the launch did not get as far as its end."""
    seen = answer.get("host", {})
    loaded, end = (seen.get("moments", {}).get(moment) for moment in ("loaded", "end"))
    if not (loaded and end) or end["total"] <= loaded["total"]:
        return None
    passed = {name: end[name] - loaded[name] for name in ("busy", "own", "steal", "total", "swapped_in_mib")}
    return {
        "seconds": end["at"] - loaded["at"],
        "cores": int(end["cores"]),
        "others": max(0.0, passed["busy"] - passed["own"]) / passed["total"],
        "steal": max(0.0, passed["steal"]) / passed["total"],
        "swapped_in_mib": max(0.0, passed["swapped_in_mib"]),
        "pressure": seen["pressure"],
        "battery": seen["battery"],
        "governors": seen["governors"],
    }


def lost(answer: Json | None, fate: str) -> Json | None:
    """A `records.Guard` where the watch broke off: the sampler died, or NVML left it. None: it saw all."""
    if answer is None:
        return {"code": "sampler_lost", "invalidates": True, "args": {"why": fate}}
    if answer["error"]:
        return {"code": "nvml_lost", "invalidates": True, "args": {"why": answer["error"]}}
    return None


def _column(rows: Sequence[Row], column: int) -> list[float]:
    return [row[column] for row in rows if row[column] is not None]


def _median(values: Sequence[float]) -> float:
    """Of values that are there; the module `statistics` would double the start-up time of a launch."""
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(values) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def _spread(values: Sequence[float]) -> Json | None:
    return {"low": min(values), "median": _median(values), "high": max(values)} if values else None


def _shares(names: Sequence[str]) -> dict[str, float]:
    return {name: names.count(name) / len(names) for name in sorted(set(names))}


def _longest(flags: Sequence[bool]) -> int:
    best = run = 0
    for flag in flags:
        run = run + 1 if flag else 0
        best = max(best, run)
    return best


def _passed(before: Json, after: Json, name: str) -> float | None:
    first, last = before.get(name), after.get(name)
    return None if first is None or last is None else max(0.0, last - first)


def _share(seconds: float | None, window: float) -> float | None:
    return None if seconds is None or window <= 0 else min(1.0, seconds / window)
