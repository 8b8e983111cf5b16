"""Both sides together: the same tree twice, and a processor that refuses code made for it."""

import signal
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bot.build import machine
from bot.build.builder import BuildRequest
from bot.build.pair import NATIVE_OFF, build_pair
from bot.build.smoke import smoke
from bot.build.toolchain import Toolchain
from bot.records import Tag
from tests.support import cmake_project

BASE = Tag(name="b1", sha="a" * 40, number=1)
HEAD = Tag(name="b2", sha="b" * 40, number=2)


def request_for(cache: Path, tag: Tag, **tree: Any) -> BuildRequest:
    def export(sha: str, folder: Path) -> None:
        cmake_project.lay(folder, **tree)

    return BuildRequest(side="base", tag=tag, backend="cpu", cache=cache, export=export, jobs=1)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF")
    return path


def test_a_server_that_lives_passes(tmp_path: Path, tools: Toolchain, model: Path) -> None:
    steps: list[tuple[str, int, int]] = []
    base, head = build_pair(
        request_for(tmp_path, BASE),
        request_for(tmp_path, HEAD),
        model,
        progress=lambda *step: steps.append(step),
        toolchain=tools,
    )
    assert (base.record.status, head.record.status) == ("ok", "ok")
    assert (base.record.native, base.notes, head.notes) == (True, (), ())
    assert [step[0] for step in steps] == ["base"] * 14
    assert base.folder is not None
    assert smoke(base.folder, model) is None


def test_a_refused_instruction_on_one_side_rebuilds_both_without_native(
    tmp_path: Path, tools: Toolchain, model: Path
) -> None:
    requests = (
        request_for(tmp_path, BASE),
        request_for(tmp_path, HEAD, on_post=cmake_project.SIGILL_WHEN_NATIVE),
    )
    for built in build_pair(*requests, model, toolchain=tools):
        assert (built.record.status, built.record.native) == ("ok", False)
        assert built.record.options["GGML_NATIVE"] == "OFF"
        assert built.notes == (NATIVE_OFF,)
    assert machine.native_works(tmp_path, tools) is False
    again = build_pair(*requests, model, toolchain=tools)
    assert [(built.record.cached, built.record.native) for built in again] == [(True, False)] * 2
    assert again[0].notes == (NATIVE_OFF,)


def test_the_signal_of_the_smoke_start_is_told(tmp_path: Path, tools: Toolchain, model: Path) -> None:
    request = request_for(tmp_path, HEAD, on_post="raise(SIGABRT);")
    built = build_pair(request, request_for(tmp_path, BASE), model, toolchain=tools)[0]
    assert built.record.status == "ok"  # a crash of the code is for the measured launches to report
    assert built.folder is not None
    assert smoke(built.folder, model) == signal.SIGABRT


def test_a_server_that_is_refused_even_without_native_is_a_failed_build(
    tmp_path: Path, tools: Toolchain, model: Path
) -> None:
    requests = (request_for(tmp_path, BASE), request_for(tmp_path, HEAD, on_post="raise(SIGILL);"))
    base, head = build_pair(*requests, model, toolchain=tools)
    assert base.record.status == "ok"
    assert head.folder is None
    assert head.record.failure is not None
    assert (head.record.failure.stage, head.record.failure.cause) == ("smoke", "illegal-instruction")


def test_one_commit_against_itself_lies_in_two_folders_and_compiles_once(
    tmp_path: Path, tools: Toolchain
) -> None:
    base, head = build_pair(
        request_for(tmp_path, BASE, parts=6), request_for(tmp_path, BASE, parts=6), None, toolchain=tools
    )
    assert head.record.key == base.record.key + "-aa"
    assert base.folder != head.folder
    stats = subprocess.run(
        [tools.ccache.path, "--print-stats"],
        env={"CCACHE_DIR": str(tmp_path / "ccache")},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    counts = dict(line.split("\t") for line in stats.splitlines())
    hits = int(counts["direct_cache_hit"]) + int(counts["preprocessed_cache_hit"])
    # 6 parts and the source that both programs share miss once; its second use and all of head hit.
    assert (hits, int(counts["cache_miss"])) == (1 + 8, 7)


def test_the_base_failing_does_not_keep_the_head_from_being_built(tmp_path: Path, tools: Toolchain) -> None:
    base, head = build_pair(
        request_for(tmp_path, BASE, files={"part0.c": "broken"}),
        request_for(tmp_path, HEAD),
        None,
        toolchain=tools,
    )
    assert (base.record.status, head.record.status) == ("failed", "ok")


def test_amx_that_is_advertised_and_refused_turns_native_off_before_any_build(
    tmp_path: Path, tools: Toolchain
) -> None:
    dying = tmp_path / "probe.c"
    dying.write_text("#include <signal.h>\nint main(void) { return raise(SIGILL); }\n")
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t\t: avx2 amx_tile amx_int8\n")
    assert machine.native_works(tmp_path / "one", tools, cpuinfo=cpuinfo, source=dying) is False
    cpuinfo.write_text("flags\t\t: avx2\n")
    assert machine.native_works(tmp_path / "one", tools, cpuinfo=cpuinfo, source=dying) is False  # remembered
    assert machine.native_works(tmp_path / "two", tools, cpuinfo=cpuinfo, source=dying) is True


def test_what_is_remembered_of_another_cpu_does_not_count(tmp_path: Path, tools: Toolchain) -> None:
    (tmp_path / "machine.json").write_text('{"cpu": "0", "native": false}')
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t\t: avx2\n")
    assert machine.native_works(tmp_path, tools, cpuinfo=cpuinfo) is True


def test_the_shipped_probe_compiles_and_ends(tools: Toolchain) -> None:
    assert machine.probe(tools) in (True, False)
