"""The sampler: a process of its own, so that watching costs the measured one nothing and may die alone.

Started with one JSON argument, `bot.bench.plan.SamplerPlan`. It reads commands on stdin (`pid N`, `mark
NAME`, `settle`) and ends at its end of file, that is also when its parent dies. It answers `ready` once the
baseline stands, `marked` to each mark and, at the end, one JSON object:

    rows      [[monotonic seconds, mark, RSS MiB, MemAvailable MiB, used MiB, free MiB], ...]; the last two
              summed over the GPUs, None without one
    ram_mib, gpu_mib    the totals; of memory that GPU and host share, the host's
    gpus      per GPU: uuid, total_mib, reserved_mib, unified, rows [[seconds, mark, used, free, and
              `bot.gpu.reader.row`], ...], states by moment (`bot.gpu.reader.state`)
    host      per moment: `bot.gpu.host.moment`; pressure: the highest PSI; battery, governors
    error     why the GPU columns end early; empty where they do not

Standard library only, but for pynvml where a GPU is named.
"""

import json
import os
import select
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

if __name__ == "__main__":  # isolated from the environment: the package is found by its place
    sys.path.append(str(Path(__file__).resolve().parents[2]))

from bot.gpu import host
from bot.gpu.host import meminfo, rss

_USED = 4
#: Facts 2.2: the driver takes memory back within 10 s, to +-32 MiB.
_SETTLE_S, _SETTLE_MIB, _SETTLE_STEP_S = 10.0, 32.0, 0.1
#: How long a GPU is waited for that is hotter than the session's usual start.
_COOL_S, _COOL_STEP_S = 60.0, 1.0
#: Degrees within `reader.row`.
_TEMPERATURE = 4
Row = list[Any]


class Reader(Protocol):
    """What the sampler needs of `bot.gpu.reader.GpuReader`."""

    uuid: str
    total: float | None
    unified: bool

    def used_free(self) -> tuple[float, float] | None:
        """MiB; None where the memory is the host's."""

    def row(self) -> list[float | None]:
        """Cheap numbers."""

    def state(self) -> dict[str, Any]:
        """Numbers for moments."""


