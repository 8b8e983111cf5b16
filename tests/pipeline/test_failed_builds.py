"""A tag that does not compile is a report and exit 3, never a traceback."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from bot.errors import Exit
from bot.store import load_run
from tests.support.cmake_project import lay
from tests.support.repository import FakeUpstream
from tests.support.tiny_model import make_tiny_model

BROKEN = "int part0(void) { return nonsense; }\n"


def upstream(folder: Path, *, broken: str) -> FakeUpstream:
    """Two tags of a small tree, of which one does not compile."""
    made = FakeUpstream(folder)
    for tag in ("b1", "b2"):
        tree = folder.with_name(tag)
        lay(tree, files={"part0.c": BROKEN} if tag == broken else None)
        made.commit(f"server : change {tag}", {path.name: path.read_text() for path in tree.iterdir()})
        made.tag(tag)
    return made


def run(folder: Path, source: FakeUpstream) -> "subprocess.CompletedProcess[str]":
    """The command, as a user gives it."""
    config = {
        "version": 1,
        "cache": str(folder / "cache"),
        "upstream": {"url": source.url},
        "machine": {"backend": "cpu"},
        "profiles": {"test": {"model": str(make_tiny_model(folder / "tiny.gguf")), "flags": "-c 1024"}},
    }
    (folder / "config.yml").write_text(yaml.safe_dump(config))
    return subprocess.run(
        [sys.executable, "-c", "from bot.cli import main; main()", "run", "--out", "out"],
        cwd=folder,
        env={**os.environ, "LC_ALL": "en_US.UTF-8", "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("broken", "verdict", "reason"),
    [("b2", "hold", "head_build_failed"), ("b1", "unknown", "base_build_failed")],
)
def test_a_side_that_does_not_compile_is_reported(
    broken: str, verdict: str, reason: str, tmp_path: Path
) -> None:
    done = run(tmp_path, upstream(tmp_path / "upstream", broken=broken))
    assert done.returncode == Exit.BUILD_FAILED, done.stderr
    assert "Traceback" not in done.stderr

    record = load_run(tmp_path / "out" / "run.json")
    assert record.verdict is not None
    assert (record.verdict.code, record.verdict.reasons[0].code) == (verdict, reason)
    (failed,) = record.failed_builds
    assert failed.failure is not None
    assert (failed.tag, failed.failure.stage, failed.failure.kind) == (broken, "compile", "code")
    for language in ("en", "zh-Hans"):
        assert "nonsense" in (tmp_path / "out" / f"report.{language}.md").read_text()
