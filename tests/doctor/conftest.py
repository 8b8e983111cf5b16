"""A whole configuration whose every need is met on this machine, to take single things away from."""

from pathlib import Path

import pytest
import yaml

from bot.config import load
from bot.doctor.case import Case, take
from tests.doctor.samples import Configure, Examined
from tests.support.repository import FakeUpstream
from tests.support.tiny_model import make_tiny_model


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A real GGUF file."""
    folder = tmp_path / "models"
    folder.mkdir()
    return make_tiny_model(folder / "tiny.gguf")


@pytest.fixture
def upstream(tmp_path: Path) -> FakeUpstream:
    """A repository with two release tags."""
    repository = FakeUpstream(tmp_path / "upstream")
    for number in (1, 2):
        repository.commit(f"change {number}", {"file": str(number)})
        repository.git("tag", f"b{number}")
    return repository


@pytest.fixture
def configure(tmp_path: Path, model: Path, upstream: FakeUpstream) -> Configure:
    def write(**changes: object) -> Path:
        settings: dict[str, object] = {
            "version": 1,
            "cache": str(tmp_path / "cache"),
            "upstream": {"url": upstream.url},
            "machine": {"backend": "cpu"},
            "profiles": {"tiny": {"model": str(model), "flags": "-c 2048"}},
        }
        path = tmp_path / "config.yml"
        path.write_text(yaml.safe_dump(settings | changes), encoding="utf-8")
        return path

    return write


@pytest.fixture
def examined(configure: Configure) -> Examined:
    def make(**changes: object) -> Case:
        path = configure(**changes)
        return take(path, load(path))

    return make
