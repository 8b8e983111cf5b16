"""A build for CUDA on a machine where no GPU answers: never a slow result.

llama.cpp then runs on the CPU, exits with 0 and still names CUDA as its backend. The build is one that this
machine's cache holds; compiling it takes half an hour (docs/building.md), so that nothing here starts that.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from bot import process
from bot.build.layout import SERVER, Folder
from bot.config.settings import default_cache
from bot.errors import Exit
from bot.gpu.nvml import Device
from bot.pipeline import begin
from bot.pipeline import run as running
from bot.pipeline.building import build
from bot.pipeline.context import Context
from bot.records import Run
from bot.report.words import catalog
from tests.support.fake_server import LOG
from tests.support.real import Ended, ask, real_config
from tests.support.scripted import scripted

pytestmark = pytest.mark.real

UNSEEN = Device(
    uuid="GPU-00000000-0000-0000-0000-000000000000",
    name="none",
    driver="580.65.06",
    total_mib=24576.0,
    used_mib=0.0,
    compute_capability="9.0",
)


@pytest.fixture(scope="module")
def cuda_server() -> Path:
    """llama-server of a finished CUDA build of this user's cache."""
    for root in sorted((default_cache() / "builds").glob("*-cuda-*")):
        folder = Folder(root)
        if root.is_dir() and folder.finished():
            return folder.bin / SERVER
    pytest.skip("NOT TESTED: a CUDA build without a GPU (no such build in the cache; see docs/building.md)")


@pytest.fixture
def gpu_that_does_not_answer() -> Iterator[None]:
    """A GPU is chosen, and both sides are built for the CPU: the servers are put in their place."""

    def built(context: Context, run: Run) -> Run:
        return build(replace(context, backend="cpu", device=None), run)

    with patch.object(begin, "find_device", lambda _settings: UNSEEN), patch.object(running, "build", built):
        yield


def in_place(folder: Path, server: Path) -> tuple[str, ...]:
    """Words before a server that start this one instead."""
    script = folder / "in-place"
    script.write_text(f'#!/bin/sh\nshift\nexec {server} "$@"\n')
    script.chmod(0o755)
    return (str(script),)


def asked(folder: Path, model: Path, **sides: tuple[str, ...]) -> Ended:
    return ask(real_config(folder, model), folder / "run", wrapper=sides)


def test_a_build_names_its_backend_without_a_device(cuda_server: Path) -> None:
    listed = process.run([str(cuda_server), "--list-devices"], network="none")
    assert listed.code == 0
    assert "CUDA0" not in listed.stdout


@pytest.mark.usefixtures("gpu_that_does_not_answer")
def test_where_the_base_sees_no_device_the_environment_is_at_fault(
    tmp_path: Path, tiny: Path, cuda_server: Path
) -> None:
    words = in_place(tmp_path, cuda_server)
    ended = asked(tmp_path, tiny, base=words, head=words)
    assert ended.error is not None
    assert (ended.code, ended.error.exit_code) == ("no-device", Exit.ENVIRONMENT)


@pytest.mark.usefixtures("gpu_that_does_not_answer")
def test_where_only_head_offloads_nothing_its_launches_are_invalid(
    tmp_path: Path, tiny: Path, cuda_server: Path
) -> None:
    ended = asked(
        tmp_path,
        tiny,
        base=scripted(tmp_path, "on-gpu", log=LOG, n_ctx=1024, model=tiny.name),
        head=in_place(tmp_path, cuda_server),
    )
    assert ended.run.warmup is not None
    launches = [launch for launch in ended.run.warmup.launches if launch.side == "head"]
    assert {launch.invalid for launch in launches} == {"cpu_fallback"}
    assert {launch.status for launch in launches} == {"ok"}
    assert ended.run.comparisons == ()
    assert ended.run.verdict is not None
    assert (ended.run.verdict.code, ended.reasons()) == ("unknown", ["nothing_measured"])
    for language in ("en", "zh-Hans"):
        words = catalog(language)
        told = words.text(
            "reason-nothing_measured",
            status=words.text("status-cpu_fallback"),
            side=ended.run.pair.head.name,
            named="true",
        )
        assert told in ended.report(language)
    first = next(launch for launch in launches if launch.facts.buffers)
    assert {name.partition(".")[0] for name in first.facts.buffers} <= {"CPU", "CPU_Mapped", "CPU_REPACK"}
