"""The memory sampler: a process of its own, so that watching costs the measured one nothing.

Started with one JSON argument {gpu_uuid, hz, baseline_samples}. It reads commands on stdin (`pid N`, `mark
NAME`, `settle`) and ends at its end of file, that is also when its parent dies. It answers `ready` once the
baseline stands, `marked` to each mark and, at the end, one JSON object: {"rows": [[monotonic seconds, mark,
RSS MiB, MemAvailable MiB, used MiB, free MiB], ...], "ram_mib", "gpu_mib", "error"}. Standard library only,
but for pynvml where a GPU is named: NVML v1 memory by UUID (v2 disagrees with itself across drivers; indices
are not CUDA's).
"""

import importlib
import json
import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MIB = 2**20
_USED = 4
_SETTLE_S, _SETTLE_MIB, _SETTLE_STEP_S = 10.0, 32.0, 0.1
Row = list[Any]
GpuReader = Callable[[], tuple[float, float]]


def meminfo(name: str) -> float:
    """A line of /proc/meminfo in MiB, 0.0 where it is missing."""
    lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name + ":")), 0.0)


def rss(pid: int) -> float:
    """Resident MiB of a process and its descendants; 0.0 once it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
        children = [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB + sum(rss(child) for child in children)


def gpu_reader(uuid: str) -> tuple[GpuReader, float]:
    """A reader of (used, free) MiB and the total MiB. Raises whatever NVML raises."""
    pynvml: Any = importlib.import_module("pynvml")  # only where a GPU is named
    pynvml.nvmlInit()
    handle = pynvml.nvmlDeviceGetHandleByUUID(uuid)

    def read() -> tuple[float, float]:
        info = pynvml.nvmlDeviceGetMemoryInfo(handle)
        return info.used / MIB, info.free / MIB

    return read, pynvml.nvmlDeviceGetMemoryInfo(handle).total / MIB


class Sampler:
    """Collects rows; after an NVML error the GPU columns stay empty and `error` says why."""

    def __init__(self, read_gpu: GpuReader | None) -> None:
        self.read_gpu = read_gpu
        self.pid = 0
        self.rows: list[Row] = []
        self.error = ""

    def sample(self, mark: str = "") -> None:
        """Take one row now."""
        used, free = self._gpu()
        resident = rss(self.pid) if self.pid else 0.0
        self.rows.append([time.monotonic(), mark, resident, meminfo("MemAvailable"), used, free])

    def _gpu(self) -> tuple[float | None, float | None]:
        if self.read_gpu is None or self.error:
            return None, None
        try:
            return self.read_gpu()
        except Exception as error:
            self.error = f"{type(error).__name__}: {error}"
            return None, None

    def obey(self, command: str) -> None:
        """`pid N`: watch that process. `mark NAME`: take a row now. `settle`: wait for the GPU's memory."""
        verb, _, value = command.partition(" ")
        if verb == "pid":
            self.pid = int(value)
        elif verb == "mark":
            self.sample(value)
            os.write(1, b"marked\n")
        elif verb == "settle":
            self.settle()

    def settle(self) -> None:
        """Wait until the driver has taken the memory back, to +-32 MiB and at most 10 s (facts: 2.2)."""
        before = sorted(row[_USED] for row in self.rows if row[1] == "baseline" and row[_USED] is not None)
        deadline = time.monotonic() + _SETTLE_S
        self.sample("after")
        while before and self.rows[-1][_USED] is not None and time.monotonic() < deadline:
            if abs(self.rows[-1][_USED] - before[len(before) // 2]) <= _SETTLE_MIB:
                return
            time.sleep(_SETTLE_STEP_S)
            self.sample("after")


def watch(sampler: Sampler, period: float) -> None:
    """Sample every `period` seconds and obey stdin until it ends."""
    pending, due = b"", time.monotonic()
    while True:
        ready, _, _ = select.select([0], [], [], max(0.0, due - time.monotonic()))
        if ready:
            data = os.read(0, 4096)
            if not data:
                return
            *commands, pending = (pending + data).split(b"\n")
            for command in commands:
                sampler.obey(command.decode())
        if time.monotonic() >= due:
            sampler.sample()
            due = max(due + period, time.monotonic())


def baseline(sampler: Sampler, count: int, period: float) -> None:
    """What is used before the server starts: `count` rows marked `baseline`."""
    for left in range(count, 0, -1):
        sampler.sample("baseline")
        if left > 1:
            time.sleep(period)


def main(argument: str) -> None:
    """Run until stdin ends, then print everything."""
    plan = json.loads(argument)
    period = 1 / plan["hz"]
    sampler, total = Sampler(None), 0.0
    if plan["gpu_uuid"]:
        try:
            sampler.read_gpu, total = gpu_reader(plan["gpu_uuid"])
            baseline(sampler, plan["baseline_samples"], period)
        except Exception as error:
            sampler.error = f"{type(error).__name__}: {error}"
    os.write(1, b"ready\n")
    watch(sampler, period)
    answer = {
        "rows": sampler.rows,
        "ram_mib": meminfo("MemTotal"),
        "gpu_mib": total,
        "error": sampler.error,
    }
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
