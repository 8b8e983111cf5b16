"""The parent's side of a launch: write the plan, run the launch below the leash, read the record."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bot import process
from bot.bench import launch as launch_module
from bot.bench.boxed import Outsiders, box_of, boxed
from bot.bench.conditions import Capabilities, parse_help
from bot.bench.plan import NO_SPACE, Json, LaunchPlan, SamplerPlan, ScenarioPlan, Timeouts
from bot.bench.prompts import TokenizedText
from bot.errors import environment
from bot.isolation import PLAIN, Box, read_plain
from bot.records import Backend, Launch, Side
from bot.store import write_json

__all__ = [
    "Answered",
    "LaunchRequest",
    "Prepared",
    "capabilities",
    "launch_limit_s",
    "prepare",
    "run_errands",
    "run_launch",
]

DEFAULT_TIMEOUTS: Timeouts = {"load_s": 600.0, "stall_s": 300.0, "request_s": 1800.0, "stop_s": 15.0}
_MARGIN_S = 60.0
_HELP_S = 60.0
_SAMPLER_HZ = 5.0
#: Facts 2.2 and 3.2: memory and utilisation of the idle GPU over a few of NVML's own sample periods.
_BASELINE_SAMPLES, _BASELINE_S = 5, 2.0
#: A GPU's baseline with a minute to cool down before it, and its memory coming back afterwards.
_WATCH_S = 80.0


@dataclass(frozen=True)
class LaunchRequest:
    """One launch, as the run wants it.

    `argv`: the server and its arguments, `{port}` where the port goes. `folder` receives plan, result and
    log. `hashes` ({path: sha256}) are checked before the start. `env` is added to the clean environment.
    `gpu_uuid` names the GPU to watch, or several with commas between; a hotter one than `cool_to` (degrees
    Celsius) is left to cool first, for a minute at most. `box`: what it may see besides its folder,
    its GPUs, the folders of `hashes` and what `argv` names. `deadline_s` bounds the whole launch. `errands`:
    what else it does (`bot.bench.plan.LaunchPlan`).
    """

    argv: tuple[str, ...]
    folder: Path
    scenarios: tuple[ScenarioPlan, ...] = ()
    texts: Mapping[str, str] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=dict)
    env: Mapping[str, str] = field(default_factory=dict)
    timeouts: Timeouts = field(default_factory=lambda: DEFAULT_TIMEOUTS)
    backend: Backend = "cpu"
    gpu_uuid: str | None = None
    cool_to: float | None = None
    box: Box = PLAIN
    deadline_s: float | None = None
    errands: tuple[Json, ...] = ()


@dataclass(frozen=True)
class Prepared:
    """What the probe launch found out: its record (with the server's facts), and each text's token ids."""

    launch: Launch
    texts: dict[str, TokenizedText]


@dataclass(frozen=True)
class Answered:
    """A launch with errands: its record, and their answers by name, as far as they came."""

    launch: Launch
    extras: dict[str, Json]


def capabilities(server: Sequence[str], box: Box = PLAIN) -> Capabilities:
    """What a build's llama-server understands. Raises BotError (exit 4) when `--help` does not tell."""
    box = boxed(box, server)
    finished = process.run([*server, "--help"], timeout_s=_HELP_S, network="none", box=box)
    known = parse_help(finished.stdout)
    if finished.code != 0 or known.spelling("--port") is None:
        why = (finished.stderr.strip().splitlines() or [_fate(finished)])[-1]
        raise environment("no-help", path=server[-1], why=why)
    return known


def run_launch(request: LaunchRequest, *, side: Side, slot: int) -> Launch:
    """Carry out one launch. Every failure of server or launch is a status of the record, never an exception.

    Raises BotError (exit 4) only where the plan cannot be written or Python itself not be started.
    """
    return _run(request, side=side, slot=slot)[0]


def run_errands(request: LaunchRequest, *, side: Side, slot: int) -> Answered:
    """As `run_launch`, with what the errands brought."""
    launch, answers = _run(request, side=side, slot=slot)
    return Answered(launch, answers["extras"])


def prepare(request: LaunchRequest, *, side: Side) -> Prepared:
    """A launch without requests that tokenizes `request.texts` and asks the server what it is."""
    launch, answers = _run(request, side=side, slot=-1)
    tokens = answers["tokens"]
    texts = {name: TokenizedText(tuple(item["ids"]), tuple(item["prefix"])) for name, item in tokens.items()}
    return Prepared(launch, texts)


def launch_limit_s(request: LaunchRequest) -> float:
    """The longest a launch may take by its own time limits, then it is ended from outside."""
    times = request.timeouts
    requests = sum(len(item["warmups"]) + len(item["prompts"]) for item in request.scenarios)
    watching = _WATCH_S if request.gpu_uuid else 0.0
    return watching + times["load_s"] + requests * times["request_s"] + times["stop_s"] + _MARGIN_S


def _run(request: LaunchRequest, *, side: Side, slot: int) -> tuple[Launch, dict[str, Json]]:
    request = replace(request, folder=request.folder.absolute())  # the launch works in that folder
    plan_path, result_path = request.folder / "plan.json", request.folder / "result.json"
    result_path.unlink(missing_ok=True)
    write_json(plan_path, _plan(request))
    outsiders = Outsiders(request)
    finished = process.run(
        [sys.executable, "-I", "-S", launch_module.__file__, str(plan_path), str(result_path)],
        cwd=request.folder,
        timeout_s=request.deadline_s or launch_limit_s(request),
        grace_s=request.timeouts["stop_s"] + _MARGIN_S / 4,
        box=box_of(request),
    )
    answer = _answer(result_path, finished)
    outsiders.correct(answer, finished)
    if finished.timed_out and answer.get("status") == "lost":
        answer |= {"status": "hung_serving", "detail": f"no end after {finished.seconds:.0f} s"}
    answers = {name: answer.pop(name, {}) for name in ("tokens", "extras")}
    answer["seconds"] = {**answer.get("seconds", {}), "process": finished.seconds}
    answer |= {"side": side, "slot": slot, "isolation": finished.isolation}
    try:
        return Launch.model_validate(answer), answers
    except ValidationError as error:
        why = f"result: {error.errors()[0]['msg']}"
        return Launch(side=side, slot=slot, status="lost", detail=why, isolation=finished.isolation), answers


def _plan(request: LaunchRequest) -> LaunchPlan:
    sampler: SamplerPlan = {
        "gpu_uuids": request.gpu_uuid.split(",") if request.gpu_uuid else [],
        "hz": _SAMPLER_HZ,
        "baseline_samples": _BASELINE_SAMPLES,
        "baseline_s": _BASELINE_S,
        "cool_to": request.cool_to,
    }
    return {
        "argv": list(request.argv),
        "env": {**_gpu_environment(request.gpu_uuid), **request.env},
        "hashes": dict(request.hashes),
        "log": str(request.folder / "server.log"),
        "scenarios": list(request.scenarios),
        "texts": dict(request.texts),
        "expect_gpu": request.backend == "cuda",
        "timeouts": request.timeouts,
        "sampler": sampler,
        "errands": list(request.errands),
    }


def _gpu_environment(uuid: str | None) -> dict[str, str]:
    """The server sees that one GPU: NVML's indices are not CUDA's, UUIDs are the same in both."""
    return {"CUDA_VISIBLE_DEVICES": uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"} if uuid else {}


def _answer(path: Path, finished: process.Finished) -> dict[str, Any]:
    """The launch's own answer, or what can be said of one that left none."""
    try:
        answer = json.loads(read_plain(path))
        if isinstance(answer, dict):
            return answer
    except (OSError, ValueError):
        pass
    if finished.code == NO_SPACE:
        return {"status": "no_space"}
    return {"status": "lost", "detail": (finished.stderr.strip().splitlines() or [_fate(finished)])[-1]}


def _fate(finished: process.Finished) -> str:
    return f"signal {finished.signal}" if finished.signal else f"exit {finished.code}"
