"""Who else is on a GPU, looked at from outside a launch that sees only its own processes."""

from pathlib import Path
from typing import Any

import pytest

from bot import process
from bot.bench import boxed
from bot.bench.boxed import Outsiders
from bot.bench.runner import LaunchRequest
from bot.gpu import strangers
from bot.isolation import Box, Means
from tests.gpu.conftest import Machines
from tests.support.nvml_stub import uuid

BLIND = {"foreign_before": 0, "foreign_after": 0}


def finished(isolation: tuple[str, ...]) -> process.Finished:
    done = process.run(["true"])
    return process.Finished(**{**vars(done), "isolation": isolation})


def request_for(folder: Path, level: Any = "auto") -> LaunchRequest:
    return LaunchRequest(argv=("llama-server",), folder=folder, gpu_uuid=uuid(), box=Box(level=level))


@pytest.fixture
def answer() -> dict[str, Any]:
    """What a launch in a PID namespace of its own says: it has seen nobody."""
    return {"gpus": [{"id": uuid(), **BLIND}]}


@pytest.fixture(autouse=True)
def sandboxed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with bubblewrap."""
    monkeypatch.setattr(boxed, "means", lambda: Means(Path("/usr/bin/bwrap")))


def test_who_was_there_and_who_came_is_counted_from_outside(
    gpus: Machines, tmp_path: Path, answer: dict[str, Any]
) -> None:
    machine = gpus(compute="41:-1 42:80", graphics="42:80")
    outsiders = Outsiders(request_for(tmp_path))
    machine.set({"compute": "41:-1 42:80 43:900 44:1", "graphics": "42:80"})
    outsiders.correct(answer, finished(("leash", "pid")))
    assert answer["gpus"][0] == {"id": uuid(), "foreign_before": 1, "foreign_after": 2}


def test_a_quiet_gpu_has_no_strangers(gpus: Machines, tmp_path: Path, answer: dict[str, Any]) -> None:
    gpus()
    outsiders = Outsiders(request_for(tmp_path))
    outsiders.correct(answer, finished(("leash", "pid")))
    assert answer["gpus"][0] == {"id": uuid(), **BLIND}


def test_what_nvml_does_not_tell_is_not_called_zero(
    gpus: Machines, tmp_path: Path, answer: dict[str, Any], no_library: None
) -> None:
    outsiders = Outsiders(request_for(tmp_path))
    outsiders.correct(answer, finished(("leash", "pid")))
    assert answer["gpus"][0] == {"id": uuid(), "foreign_before": None, "foreign_after": None}


@pytest.mark.parametrize(("level", "reached"), [("none", ("leash",)), ("auto", ("leash", "network"))])
def test_a_launch_that_sees_all_processes_counts_them_itself(
    gpus: Machines, tmp_path: Path, answer: dict[str, Any], level: str, reached: tuple[str, ...]
) -> None:
    gpus(compute="41:100")
    outsiders = Outsiders(request_for(tmp_path, level))
    outsiders.correct(answer, finished(reached))
    assert answer["gpus"][0] == {"id": uuid(), **BLIND}


def test_counts_of_a_gpu_that_was_not_looked_at_are_unknown() -> None:
    assert strangers.counts({}, {}, "GPU-x") == {"foreign_before": None, "foreign_after": None}
