"""The launch's side of the memory sampler: start it, mark moments, turn its rows into traces.

Standard library only. A sampler that dies takes no launch with it: the memory is then unknown.
"""

import json
import select
import subprocess
import sys
from pathlib import Path
from typing import Any

from bot.bench.logs import ending
from bot.bench.plan import Json, SamplerPlan

_SAMPLER = Path(__file__).parents[1] / "gpu" / "sampler.py"
#: A GPU may be left to cool for a minute first (`bot.gpu.sampler`).
_READY_S, _READY_GPU_S = 20.0, 90.0
_MARK_S = 1.0
_ANSWER_S = 20.0
_RSS, _AVAILABLE, _USED, _FREE = 2, 3, 4, 5

Row = list[Any]


class MemoryWatch:
    """A running sampler."""

    def __init__(self, plan: SamplerPlan) -> None:
        self.plan = plan
        isolated = ["-I"] if plan["gpu_uuids"] else ["-I", "-S"]
        self.process = subprocess.Popen(
            [sys.executable, *isolated, str(_SAMPLER), json.dumps(plan)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
        )

    def wait_ready(self) -> None:
        """Return when it samples; with a GPU that is when the baseline stands."""
        self._reply(_READY_GPU_S if self.plan["gpu_uuids"] else _READY_S)

    def _reply(self, timeout_s: float) -> None:
        assert self.process.stdout is not None
        if select.select([self.process.stdout], [], [], timeout_s)[0]:
            self.process.stdout.readline()

    def mark(self, moment: str) -> None:
        """Take a row at this moment; returns when it is taken."""
        self.tell(f"mark {moment}")
        self._reply(_MARK_S)

    def tell(self, command: str) -> None:
        """Send one command; a dead sampler is found out at the end."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(command.encode() + b"\n")
        except OSError:
            return

    def finish(self) -> Json | None:
        """Everything it saw, the memory after the server's end included; None where it was lost."""
        self.tell("settle")
        try:
            out, _ = self.process.communicate(timeout=_ANSWER_S)
            answer = json.loads(out.splitlines()[-1])
        except (OSError, ValueError, IndexError, subprocess.TimeoutExpired):
            self.kill()
            return None
        return answer if isinstance(answer, dict) else None

    @property
    def fate(self) -> str:
        """How it ended, where it left no answer: a signal's name or an exit code."""
        code = self.process.poll()
        return "" if code is None else ending(code)

    def kill(self) -> None:
        """End it now, and reap it."""
        self.process.kill()
        self.process.wait()


def traces(answer: Json, started: float, peak_rss: float) -> list[Json]:
    """The sampler's rows as `records.MemoryTrace` dicts: host memory, and the GPU's where it was read.

    `started` is the server's start (monotonic seconds); `peak_rss` the kernel's own high-water mark in MiB,
    which no sampling can miss (0 where it is unknown).
    """
    rows = [row for row in answer["rows"] if row[1] not in ("baseline", "after")]
    found = [_host(rows, answer["ram_mib"], started, peak_rss)] if any(row[_RSS] for row in rows) else []
    used = [row for row in rows if row[_USED] is not None]
    if used and answer["gpu_mib"]:
        found.append(_gpu(answer, used, started))
    return found


def _host(rows: list[Row], total: float, started: float, peak_rss: float) -> Json:
    alive = [row for row in rows if row[_RSS]]
    return {
        "source": "rss",
        "total_mib": total,
        "baseline_mib": 0.0,
        "loaded_mib": _marked(alive, _RSS),
        "peak_mib": max(peak_rss, *(row[_RSS] for row in alive)),
        "after_mib": None,
        "min_free_mib": min(row[_AVAILABLE] for row in alive),
        "points": _points(alive, _RSS, started),
    }


def _gpu(answer: Json, rows: list[Row], started: float) -> Json:
    before = [row[_USED] for row in answer["rows"] if row[1] == "baseline" and row[_USED] is not None]
    after = [row[_USED] for row in answer["rows"] if row[1] == "after"]
    return {
        "source": "nvml",
        "total_mib": answer["gpu_mib"],
        "baseline_mib": sorted(before)[len(before) // 2] if before else rows[0][_USED],
        "loaded_mib": _marked(rows, _USED),
        "peak_mib": max(row[_USED] for row in rows),
        "after_mib": after[-1] if after else None,
        "min_free_mib": min(row[_FREE] for row in rows),
        "points": _points(rows, _USED, started),
        "unified": any(gpu["unified"] for gpu in answer.get("gpus", ())),
    }


def _marked(rows: list[Row], column: int) -> float:
    """The value when the model was loaded, else (it never was) the largest seen."""
    marked = [row[column] for row in rows if row[1] == "loaded"]
    return float(marked[0] if marked else max(row[column] for row in rows))


def _points(rows: list[Row], column: int, started: float) -> list[list[float]]:
    return [[round(row[0] - started, 3), round(row[column], 2)] for row in rows if row[0] >= started]


def high_water(pid: int) -> float:
    """The kernel's record of the most a process had resident (VmHWM), MiB; 0.0 where it cannot be read."""
    try:
        with Path(f"/proc/{pid}/status").open(encoding="ascii", errors="replace") as file:
            return next((int(line.split()[1]) / 1024 for line in file if line.startswith("VmHWM:")), 0.0)
    except (OSError, ValueError, IndexError):
        return 0.0
