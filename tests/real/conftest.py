"""Models, folders and commands of the real suite: whole runs with the two real builds."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import Desk
from tests.support.real import Wrapper, real_config
from tests.support.scripted import scripted
from tests.support.tiny_model import make_tiny_model

Desks = Callable[..., Desk]


@pytest.fixture(scope="session")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that takes no time at all."""
    return make_tiny_model(tmp_path_factory.mktemp("tiny") / "tiny.gguf")


@pytest.fixture(scope="session")
def desks(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Desks:
    """Makes a folder from which commands are run; with scripted servers unless told otherwise."""

    def make(name: str, wrapper: Callable[[Path], Wrapper] | None = None, **config: object) -> Desk:
        folder = tmp_path_factory.mktemp(name)
        well = scripted(folder)
        servers = wrapper(folder) if wrapper else {"base": well, "head": well}
        config.setdefault("machine", {"isolation": "none"})  # as `tests.support.real.without_sandbox`
        return Desk(folder, real_config(folder, tiny, **config), servers)

    return make
