"""The sampler as a process: through the real pynvml, against a machine that changes while it watches."""

import os
from collections.abc import Iterator
from typing import Any

import pytest

from bot.bench import evidence
from bot.bench.memory import MemoryWatch, traces
from bot.bench.plan import SamplerPlan
from bot.gpu import sampler
from tests.gpu.conftest import Machines
from tests.support.nvml_stub import FakeMachine, uuid


def plan(*uuids: str, **changes: Any) -> SamplerPlan:
    values: Any = {"gpu_uuids": list(uuids), "hz": 100.0, "baseline_samples": 3, "baseline_s": 0.02}
    return {**values, "cool_to": None, **changes}


@pytest.fixture
def watches(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    started: list[MemoryWatch] = []

    def start(machine: FakeMachine, asked: SamplerPlan) -> MemoryWatch:
        for name, value in machine.environment.items():
            monkeypatch.setenv(name, value)
        started.append(MemoryWatch(asked))
        started[-1].wait_ready()
        return started[-1]

    yield start
    for watch in started:
        watch.kill()


def worked(watch: MemoryWatch, machine: FakeMachine, lines: dict[str, str | int]) -> dict[str, Any]:
    """What it saw of a server that loads, works as these lines say, and ends."""
    calm: dict[str, str | int] = {"use": 0}
    machine.set({"used": 9000})
    watch.mark("loaded")
    machine.set({"use": 95, **lines})
    for _ in range(6):  # an unknown moment is a row that is taken now
        watch.mark("")
    machine.set(calm)
    watch.mark("end")
    machine.set({"used": 520})
    seen = watch.finish()
    assert seen is not None
    return seen


def test_a_launch_is_idle_loaded_peak_steady_and_after(gpus: Machines, watches: Any) -> None:
    machine = gpus(used=500, energy_mj=1000)
    watch = watches(machine, plan(uuid()))
    seen = worked(watch, machine, {"used": 9700, "clock1": 1905, "temperature0": 66, "energy_mj": 8000})
    (gpu,) = evidence.gpus(seen)
    assert gpu["id"] == uuid()
    assert (gpu["baseline_mib"], gpu["peak_mib"], gpu["steady_mib"], gpu["after_mib"]) == (
        500,
        9700,
        9700,
        520,
    )
    assert (gpu["total_mib"], gpu["reserved_mib"], gpu["unified"]) == (24576, 300, False)
    assert gpu["busy"] >= 6
    assert gpu["sm_mhz"] == {"low": 1905, "median": 1905, "high": 1905}
    assert (gpu["pstates"], gpu["reasons"], gpu["slowdown_run"]) == ({"P2": 1.0}, {}, 0)
    assert (gpu["start_c"], gpu["end_c"], gpu["use"], gpu["energy_j"]) == (40, 66, 95, 7.0)
    assert (gpu["limit_w"], gpu["pcie_width"], gpu["foreign_before"], gpu["foreign_after"]) == (350, 16, 0, 0)
    (trace,) = [item for item in traces(seen, 0.0, 0.0) if item["source"] == "nvml"]
    assert (trace["baseline_mib"], trace["loaded_mib"], trace["peak_mib"]) == (500, 9000, 9700)


def test_what_throttles_is_counted_by_name(gpus: Machines, watches: Any) -> None:
    machine = gpus(field270=0, violation1_ns=0)
    watch = watches(machine, plan(uuid()))
    ns = 3_600_000_000_000
    seen = worked(watch, machine, {"reasons": 0x26C, "field270": ns, "violation1_ns": ns, "pstate": 3})
    (gpu,) = evidence.gpus(seen)
    assert gpu["reasons"] == dict.fromkeys(
        ("sw_power_cap", "hw_slowdown", "sw_thermal", "hw_thermal", "bit-9"), 1.0
    )
    assert gpu["slowdown_run"] == gpu["busy"]
    assert (gpu["hardware"], gpu["thermal"], gpu["power"]) == (1.0, 1.0, None)


def test_two_gpus_are_watched_each_and_summed(gpus: Machines, watches: Any) -> None:
    machine = gpus(**{"count": 2, "1.total": 16303, "1.used": 300, "0.used": 500})
    watch = watches(machine, plan(uuid(0), uuid(1)))
    seen = worked(watch, machine, {"1.used": 4300, "0.used": 6500})
    assert [(gpu["id"], gpu["peak_mib"]) for gpu in evidence.gpus(seen)] == [(uuid(0), 6500), (uuid(1), 4300)]
    trace = traces(seen, 0.0, 0.0)[-1]
    assert (trace["total_mib"], trace["baseline_mib"], trace["peak_mib"]) == (24576 + 16303, 800, 10800)
    assert trace["min_free_mib"] == 24576 + 16303 - 10800


def test_memory_that_is_the_hosts_is_taken_from_the_host_and_labelled(gpus: Machines, watches: Any) -> None:
    machine = gpus(**{"name": "NVIDIA GB10", "rc.nvmlDeviceGetMemoryInfo": 3})
    watch = watches(machine, plan(uuid()))
    seen = worked(watch, machine, {})
    (gpu,) = evidence.gpus(seen)
    assert (gpu["unified"], gpu["total_mib"]) == (True, seen["ram_mib"])
    assert 0 < gpu["baseline_mib"] < seen["ram_mib"]
    trace = traces(seen, 0.0, 0.0)[-1]
    assert (trace["source"], trace["unified"], trace["total_mib"]) == ("nvml", True, seen["ram_mib"])


def test_strangers_are_counted_before_and_after(gpus: Machines, watches: Any) -> None:
    """Sizes that NVML does not tell (WSL) make a process no less there; a desktop program is none."""
    machine = gpus(compute="41:-1 42:80", graphics="42:80")
    watch = watches(machine, plan(uuid()))
    seen = worked(watch, machine, {"compute": "41:-1 42:80 43:900 44:1"})
    (gpu,) = evidence.gpus(seen)
    assert (gpu["foreign_before"], gpu["foreign_after"]) == (1, 2)


def test_nvml_that_is_lost_in_the_middle_leaves_what_was_seen_and_why(gpus: Machines, watches: Any) -> None:
    machine = gpus()
    watch = watches(machine, plan(uuid()))
    watch.tell(f"pid {os.getpid()}")
    seen = worked(watch, machine, {"lost": 999})
    assert seen["error"].startswith("NVMLError_Unknown")
    assert evidence.lost(seen, "exit 0") == {
        "code": "nvml_lost",
        "invalidates": True,
        "args": {"why": seen["error"]},
    }
    assert evidence.gpus(seen)[0]["baseline_mib"] == 500
    assert seen["rows"][-1][2] > 1


def test_a_library_that_crashes_kills_the_sampler_alone(gpus: Machines, watches: Any) -> None:
    """Seen under WSL (WSL#11277)."""
    machine = gpus()
    watch = watches(machine, plan(uuid()))
    machine.set({"crash.nvmlDeviceGetMemoryInfo": 1})
    watch.mark("loaded")
    assert watch.finish() is None
    assert watch.fate == "SIGSEGV"
    assert evidence.lost(None, watch.fate) == {
        "code": "sampler_lost",
        "invalidates": True,
        "args": {"why": "SIGSEGV"},
    }


@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ({"rc.nvmlInitWithFlags": 18}, "NVMLError_LibRmVersionMismatch"),
        ({"rc.nvmlInitWithFlags": 999}, "NVMLError_Unknown"),
        ({"uuid": "GPU-other"}, "NVMLError_NotFound"),
    ],
)
def test_a_gpu_that_cannot_be_opened_is_lost_from_the_start(
    gpus: Machines, watches: Any, lines: dict[str, Any], why: str
) -> None:
    watch = watches(gpus(**lines), plan(uuid()))
    watch.mark("loaded")
    watch.mark("end")
    seen = watch.finish()
    assert seen is not None
    assert seen["error"].startswith(why)
    assert evidence.gpus(seen) == []


