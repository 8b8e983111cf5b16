"""Two real tags, from the demo's sources, in the machine's own cache: only a new machine compiles them."""

from pathlib import Path

import pytest

from bot.build.builder import BuildRequest
from bot.build.pair import build_pair
from bot.build.smoke import smoke
from bot.build.toolchain import Toolchain
from bot.config.settings import default_cache
from bot.demo import sources
from bot.upstream.mirror import Mirror
from tests.support.tiny_model import make_tiny_model


@pytest.mark.real
def test_two_real_tags_build_start_and_are_found_again(tmp_path: Path, tools: Toolchain) -> None:
    repository = sources.prepare(default_cache() / "demo")
    mirror = Mirror.open(str(repository), tmp_path / "mirror.git")
    base, head = (
        BuildRequest(
            side="head",
            tag=mirror.resolve(item.tag),
            backend="cpu",
            cache=default_cache(),
            export=mirror.export,
        )
        for item in sources.SDISTS
    )
    model = make_tiny_model(tmp_path / "tiny.gguf")
    for built, request in zip(build_pair(base, head, model, toolchain=tools), (base, head), strict=True):
        assert built.record.failure is None
        assert built.record.version == f"{request.tag.number} ({request.tag.sha[:7]})"
        assert built.folder is not None
        assert smoke(built.folder, model) is None
    for built in build_pair(base, head, model, toolchain=tools):
        assert built.record.cached
        assert built.record.seconds < 1
