"""`use TAG`: the link that the user's server starts through, the way back, and the base that follows."""

import io
from pathlib import Path
from typing import Any

import pytest
import yaml
from rich.console import Console

from bot.build.current import current, link_of, switch
from bot.build.pruning import Limits, prune
from bot.config import Settings, load
from bot.errors import BotError
from bot.pipeline.begin import open_mirror
from bot.pipeline.building import prune_builds
from bot.pipeline.in_use import base_in_use
from bot.pipeline.request import Request
from bot.pipeline.using import Switched, use
from bot.progress import Reporter
from bot.records import Build
from bot.report.words import catalog
from tests.support import cmake_project
from tests.support.repository import FakeUpstream
from tests.support.tiny_model import make_tiny_model

TAGS = ("b1", "b2", "b3")


def reporter() -> Reporter:
    return Reporter(catalog("en").text, Console(file=io.StringIO()))


@pytest.fixture
def source(tmp_path: Path) -> FakeUpstream:
    """Tags of trees that build in a second; b3 does not build."""
    upstream = FakeUpstream(tmp_path / "upstream")
    for number, tag in enumerate(TAGS, 1):
        tree = tmp_path / f"tree-{tag}"
        broken = {"part0.c": "no code"} if tag == "b3" else {}
        cmake_project.lay(tree, files={"notes": str(number), **broken})
        upstream.commit(tag, {path.name: path.read_text() for path in tree.iterdir()})
        upstream.git("tag", tag)
    return upstream


@pytest.fixture
def settings(source: FakeUpstream, tmp_path: Path) -> Settings:
    config: dict[str, Any] = {
        "version": 1,
        "cache": str(tmp_path / "cache"),
        "upstream": {"url": source.url},
        "machine": {"backend": "cpu", "builds_kept": 2},
        "profiles": {"tiny": {"model": str(make_tiny_model(tmp_path / "tiny.gguf"))}},
    }
    path = tmp_path / "config.yml"
    path.write_text(yaml.safe_dump(config))
    return load(path)


def switched(settings: Settings, tag: str) -> Switched:
    return use(settings, tag, reporter())


def base(settings: Settings, **asked: Any) -> str | None:
    return base_in_use(settings, Request(**asked), open_mirror(settings, reporter()), reporter())


def test_the_link_leads_to_the_build_asked_for_and_back(settings: Settings) -> None:
    assert current(settings.cache) is None
    first = switched(settings, "b1")
    assert (first.before, first.link) == (None, settings.cache / "current")
    assert (link_of(settings.cache) / "llama-server").is_file()
    second = switched(settings, "b2")
    assert second.before is not None
    assert second.before.tag == "b1"
    used = current(settings.cache)
    assert used is not None
    assert (used.tag, used.key) == ("b2", second.build.key)
    back = switched(settings, "b1")
    assert (back.build.cached, back.build.key) == (True, first.build.key)
    assert link_of(settings.cache).resolve().parent.parent.name == first.build.key


def test_a_build_that_fails_leaves_the_link_as_it_was(settings: Settings) -> None:
    switched(settings, "b1")
    failed = switched(settings, "b3")
    assert (failed.link, failed.build.status) == (None, "failed")
    used = current(settings.cache)
    assert used is not None
    assert used.tag == "b1"


def test_the_build_in_use_is_never_removed(settings: Settings) -> None:
    key = switched(settings, "b1").build.key
    builds = settings.cache / "builds"
    assert (builds / key).is_dir()
    prune_builds(settings)
    assert prune(builds, Limits(kept=0, mib=0.0), spare={key}) == ()
    assert (builds / key).is_dir()


def test_what_is_in_use_is_the_base_of_a_run_that_names_none(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    assert base(settings) is None
    switched(settings, "b1")
    assert base(settings) == "b1"
    assert base(settings, base="b2") == "b2"
    assert base(settings, head="b1") is None
    assert base(settings, asked_by="watch") is None
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert base(settings) is None


def test_a_build_of_a_commit_that_this_source_lacks_is_no_base(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    switched(settings, "b1")
    ready = settings.cache / "builds" / (current(settings.cache) or pytest.fail()).key / "ready.json"
    sha = (current(settings.cache) or pytest.fail()).sha
    ready.write_text(ready.read_text().replace(sha, "f" * 40))
    assert base(settings) is None


def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    build = Build(side="head", tag="b1", sha="a" * 40, key="k", backend="cpu")
    with pytest.raises(BotError) as caught:
        switch(tmp_path / "gone", build)
    assert caught.value.code == "cannot-write"
