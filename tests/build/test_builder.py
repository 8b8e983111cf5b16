"""Real CMake, ninja, ccache and compiler on a tree that builds in a second."""

import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from bot import process
from bot.build.builder import BuildRequest, Built, build, folder_of
from bot.build.toolchain import Toolchain
from bot.errors import BotError
from bot.isolation import means
from bot.records import Tag
from tests.support import cmake_project

SHA = "0123456789abcdef0123456789abcdef01234567"


class Source:
    """Exports the small tree, and counts how often."""

    def __init__(self, **tree: Any) -> None:
        self.tree = tree
        self.exports = 0

    def __call__(self, sha: str, folder: Path) -> None:
        self.exports += 1
        cmake_project.lay(folder, **self.tree)


def request_for(cache: Path, source: Callable[[str, Path], None], **changes: Any) -> BuildRequest:
    tag = Tag(name="b77", sha=SHA, number=77)
    given: dict[str, Any] = {
        "side": "head",
        "tag": tag,
        "backend": "cpu",
        "cache": cache,
        "export": source,
        "jobs": 1,
    }
    return BuildRequest(**(given | changes))


def run_version(built: Built) -> str:
    assert built.folder is not None
    answer = subprocess.run([built.folder / "llama-server", "--version"], capture_output=True, check=True)
    return answer.stderr.decode()


def test_binaries_name_the_commit_and_the_number_asked_for(tmp_path: Path, tools: Toolchain) -> None:
    steps: list[tuple[int, int]] = []
    built = build(request_for(tmp_path, Source()), progress=lambda *step: steps.append(step), toolchain=tools)
    assert built.record.status == "ok"
    assert built.record.version == "77 (0123456)"
    assert "version: 77 (0123456)" in run_version(built)
    assert set(built.record.binaries) == {"llama-server", "llama-bench", "libmini.so"}
    assert steps == [(n, 7) for n in range(1, 8)]


def test_only_options_that_the_tree_knows_are_passed(tmp_path: Path, tools: Toolchain) -> None:
    options = build(request_for(tmp_path, Source(), native=False), toolchain=tools).record.options
    assert options["GGML_NATIVE"] == "OFF"
    assert options["LLAMA_BUILD_TESTS"] == "OFF"
    assert options["LLAMA_BUILD_NUMBER"] == "77"
    assert "LLAMA_CURL" not in options


def test_the_record_holds_no_path_of_this_machine(tmp_path: Path, tools: Toolchain) -> None:
    record = build(request_for(tmp_path, Source()), toolchain=tools).record
    assert record.commands[0][:7] == ("cmake", "-G", "Ninja", "-S", "src", "-B", "bld")
    assert record.options["CMAKE_C_COMPILER_LAUNCHER"] == "ccache"
    assert str(tmp_path) not in record.model_dump_json()
    assert str(Path.home()) + "/" not in record.model_dump_json()


def test_a_finished_build_is_taken_as_it_is(tmp_path: Path, tools: Toolchain) -> None:
    source = Source()
    first = build(request_for(tmp_path, source), toolchain=tools)
    steps: list[tuple[int, int]] = []
    again = build(
        request_for(tmp_path, source, side="base", tag=Tag(name="v9", sha=SHA)),
        progress=lambda *step: steps.append(step),
        toolchain=tools,
    )
    assert (again.record.cached, again.record.side, again.record.tag) == (True, "base", "v9")
    assert again.record.binaries == first.record.binaries
    assert (source.exports, steps) == (1, [])
    assert again.record.seconds < 1


def test_the_record_says_what_each_stage_took_and_how_the_compiler_calls_went(
    tmp_path: Path, tools: Toolchain
) -> None:
    first = build(request_for(tmp_path, Source()), toolchain=tools).record
    assert list(first.stages) == ["source", "configure", "compile", "identity"]
    assert first.seconds >= sum(first.stages.values()) > first.stages["compile"] > 0
    # Two parts, and the source that both programs share: compiled once, taken from the cache once.
    assert first.units == {"hit": 1, "miss": 3, "other": 0}
    again = build(request_for(tmp_path, Source()), toolchain=tools).record
    assert (again.stages, again.units) == (first.stages, first.units)
    assert again.seconds < sum(first.stages.values())
    twin = build(request_for(tmp_path, Source(), twin=True), toolchain=tools).record
    assert twin.units == {"hit": 4, "miss": 0, "other": 0}


def test_whoever_waits_for_another_build_is_told(tmp_path: Path, tools: Toolchain) -> None:
    told: list[str] = []
    building = threading.Event()

    def on_wait() -> None:
        told.append("waiting")
        go_on.set()

    go_on = threading.Event()

    class Slow(Source):
        def __call__(self, sha: str, folder: Path) -> None:
            building.set()
            assert go_on.wait(30)
            super().__call__(sha, folder)

    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(build, request_for(tmp_path, Slow(), on_wait=on_wait), toolchain=tools)
        assert building.wait(30)
        second = build(request_for(tmp_path, Source(), on_wait=on_wait), toolchain=tools)
        assert (first.result().record.cached, second.record.cached) == (False, True)
    assert told == ["waiting"]


