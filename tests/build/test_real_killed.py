"""A real tree killed in the middle: what was compiled is kept, and half a build is none."""

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from bot.build.builder import BuildRequest, build, folder_of
from bot.build.toolchain import Toolchain
from bot.config.settings import default_cache
from bot.demo import sources
from bot.upstream.mirror import Mirror

ROOT = Path(__file__).parents[2]
#: A folder of its own; its units come from the compiler cache where the real suite has built this tag before.
STEPS_BEFORE = 60


def request_for(mirror: Mirror) -> BuildRequest:
    tag = mirror.resolve(sources.SDISTS[0].tag)
    return BuildRequest(
        side="head",
        tag=tag,
        backend="cpu",
        cache=default_cache(),
        export=mirror.export,
        native=False,
        twin=True,
    )


@pytest.mark.real
def test_a_real_build_killed_in_the_middle_goes_on_from_there(tmp_path: Path, tools: Toolchain) -> None:
    repository = sources.prepare(default_cache() / "demo")
    mirror = Mirror.open(str(repository), tmp_path / "mirror.git")
    request = request_for(mirror)
    folder = folder_of(request, tools)
    folder.reset()
    opened = f"Mirror.open({str(repository)!r}, Path({str(tmp_path / 'mirror.git')!r}))"
    script = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from bot.build.builder import build
        from bot.upstream.mirror import Mirror
        from tests.build.test_real_killed import request_for
        def step(done, total):
            if done == {STEPS_BEFORE}:
                os.kill(os.getpid(), signal.SIGKILL)
        build(request_for({opened}), progress=step)
    """)
    killed = subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert folder.finished() is None
    totals: list[int] = []
    built = build(request, progress=lambda _, total: totals.append(total), toolchain=tools)
    assert (built.record.status, built.record.cached) == ("ok", False)
    assert built.record.version == f"{request.tag.number} ({request.tag.sha[:7]})"
    assert max(totals) < 300 - STEPS_BEFORE + 10
    assert build(request, toolchain=tools).record.cached