class Sampler:
    """Collects rows; after an NVML error the GPU columns stay empty and `error` says why."""

    def __init__(self, gpus: Sequence[Reader] = (), root: int = 0) -> None:
        self.gpus = gpus
        self.root = root or os.getpid()
        self.pid = 0
        self.rows: list[Row] = []
        self.gpu_rows: list[list[Row]] = [[] for _ in gpus]
        self.states: list[dict[str, Any]] = [{} for _ in gpus]
        self.host: dict[str, dict[str, float]] = {}
        self.pressure: float | None = None
        self.error = ""

    def sample(self, mark: str = "") -> None:
        """Take one row now."""
        now, available = time.monotonic(), meminfo("MemAvailable")
        used, free = self._gpus(now, mark, available)
        resident = rss(self.pid) if self.pid else 0.0
        self.rows.append([now, mark, resident, available, used, free])
        pressure = host.memory_pressure()
        if pressure is not None and mark not in ("baseline", "after"):
            self.pressure = max(pressure, self.pressure or 0.0)

    def _gpus(self, now: float, mark: str, available: float) -> tuple[float | None, float | None]:
        """Used and free, summed; shared memory counts as often as it is there, once."""
        if not self.gpus or self.error:
            return None, None
        shared = (meminfo("MemTotal") - available, available)
        try:
            pairs = [gpu.used_free() for gpu in self.gpus]
            for gpu, rows, pair in zip(self.gpus, self.gpu_rows, pairs, strict=True):
                rows.append([now, mark, *(pair or shared), *gpu.row()])
        except Exception as error:
            self._lose(error)
            return None, None
        own = [pair for pair in pairs if pair is not None] + [shared] * (None in pairs)
        return sum(pair[0] for pair in own), sum(pair[1] for pair in own)

    def moment(self, name: str) -> None:
        """Read the counters."""
        self.host[name] = host.moment(self.root)
        if self.error:
            return
        try:
            for gpu, states in zip(self.gpus, self.states, strict=True):
                states[name] = gpu.state()
        except Exception as error:
            self._lose(error)

    def _lose(self, error: Exception) -> None:
        self.error = f"{type(error).__name__}: {error}"

    def obey(self, command: str) -> None:
        """`pid N`: watch that process. `mark NAME`: take a row now. `settle`: wait for the GPU's memory."""
        verb, _, value = command.partition(" ")
        if verb == "pid":
            self.pid = int(value)
        elif verb == "mark":
            self.sample(value)
            self.moment(value)
            os.write(1, b"marked\n")
        elif verb == "settle":
            self.settle()

    def settle(self) -> None:
        """Wait until the driver has taken the memory back."""
        before = sorted(row[_USED] for row in self.rows if row[1] == "baseline" and row[_USED] is not None)
        deadline = time.monotonic() + _SETTLE_S
        self.sample("after")
        while before and self.rows[-1][_USED] is not None and time.monotonic() < deadline:
            if abs(self.rows[-1][_USED] - before[len(before) // 2]) <= _SETTLE_MIB:
                break
            time.sleep(_SETTLE_STEP_S)
            self.sample("after")
        self.moment("after")

    def cool(self, limit: float | None) -> None:
        """Wait until no GPU is hotter than this, for a minute at most."""
        deadline = time.monotonic() + _COOL_S
        while limit is not None and time.monotonic() < deadline:
            degrees = [gpu.row()[_TEMPERATURE] for gpu in self.gpus]
            if all(item is None or item <= limit for item in degrees):
                return
            time.sleep(_COOL_STEP_S)

    def answer(self) -> dict[str, Any]:
        """Everything seen."""
        totals = [gpu.total for gpu in self.gpus if gpu.total is not None]
        shares = any(gpu.unified for gpu in self.gpus)
        ram = meminfo("MemTotal")
        return {
            "rows": self.rows,
            "ram_mib": ram,
            "gpu_mib": sum(totals) + (ram if shares else 0.0),
            "gpus": [self._gpu(place, ram) for place in range(len(self.gpus))],
            "host": {
                "moments": self.host,
                "pressure": self.pressure,
                "battery": host.on_battery(),
                "governors": host.governors(),
            },
            "error": self.error,
        }

    def _gpu(self, place: int, ram: float) -> dict[str, Any]:
        gpu = self.gpus[place]
        return {
            "uuid": gpu.uuid,
            "unified": gpu.unified,
            "total_mib": gpu.total if gpu.total is not None else ram,
            "reserved_mib": getattr(gpu, "reserved", None),
            "rows": self.gpu_rows[place],
            "states": self.states[place],
        }


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
    sampler.moment("before")


def started(plan: dict[str, Any]) -> Sampler:
    """The sampler with its baseline taken; a GPU that cannot be opened is an error in its answer."""
    root = os.getppid()
    if not plan["gpu_uuids"]:
        return Sampler(root=root)
    try:
        from bot.gpu.reader import open_all  # noqa: PLC0415 - pynvml only where a GPU is named

        sampler = Sampler(open_all(plan["gpu_uuids"]), root)
        sampler.cool(plan.get("cool_to"))
        baseline(sampler, plan["baseline_samples"], plan["baseline_s"] / max(1, plan["baseline_samples"] - 1))
    except Exception as error:
        sampler = Sampler(root=root)
        sampler.error = f"{type(error).__name__}: {error}"
    return sampler


def main(argument: str) -> None:
    """Run until stdin ends, then print everything."""
    plan = json.loads(argument)
    sampler = started(plan)
    os.write(1, b"ready\n")
    watch(sampler, 1 / plan["hz"])
    sys.stdout.write(json.dumps(sampler.answer()) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