def test_a_server_under_its_old_name_gets_the_name_of_today(tmp_path: Path, tools: Toolchain) -> None:
    built = build(request_for(tmp_path, Source(server="server")), toolchain=tools)
    assert built.record.commands[1][-2:] == ("server", "llama-bench")
    assert {"server", "llama-server"} <= set(built.record.binaries)
    assert "version: 77 (0123456)" in run_version(built)


def test_a_tree_that_asks_git_for_its_commit_is_told_it(tmp_path: Path, tools: Toolchain) -> None:
    built = build(request_for(tmp_path, Source(asks_git=True)), toolchain=tools)
    assert built.record.version == "77 (0123456)"
    assert "version: 77 (0123456)" in run_version(built)


def test_a_build_that_tries_the_network_fails_and_says_so(tmp_path: Path, tools: Toolchain) -> None:
    if "network" not in process.run(["true"], network="none").isolation:
        pytest.skip("this kernel refuses network namespaces")
    with socket.create_server(("127.0.0.1", 0)) as door:
        address = f"http://127.0.0.1:{door.getsockname()[1]}/index.html"
        door.settimeout(0)
        source = Source(
            extra_cmake=f"file(DOWNLOAD {address} ${{CMAKE_BINARY_DIR}}/page STATUS got)\n"
            "list(GET got 1 why)\nlist(GET got 0 code)\n"
            'if (code)\nmessage(FATAL_ERROR "error: download of the page failed: ${why}")\nendif()\n'
        )
        failure = build(request_for(tmp_path, source), toolchain=tools).record.failure
        with pytest.raises(BlockingIOError):
            door.accept()
    assert failure is not None
    assert (failure.stage, failure.kind, failure.cause) == ("configure", "network", "network-needed")


def test_a_changed_binary_is_built_again(tmp_path: Path, tools: Toolchain) -> None:
    first = build(request_for(tmp_path, Source()), toolchain=tools)
    assert first.folder is not None
    with (first.folder / "libmini.so").open("ab") as file:
        file.write(b"other")
    again = build(request_for(tmp_path, Source()), toolchain=tools)
    assert again.record.cached is False
    assert again.record.binaries == first.record.binaries


def test_two_at_once_build_one_key_once(tmp_path: Path, tools: Toolchain) -> None:
    source = Source()
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda _: build(request_for(tmp_path, source), toolchain=tools), range(2)))
    assert sorted(built.record.cached for built in both) == [False, True]
    assert source.exports == 1


@pytest.mark.parametrize("damage", ["", "{}", "not json"])
def test_a_broken_marker_is_not_believed(tmp_path: Path, tools: Toolchain, damage: str) -> None:
    first = build(request_for(tmp_path, Source()), toolchain=tools)
    marker = tmp_path / "builds" / first.record.key / "ready.json"
    marker.write_text(damage)
    again = build(request_for(tmp_path, Source()), toolchain=tools)
    assert (again.record.status, again.record.cached) == ("ok", False)


def test_a_build_killed_in_the_middle_goes_on_where_it_was(tmp_path: Path, tools: Toolchain) -> None:
    script = textwrap.dedent(f"""
        import os, signal
        from pathlib import Path
        from bot.build.builder import build
        from tests.build.test_builder import Source, request_for
        def step(done, total):
            if done == 4:
                os.kill(os.getpid(), signal.SIGKILL)
        build(request_for(Path({str(tmp_path)!r}), Source(parts=5)), progress=step)
    """)
    killed = subprocess.run([sys.executable, "-c", script], cwd=Path(__file__).parents[2], check=False)
    assert killed.returncode == -signal.SIGKILL
    source = Source(parts=5)
    folder = folder_of(request_for(tmp_path, source), tools)
    assert folder.finished() is None
    totals: set[int] = set()
    built = build(request_for(tmp_path, source), progress=lambda _, total: totals.add(total), toolchain=tools)
    assert (built.record.status, built.record.cached, source.exports) == ("ok", False, 0)
    assert max(totals) < 10
    assert "version: 77 (0123456)" in run_version(built)


def test_an_interrupted_export_or_configure_starts_over(tmp_path: Path, tools: Toolchain) -> None:
    request = request_for(tmp_path, Source())
    folder = folder_of(request, tools)
    (folder.root / "src.partial").mkdir(parents=True)
    (folder.root / "src.partial" / "CMakeLists.txt").write_text("half")
    folder.bld.mkdir()
    (folder.bld / "CMakeCache.txt").write_text("half")
    assert build(request, toolchain=tools).record.status == "ok"


def test_a_compile_error_is_a_record_with_the_first_error(tmp_path: Path, tools: Toolchain) -> None:
    source = Source(files={"part1.c": "int part1(void) { return missing_thing; }\n"})
    built = build(request_for(tmp_path, source), toolchain=tools)
    failure = built.record.failure
    assert built.folder is None
    assert failure is not None
    assert (failure.stage, failure.kind, failure.cause) == ("compile", "code", "compile-error")
    assert "part1.c:1:26: error: " in failure.excerpt
    assert "missing_thing" in failure.excerpt
    assert failure.tail


