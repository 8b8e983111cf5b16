"""Launches against the scripted server and, where they are built, the real ones."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.bench.plan import ScenarioPlan, Timeouts
from bot.bench.runner import LaunchRequest
from bot.isolation import Box
from tests.support.fake_server import write_fake_server
from tests.support.tiny_model import make_tiny_model

SHORT: Timeouts = {"load_s": 20.0, "stall_s": 10.0, "request_s": 20.0, "stop_s": 3.0}

Fake = Callable[..., LaunchRequest]


def scenario(name: str = "short", *, n_predict: int = 6, length: int = 20, requests: int = 2) -> ScenarioPlan:
    """Requests whose prompts are counted ids."""
    prompts = [[1, 300 + index, *range(10, 8 + length)] for index in range(6 + requests)]
    return {
        "name": name,
        "n_predict": n_predict,
        "settle": "decode",
        "min_warmups": 2,
        "warmups": prompts[:6],
        "prompts": prompts[6:],
    }


@pytest.fixture
def marker() -> str:
    """An argument that no other process on this machine has."""
    return f"marker-{uuid.uuid4()}"


def left_running(marker: str) -> list[str]:
    """The command lines of all processes that carry the marker."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            line = (folder / "cmdline").read_bytes()
        except OSError:
            continue
        if marker.encode() in line:
            found.append(line.replace(b"\0", b" ").decode())
    return found


@pytest.fixture
def fake(tmp_path: Path, marker: str) -> Fake:
    """Makes a request for a launch of a fake server with these settings."""

    def make(*, timeouts: dict[str, float] | None = None, **settings: Any) -> LaunchRequest:
        server = write_fake_server(tmp_path / "bin" / "llama-server", **settings)
        return LaunchRequest(
            argv=(str(server), "-m", "tiny.gguf", "--alias", marker, "--port", "{port}"),
            folder=tmp_path,
            scenarios=(scenario(),),
            timeouts={**SHORT, **(timeouts or {})},  # type: ignore[typeddict-item]
            box=Box(level="none"),
        )

    return make


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that loads in no time."""
    return make_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="session")
def real_server(builds: dict[str, Path]) -> Callable[[str], Path]:
    """The llama-server built from a tag."""
    return lambda tag: builds[tag] / "llama-server"
