"""A machine with GPUs out of a file, behind the real pynvml."""

import ctypes
from collections.abc import Callable, Iterator
from pathlib import Path

import pynvml
import pytest

from tests.support.nvml_stub import FakeMachine, Value, compile_stub

Machines = Callable[..., FakeMachine]


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The stand-in, and one of an older driver."""
    folder = tmp_path_factory.mktemp("nvml")
    return {"now": compile_stub(folder / "now"), "old": compile_stub(folder / "old", "-DOLD")}


@pytest.fixture
def gpus(libraries: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Machines]:
    """Makes a machine of these lines and loads its library into this process's pynvml."""

    def make(driver: str = "now", **lines: Value) -> FakeMachine:
        machine = FakeMachine(tmp_path / "nvml.txt", libraries[driver])
        machine.set(dict(lines))
        monkeypatch.setenv("FAKE_NVML", str(machine.path))
        monkeypatch.setattr(pynvml, "nvmlLib", ctypes.CDLL(str(machine.library)))
        monkeypatch.setattr(pynvml, "_nvmlGetFunctionPointer_cache", {})
        return machine

    yield make


@pytest.fixture
def no_library(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a driver."""

    def refuse(_name: str) -> None:
        raise OSError("cannot open shared object file")

    monkeypatch.setattr(pynvml, "nvmlLib", None)
    monkeypatch.setattr(pynvml, "CDLL", refuse)
