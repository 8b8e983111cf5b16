"""nvcc for real, on units of each kind of a recent tag; and what a build says when it cannot work.

The toolkit comes from Python packages; no GPU is needed. The whole tag is compiled by hand: docs/building.md.
"""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from bot.build import options as table
from bot.build.builder import BuildRequest, values_of
from bot.build.cmake import StepError, Steps
from bot.build.layout import Folder
from bot.build.toolchain import Toolchain
from bot.config.settings import default_cache
from bot.records import BuildFailure, Tag, Tool
from tests.support import source_trees
from tests.support.cuda_packages import cuda_home

TAG = Tag(name="b11434", sha=f"{11434:040x}", number=11434)
OBJECTS = "ggml/src/ggml-cuda/CMakeFiles/ggml-cuda.dir"
#: An operator, a matrix product, attention for single tokens and for prompts.
UNITS = (
    "argmax.cu",
    "template-instances/mmf-instance-ncols_1.cu",
    "template-instances/fattn-vec-instance-q8_0-q4_0.cu",
    "template-instances/fattn-tile-instance-dkq64-dv64.cu",
)

pytestmark = pytest.mark.real
Prepare = Callable[..., Steps]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree") / "src"
    source_trees.lay(TAG.number or 0, folder)
    return folder


@pytest.fixture
def prepare(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Prepare:
    """Makes the steps of a build of these units; `host` stands in for nvcc's host compiler."""
    monkeypatch.setenv("CUDA_HOME", str(cuda_home()))

    def make(*units: str, arch: str = "90", host: str = "") -> Steps:
        request = BuildRequest(
            side="head",
            tag=TAG,
            backend="cuda",
            cache=default_cache(),
            export=lambda _sha, _folder: None,
            native=False,
            cuda_arch=arch,
            flags=("-ctk", "q8_0", "-ctv", "q4_0"),
        )
        tools = with_host(request.toolchain(), host, tmp_path)
        folder = Folder(tmp_path / "builds" / "slice")
        shutil.copytree(tree, folder.src, copy_function=os.link)
        steps = Steps(folder, tools, tmp_path, tuple(f"{OBJECTS}/{unit}.o" for unit in units))
        steps.configure(table.compose(table.known(folder.src), "cuda", values_of(request, tools)))
        return steps

    return make


def with_host(tools: Toolchain, script: str, folder: Path) -> Toolchain:
    if not script:
        return tools
    assert tools.cuda is not None
    wrapper = folder / "host-c++"
    wrapper.write_text(f"#!/bin/sh\n{script}\n")
    wrapper.chmod(0o755)
    host = Tool(name="nvcc-host", version=tools.cxx.version, path=str(wrapper))
    return replace(tools, cuda=replace(tools.cuda, host=host))


def failure(prepare: Prepare, **changes: str) -> BuildFailure:
    with pytest.raises(StepError) as caught:
        prepare("argmax.cu", **changes).compile(1, None)
    return caught.value.failure


def test_units_of_each_kind_compile_for_the_gpu_asked_for(prepare: Prepare) -> None:
    steps = prepare(*UNITS)
    steps.compile(1, None)
    assert sum(steps.units().values()) == len(UNITS)
    for unit in UNITS:
        assert b".nv_fatbin" in (steps.folder.bld / OBJECTS / f"{unit}.o").read_bytes(), unit
    plan = (steps.folder.bld / "build.ninja").read_text()
    assert plan.count("arch=compute_90,code=[compute_90,sm_90]") > len(UNITS)


@pytest.mark.parametrize("arch", ["61", "199"])
def test_a_gpu_that_this_toolkit_no_longer_or_not_yet_knows_is_named_while_configuring(
    prepare: Prepare, arch: str
) -> None:
    found = failure(prepare, arch=arch)
    assert (found.stage, found.kind, found.cause) == ("configure", "environment", "cuda-arch-unsupported")
    assert f"compute_{arch}" in found.excerpt


def test_a_host_compiler_that_is_too_new_is_told_by_the_toolkits_own_check(prepare: Prepare) -> None:
    found = failure(prepare, host='exec g++ -U__GNUC__ -D__GNUC__=99 "$@"')
    assert (found.stage, found.kind, found.cause) == ("configure", "environment", "host-compiler-too-new")
    assert "unsupported GNU version" in found.excerpt


#: Only real units are put under the limit: CMake's own tests of the compiler must pass.
LIMITED = 'case "$*" in *ggml-cuda*) {limit} ;; esac; exec g++ "$@"'


@pytest.mark.parametrize(
    "limit",
    [
        pytest.param("ulimit -v 120000", id="address space runs out"),
        pytest.param("ulimit -t 1; while :; do :; done", id="SIGKILL by the kernel"),
        pytest.param("kill -9 $$", id="the wrapper itself dies"),
    ],
)
def test_a_compiler_that_is_killed_or_gets_no_memory_is_a_matter_of_resources(
    prepare: Prepare, limit: str
) -> None:
    found = failure(prepare, host=LIMITED.format(limit=limit))
    assert (found.stage, found.kind, found.cause) == ("compile", "resource", "out-of-memory"), found.tail
