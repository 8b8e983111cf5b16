"""Old builds make room; one that is used, worked on or spared never does."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path

import pytest
from filelock import FileLock

from bot.build import pruning, usage
from bot.build.layout import Folder
from bot.build.pruning import Limits, prune
from bot.records import Build

PLENTY = Limits(kept=100, mib=10_000.0)
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """What a test holds, it holds no longer than itself."""
    before = set(usage._held)
    yield
    for path in set(usage._held) - before:
        os.close(usage._held.pop(path))


def lay(builds: Path, key: str, *, age: float, kib: int = 64, finished: bool = True) -> Path:
    """A build last used `age` seconds ago."""
    folder = Folder(builds / key)
    folder.bin.mkdir(parents=True)
    (folder.bin / "llama-server").write_bytes(os.urandom(kib * 1024))
    if finished:
        folder.finish(Build(side="head", tag="b1", sha="a" * 40, key=key, backend="cpu", binaries={"x": "y"}))
    then = folder.root.stat().st_mtime - age
    os.utime(folder.root, (then, then))
    return folder.root


def left(builds: Path) -> set[str]:
    return {path.name for path in builds.iterdir() if path.is_dir()}


def test_the_builds_used_longest_ago_go_first(tmp_path: Path) -> None:
    for age, key in enumerate(("newest", "newer", "old", "oldest")):
        lay(tmp_path, key, age=age * 100.0)
    assert prune(tmp_path, Limits(kept=2, mib=1000.0)) == ("old", "oldest")
    assert left(tmp_path) == {"newest", "newer"}


def test_a_build_used_again_is_the_newest(tmp_path: Path) -> None:
    for age, key in enumerate(("newest", "newer", "old")):
        lay(tmp_path, key, age=age * 100.0 + 50)
    usage.hold(tmp_path / "old")
    assert prune(tmp_path, Limits(kept=2, mib=1000.0)) == ("newer",)


def test_disk_space_counts_unfinished_builds_too(tmp_path: Path) -> None:
    lay(tmp_path, "new", age=0, kib=1024)
    lay(tmp_path, "half", age=100, kib=1024, finished=False)
    lay(tmp_path, "old", age=200, kib=1024)
    assert prune(tmp_path, Limits(kept=9, mib=2.5)) == ("old",)
    assert prune(tmp_path, Limits(kept=9, mib=1.5)) == ("half",)


def test_unfinished_builds_go_by_age(tmp_path: Path) -> None:
    lay(tmp_path, "yesterday", age=86400, finished=False)
    lay(tmp_path, "last-month", age=30 * 86400, finished=False)
    lay(tmp_path, "finished-last-month", age=30 * 86400)
    assert prune(tmp_path, PLENTY) == ("last-month",)


def test_what_is_spared_stays(tmp_path: Path) -> None:
    for age in range(4):
        lay(tmp_path, f"b{age}", age=age * 100.0)
    assert prune(tmp_path, Limits(kept=1, mib=0.0), spare={"b3"}) == ("b0", "b1", "b2")


def test_a_build_that_another_process_holds_stays_until_it_ends(tmp_path: Path) -> None:
    root = lay(tmp_path, "used", age=1000)
    script = textwrap.dedent(f"""
        from pathlib import Path
        from bot.build.usage import hold
        hold(Path({str(root)!r}))
        print("held", flush=True)
        input()
    """)
    with subprocess.Popen(
        [sys.executable, "-c", script], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as user:
        assert user.stdout is not None
        assert user.stdout.readline() == "held\n"
        assert prune(tmp_path, Limits(kept=0, mib=0.0)) == ()
        user.kill()
    assert prune(tmp_path, Limits(kept=0, mib=0.0)) == ("used",)


def test_a_build_that_is_being_made_stays(tmp_path: Path) -> None:
    root = lay(tmp_path, "made", age=10**7, finished=False)
    with FileLock(Folder(root).lock):
        assert prune(tmp_path, PLENTY) == ()
    assert prune(tmp_path, PLENTY) == ("made",)


def test_an_interrupted_removal_is_finished_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lay(tmp_path, "gone", age=100)
    with monkeypatch.context() as killed:
        killed.setattr(pruning.shutil, "rmtree", lambda *_args, **_options: None)
        assert prune(tmp_path, Limits(kept=0, mib=0.0)) == ("gone",)
    assert len(left(tmp_path)) == 1
    assert prune(tmp_path, PLENTY) == ()
    assert left(tmp_path) == set()


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert prune(tmp_path / "none", Limits(kept=0, mib=0.0)) == ()
