"""What a launch is asked to do and what it answers: JSON between two processes. Standard library only.

Prompts are token ids, exact in length; times are seconds; ports are chosen by the launch, which replaces the
argument `{port}`.
"""

import json
import os
from pathlib import Path
from typing import Any, NotRequired, TypedDict

PORT = "{port}"

#: Exit codes of the launch process itself.
DONE, UNREADABLE_PLAN, NO_SPACE = 0, 2, 28

Json = dict[str, Any]


class ScenarioPlan(TypedDict):
    """One scenario's requests. `settle` names the rate whose last two warm-ups must agree."""

    name: str
    n_predict: int
    settle: str
    min_warmups: int
    warmups: list[list[int]]
    prompts: list[list[int]]


class Timeouts(TypedDict):
    """`stall_s`: no byte of an answer for this long is a hang."""

    load_s: float
    stall_s: float
    request_s: float
    stop_s: float


class SamplerPlan(TypedDict):
    """`gpu_uuids` is empty where only the host is watched. The baseline is so many samples over `baseline_s`;
    before it, a GPU hotter than `cool_to` (degrees, None: any) is waited for.
    """

    gpu_uuids: list[str]
    hz: float
    baseline_samples: int
    baseline_s: float
    cool_to: float | None


class LaunchPlan(TypedDict):
    """Everything one launch needs. `hashes` are {path: sha256}, checked before the start.

    `expect_gpu`: a server that puts nothing on a GPU then makes the launch invalid. `errands` come after the
    scenarios, each with its `kind` (`bot.bench.errands`) and a `name` for its answer.
    """

    argv: list[str]
    env: dict[str, str]
    hashes: dict[str, str]
    log: str
    scenarios: list[ScenarioPlan]
    texts: dict[str, str]
    expect_gpu: bool
    timeouts: Timeouts
    sampler: SamplerPlan
    errands: NotRequired[list[Json]]


class LaunchStop(Exception):  # noqa: N818 - an end, not always an error
    """Ends a launch with a status of `records.LaunchStatus` and the decisive line."""

    def __init__(self, status: str, detail: str = "") -> None:
        super().__init__(status, detail)
        self.status = status
        self.detail = detail


def write_atomically(path: Path, data: Json) -> None:
    """Replace `path` in one step. Raises OSError (ENOSPC when the disk is full)."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("w", encoding="utf-8") as file:
            json.dump(data, file, allow_nan=False)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