def test_a_hot_gpu_is_waited_for(gpus: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = gpus(temperature0=70)
    degrees = iter([66, 58])
    waited: list[float] = []

    def sleep(seconds: float) -> None:
        if seconds == 1.0:
            waited.append(seconds)
            machine.set({"temperature0": next(degrees)})

    monkeypatch.setattr(sampler.time, "sleep", sleep)
    watched = sampler.started({**plan(uuid(), cool_to=60.0)})
    assert waited == [1.0, 1.0]
    assert [row[8] for row in watched.gpu_rows[0]] == [58, 58, 58]


def test_a_gpu_that_stays_hot_is_waited_for_a_minute(gpus: Machines, monkeypatch: pytest.MonkeyPatch) -> None:
    gpus(temperature0=70)
    now = [0.0]
    monkeypatch.setattr(sampler.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(sampler.time, "sleep", lambda seconds: now.__setitem__(0, now[0] + seconds))
    watched = sampler.started({**plan(uuid(), cool_to=60.0)})
    assert 60 <= now[0] < 62
    assert len(watched.gpu_rows[0]) == 3


def test_the_hosts_load_is_what_others_use(watches: Any, gpus: Machines) -> None:
    watch = watches(gpus(), plan())
    watch.mark("loaded")
    watch.mark("end")
    seen = watch.finish()
    assert seen is not None
    first, last = (seen["host"]["moments"][name] for name in ("loaded", "end"))
    first |= {"busy": 100.0, "own": 50.0, "steal": 1.0, "total": 200.0, "swapped_in_mib": 7.0, "at": 5.0}
    last |= {"busy": 140.0, "own": 60.0, "steal": 3.0, "total": 300.0, "swapped_in_mib": 9.5, "at": 55.0}
    found = evidence.host(seen)
    assert found is not None
    assert (found["others"], found["steal"], found["swapped_in_mib"], found["seconds"]) == (
        0.3,
        0.02,
        2.5,
        50.0,
    )
    assert found["cores"] >= 1


def test_a_launch_that_never_got_ready_says_nothing_of_the_host() -> None:
    assert evidence.host({"host": {"moments": {"loaded": {}}}}) is None
