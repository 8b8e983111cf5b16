"""Builds killed at any moment: the next start builds on, and nothing half-built is taken for finished."""

import random
import shutil
import subprocess
import sys
import textwrap
import time
from contextlib import suppress
from pathlib import Path

import pytest

from bot import process
from bot.build.builder import build, folder_of
from bot.build.layout import Folder
from bot.build.toolchain import Toolchain
from tests.build.test_builder import Source, request_for

ROOT = Path(__file__).parents[2]
KILLS = 20
PARTS = 10


def start(cache: Path) -> "subprocess.Popen[bytes]":
    script = textwrap.dedent(f"""
        from pathlib import Path
        from bot.build.builder import build
        from tests.build.test_builder import Source, request_for
        build(request_for(Path({str(cache)!r}), Source(parts={PARTS})))
    """)
    return subprocess.Popen([sys.executable, "-c", script], cwd=ROOT)


def seconds_of_a_whole_build(cache: Path) -> float:
    started = time.monotonic()
    assert start(cache).wait() == 0
    return time.monotonic() - started


def answers(folder: Folder) -> bool:
    said = process.run([str(folder.bin / "llama-server"), "--version"]).output
    return "version: 77 (0123456)" in said


@pytest.mark.real
def test_a_build_killed_at_random_moments_is_never_taken_for_finished(
    tmp_path: Path, tools: Toolchain
) -> None:
    whole = seconds_of_a_whole_build(tmp_path / "first")
    cache = tmp_path / "cache"
    folder = folder_of(request_for(cache, Source(parts=PARTS)), tools)
    moments = random.Random(20).sample([whole * step / KILLS for step in range(1, KILLS + 1)], KILLS)
    for moment in moments:
        with start(cache) as child:
            with suppress(subprocess.TimeoutExpired):
                child.wait(moment)
            child.kill()
        if folder.finished() is not None:  # it came to its end before the kill: begin again
            assert answers(folder)
            shutil.rmtree(cache)
    built = build(request_for(cache, Source(parts=PARTS)), toolchain=tools)
    assert built.record.status == "ok"
    assert answers(folder)