def test_a_tree_that_does_not_configure(tmp_path: Path, tools: Toolchain) -> None:
    source = Source(extra_cmake="no_such_command()\n")
    failure = build(request_for(tmp_path, source), toolchain=tools).record.failure
    assert failure is not None
    assert (failure.stage, failure.kind, failure.cause) == ("configure", "code", "cmake-code")
    assert "no_such_command" in failure.excerpt


def test_a_binary_of_another_commit_is_refused(tmp_path: Path, tools: Toolchain) -> None:
    source = Source(extra_cmake="set(LLAMA_BUILD_COMMIT fedcba9)\n")
    failure = build(request_for(tmp_path, source), toolchain=tools).record.failure
    assert failure is not None
    assert (failure.stage, failure.cause) == ("identity", "wrong-commit")
    assert "fedcba9" in failure.excerpt


def test_a_server_that_loads_another_builds_library_is_refused(tmp_path: Path, tools: Toolchain) -> None:
    other = build(request_for(tmp_path / "other", Source()), toolchain=tools)
    assert other.folder is not None
    flags = "-Wl,--disable-new-dtags,-rpath," + str(other.folder)
    source = Source(
        extra_cmake=f"add_link_options({flags})\nset(CMAKE_SKIP_BUILD_RPATH ON)\n",
    )
    failure = build(request_for(tmp_path, source, isolation="none"), toolchain=tools).record.failure
    assert failure is not None
    assert (failure.stage, failure.kind, failure.cause) == ("identity", "environment", "foreign-library")
    assert str(other.folder / "libmini.so") in failure.excerpt


def test_a_shut_in_server_finds_no_other_builds_library(tmp_path: Path, tools: Toolchain) -> None:
    if not means().bwrap:
        pytest.skip(f"no sandbox here: {means().refusal or 'bubblewrap is missing'}")
    other = build(request_for(tmp_path / "other", Source()), toolchain=tools)
    flags = f"-Wl,--disable-new-dtags,-rpath,{other.folder}"
    source = Source(extra_cmake=f"add_link_options({flags})\nset(CMAKE_SKIP_BUILD_RPATH ON)\n")
    failure = build(request_for(tmp_path, source), toolchain=tools).record.failure
    assert failure is not None
    assert (failure.stage, failure.cause) == ("smoke", "shared-library-missing")


def test_memory_running_out_is_tried_again_with_fewer_jobs(tmp_path: Path, tools: Toolchain) -> None:
    launcher = textwrap.dedent("""\
        file(WRITE ${CMAKE_BINARY_DIR}/tight "")
        file(WRITE ${CMAKE_BINARY_DIR}/gate.sh
            "if rm tight; then echo 'cc: fatal error: Killed signal terminated program cc1'; exit 1; fi")
        add_custom_target(gate COMMAND sh gate.sh WORKING_DIRECTORY ${CMAKE_BINARY_DIR})
        cmake_language(DEFER CALL add_dependencies llama-server gate)
    """)
    source = Source(extra_cmake=launcher)
    assert build(request_for(tmp_path, source, jobs=4), toolchain=tools).record.status == "ok"


def test_no_network_inside(tmp_path: Path, tools: Toolchain) -> None:
    if "network" not in process.run(["true"], network="none").isolation:
        pytest.skip("this kernel refuses network namespaces")
    source = Source(
        extra_cmake='file(READ /proc/net/dev seen)\nfile(WRITE ${CMAKE_BINARY_DIR}/net "${seen}")\n'
    )
    built = build(request_for(tmp_path, source), toolchain=tools)
    assert built.folder is not None
    lines = (built.folder.parent / "net").read_text().splitlines()[2:]
    assert [line.split(":")[0].strip() for line in lines] == ["lo"]


def test_what_the_export_raises_reaches_the_caller(tmp_path: Path, tools: Toolchain) -> None:
    def export(sha: str, folder: Path) -> None:
        raise BotError("no-such-tag", 4, tag=sha)  # type: ignore[arg-type]

    with pytest.raises(BotError, match="no-such-tag"):
        build(request_for(tmp_path, export), toolchain=tools)


def test_keys_depend_on_what_decides_the_binaries_alone(tmp_path: Path, tools: Toolchain) -> None:
    def key(**changes: Any) -> str:
        return folder_of(request_for(tmp_path, Source(), **changes), tools).root.name

    other = Tag(name="b78", sha="f" * 40, number=78)
    assert key() == key(tag=Tag(name="main", sha=SHA), side="base", jobs=7)
    keys = {key(), key(tag=other), key(native=False), key(twin=True), key(backend="cuda", cuda_arch="86")}
    assert len(keys) == 5
    assert key().startswith("0123456789ab-cpu-")
    assert key(twin=True) == key() + "-aa"
