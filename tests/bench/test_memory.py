"""The memory sampler and the traces made of its rows."""

import json
import os
import subprocess
import sys
import time
from typing import Any

import pytest

from bot.bench import memory
from bot.bench.memory import MemoryWatch, traces
from bot.gpu import sampler
from bot.gpu.sampler import Sampler, baseline

PLAN: Any = {"gpu_uuids": [], "hz": 50.0, "baseline_samples": 3, "baseline_s": 0.1, "cool_to": None}


def answer(*rows: list[Any]) -> dict[str, Any]:
    return {"rows": list(rows), "ram_mib": 1000.0, "gpu_mib": 800.0, "error": ""}


def test_a_gpu_trace_is_baseline_loaded_peak_and_after() -> None:
    seen = answer(
        [1.0, "baseline", 0.0, 900.0, 101.0, 699.0],
        [1.2, "baseline", 0.0, 900.0, 150.0, 650.0],
        [1.4, "baseline", 0.0, 900.0, 100.0, 700.0],
        [2.0, "", 5.0, 890.0, 300.0, 500.0],
        [2.2, "loaded", 50.0, 880.0, 500.0, 300.0],
        [2.4, "", 60.0, 870.0, 620.0, 180.0],
        [2.6, "", 55.0, 875.0, 590.0, 210.0],
        [3.0, "after", 0.0, 900.0, 104.0, 696.0],
    )
    host, gpu = traces(seen, 2.0, 0.0)
    assert (gpu["baseline_mib"], gpu["loaded_mib"], gpu["peak_mib"], gpu["after_mib"]) == (101, 500, 620, 104)
    assert (gpu["min_free_mib"], gpu["total_mib"]) == (180, 800)
    assert gpu["points"][:2] == [[0.0, 300.0], [0.2, 500.0]]
    assert (host["loaded_mib"], host["peak_mib"], host["min_free_mib"]) == (50, 60, 870)


def test_the_kernels_own_peak_replaces_a_lower_sampled_one() -> None:
    (host,) = traces(answer([2.0, "loaded", 50.0, 900.0, None, None]), 1.0, 77.0)
    assert host["peak_mib"] == 77.0


def test_no_rows_of_a_living_server_make_no_trace() -> None:
    assert traces(answer([2.0, "", 0.0, 900.0, None, None]), 1.0, 0.0) == []


class Told:
    """A GPU whose used memory is told, one value per look; the end of the list is a lost driver."""

    uuid, total, unified = "GPU-1", 800.0, False

    def __init__(self, *used: float) -> None:
        self.values = iter(used)

    def used_free(self) -> tuple[float, float]:
        used = next(self.values, None)
        if used is None:
            raise RuntimeError("Unknown Error")
        return used, 800.0 - used

    def row(self) -> list[float | None]:
        return [None] * 7

    def state(self) -> dict[str, Any]:
        return {}


def test_an_nvml_that_fails_midway_leaves_the_error_and_the_hosts_memory() -> None:
    watched = Sampler([Told(10.0, 10.0)])
    baseline(watched, 2, 0.0)
    watched.pid = os.getpid()
    watched.sample()
    watched.sample()
    assert [row[4] for row in watched.rows] == [10.0, 10.0, None, None]
    assert watched.error == "RuntimeError: Unknown Error"
    assert watched.rows[-1][2] > 1


def test_after_the_end_it_waits_until_the_gpus_memory_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _seconds: None)
    watched = Sampler([Told(100.0, 100.0, 500.0, 300.0, 120.0, 100.0)])
    baseline(watched, 2, 0.0)
    watched.obey("settle")
    assert [row[4] for row in watched.rows if row[1] == "after"] == [500.0, 300.0, 120.0]


def test_resident_memory_counts_a_wrappers_child() -> None:
    program = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'x = bytearray(80_000_000); input()'])"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE) as process:
        deadline = time.monotonic() + 20
        while (seen := sampler.rss(process.pid)) < 80 and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
    assert seen > 80
    assert sampler.rss(process.pid) == 0.0


def test_a_watch_samples_and_marks_in_a_process_of_its_own() -> None:
    watch = MemoryWatch(PLAN)
    watch.wait_ready()
    watch.tell(f"pid {os.getpid()}")
    watch.mark("loaded")
    seen = watch.finish()
    assert seen is not None
    (marked,) = [row for row in seen["rows"] if row[1] == "loaded"]
    assert marked[2] > 5
    assert watch.process.returncode == 0


def test_a_dead_sampler_is_lost_and_harms_nobody() -> None:
    watch = MemoryWatch(PLAN)
    watch.kill()
    watch.tell("mark x")
    assert watch.finish() is None


def test_a_sampler_ends_when_its_parent_does() -> None:
    command = [sys.executable, "-IS", sampler.__file__, json.dumps(PLAN)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(20) == 0


def test_the_kernel_knows_a_process_peak() -> None:
    assert memory.high_water(os.getpid()) > 5
    assert memory.high_water(2**30) == 0.0
