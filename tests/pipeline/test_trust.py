"""Whole runs: what is built of code that nobody has accepted, and that nothing starts without a sandbox."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bot.errors import Exit
from bot.isolation import means
from bot.store import load_run
from tests.support.cmake_project import lay
from tests.support.repository import FakeUpstream
from tests.support.tiny_model import make_tiny_model

BROKEN = "int part0(void) { return nonsense; }\n"


def commit(made: FakeUpstream, tree: Path, subject: str, **files: str) -> str:
    lay(tree, files={f"{name}.c": text for name, text in files.items()} or None)
    return made.commit(subject, {path.name: path.read_text() for path in tree.iterdir()})


@pytest.fixture
def upstream(tmp_path: Path) -> FakeUpstream:
    """Two tags of a small tree that builds."""
    made = FakeUpstream(tmp_path / "upstream")
    for tag in ("b1", "b2"):
        commit(made, tmp_path / tag, f"server : change {tag}")
        made.tag(tag)
    return made


def run(folder: Path, source: FakeUpstream, *words: str, **variables: str) -> tuple[int, str]:
    """The command as a user gives it: its exit code and what it said."""
    config = {
        "version": 1,
        "cache": str(folder / "cache"),
        "upstream": {"url": source.url},
        "machine": {"backend": "cpu"},
        "profiles": {"test": {"model": str(make_tiny_model(folder / "tiny.gguf")), "flags": "-c 1024"}},
    }
    (folder / "config.yml").write_text(yaml.safe_dump(config))
    done = subprocess.run(
        [sys.executable, "-c", "from bot.cli import main; main()", "run", "--out", "out", *words],
        cwd=folder,
        env={**os.environ, "LC_ALL": "en_US.UTF-8", "PYTHONPATH": str(Path.cwd()), **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stderr


def test_a_head_that_no_release_contains_leaves_no_build_behind(
    tmp_path: Path, upstream: FakeUpstream
) -> None:
    upstream.branch("pull", upstream.line("b3")["b3"])
    head = commit(upstream, tmp_path / "pull", "server : nobody has looked", part0=BROKEN)
    code, said = run(tmp_path, upstream, "--base", "b2", "--head", head)
    assert code == Exit.BUILD_FAILED, said
    record = load_run(tmp_path / "out" / "run.json")
    built = {build.side: build for build in record.builds}
    assert (built["base"].status, built["head"].status) == ("ok", "failed")
    assert "-untrusted-" in built["head"].key
    builds = tmp_path / "cache" / "builds"
    assert [path.name for path in builds.iterdir() if path.is_dir()] == [built["base"].key]
    assert (tmp_path / "cache" / "ccache").is_dir()


@pytest.mark.parametrize(("asked", "is_refused"), [("true", True), ("", False)])
def test_in_actions_nothing_is_started_without_a_sandbox(
    tmp_path: Path, upstream: FakeUpstream, asked: str, is_refused: bool
) -> None:
    blocked = tmp_path / "bin" / "bwrap"
    blocked.parent.mkdir()
    blocked.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    blocked.chmod(0o755)
    path = f"{blocked.parent}:{os.environ['PATH']}"
    commit(upstream, tmp_path / "b3", "server : breaks", part0=BROKEN)
    upstream.tag("b3")
    code, said = run(tmp_path, upstream, PATH=path, GITHUB_ACTIONS=asked)
    assert code == (Exit.ENVIRONMENT if is_refused else Exit.BUILD_FAILED), said
    assert ("machine.isolation: required" in said) is is_refused
    assert ("There is no sandbox here" in said) is not is_refused
    assert "setting up uid map: Permission denied" in said
    assert (tmp_path / "cache" / "ccache").exists() is not is_refused
    if not is_refused:
        built = load_run(tmp_path / "out" / "run.json").builds[0]
        assert not {"pid", "filesystem"} & set(built.isolation)


def test_the_record_says_that_both_were_compiled_in_a_sandbox(tmp_path: Path, upstream: FakeUpstream) -> None:
    if not means().bwrap:
        pytest.skip(f"no sandbox here: {means().refusal or 'bubblewrap is missing'}")
    commit(upstream, tmp_path / "b3", "server : breaks", part0=BROKEN)
    upstream.tag("b3")
    run(tmp_path, upstream, GITHUB_ACTIONS="true")
    record = load_run(tmp_path / "out" / "run.json")
    assert [build.isolation[1:4] for build in record.builds] == [("network", "pid", "filesystem")] * 2
    assert "Isolation while compiling · no network" in (tmp_path / "out" / "report.en.md").read_text()
