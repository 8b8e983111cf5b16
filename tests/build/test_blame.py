"""From a failed build to commits, or to the machine."""

import pytest

from bot.build.blame import MOST, judged, touching
from bot.build.diagnosis import diagnose
from bot.records import Build, BuildFailure, Commit, FileChange

NVCC = """\
FAILED: [code=2] ggml/src/ggml-cuda/CMakeFiles/ggml-cuda.dir/argmax.cu.o
nvcc -c ../src/ggml/src/ggml-cuda/argmax.cu
/x/builds/1/src/ggml/src/ggml-cuda/common.cuh(57): error: identifier "warp_sum" is undefined
1 error detected in the compilation of "/x/builds/1/src/ggml/src/ggml-cuda/argmax.cu".
"""
GCC = """\
FAILED: [code=1] src/CMakeFiles/llama.dir/llama-graph.cpp.o
c++ -c ../src/src/llama-graph.cpp
../src/src/llama-graph.cpp:12:5: error: 'build_x' was not declared in this scope
"""
CMAKE = 'CMake Error at ggml/src/CMakeLists.txt:12 (foo):\n  Unknown CMake command "foo".\n'


def failure(log: str, **changes: object) -> BuildFailure:
    return diagnose(log.splitlines()).at("compile").model_copy(update=changes)


def commit(sha: str, *paths: str) -> Commit:
    return Commit(sha=sha * 40, subject=f"touch {sha}", files=tuple(FileChange(path=path) for path in paths))


def build(found: BuildFailure | None) -> Build:
    status = "failed" if found else "ok"
    return Build(side="head", tag="b2", sha="b" * 40, key="k", backend="cpu", status=status, failure=found)


@pytest.mark.parametrize(
    ("log", "path"),
    [
        (NVCC, "ggml/src/ggml-cuda/common.cuh"),
        (GCC, "src/llama-graph.cpp"),
        (CMAKE, "ggml/src/CMakeLists.txt"),
    ],
)
def test_the_commits_that_touched_the_file_of_the_error_are_named(log: str, path: str) -> None:
    commits = (commit("a", path, "README.md"), commit("b", "src/other.cpp"), commit("c", path))
    assert [item.sha[0] for item in touching(failure(log), commits)] == ["c", "a"]


def test_a_file_of_the_same_name_elsewhere_is_another_file() -> None:
    commits = (
        commit("a", "tools/llama-graph.cpp"),
        commit("b", "llama-graph.cpp.in"),
        commit("c", "graph.cpp"),
    )
    assert touching(failure(GCC), commits) == ()


def test_only_errors_of_the_code_are_blamed_on_commits() -> None:
    commits = (commit("a", "src/llama-graph.cpp"),)
    assert touching(failure(GCC, kind="resource"), commits) == ()
    assert touching(failure(GCC, kind="unknown"), commits) == commits


def test_many_commits_in_one_file_point_at_none() -> None:
    commits = tuple(commit(name, "src/llama-graph.cpp") for name in "abcdef"[: MOST + 1])
    assert touching(failure(GCC), commits) == ()
    assert len(touching(failure(GCC), commits[1:])) == MOST


def test_two_builds_that_fail_alike_are_the_environments_doing() -> None:
    base, head = judged(build(failure(GCC)), build(failure(GCC)))
    assert [item.failure.kind for item in (base, head) if item.failure] == ["environment"] * 2


@pytest.mark.parametrize(
    ("base", "head", "kinds"),
    [
        (None, failure(GCC), ["code"]),
        (failure(CMAKE), failure(GCC), ["code", "code"]),
        (failure(GCC, stage="configure"), failure(GCC), ["code", "code"]),
        (failure(GCC, kind="resource"), failure(GCC, kind="resource"), ["resource", "resource"]),
    ],
)
def test_what_does_not_fail_alike_keeps_its_class(
    base: BuildFailure | None, head: BuildFailure, kinds: list[str]
) -> None:
    assert [item.failure.kind for item in judged(build(base), build(head)) if item.failure] == kinds
