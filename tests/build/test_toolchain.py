"""Which programs are taken, and what is said when one is missing."""

import stat
from pathlib import Path

import pytest

from bot.build import options, toolchain
from bot.build.options import Known
from bot.errors import BotError, Exit


def fake(folder: Path, name: str, says: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / name
    program.write_text(f"#!/bin/sh\necho '{says}'\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def test_this_machine_has_what_a_cpu_build_needs() -> None:
    tools = toolchain.find("cpu")
    assert [tool.name for tool in tools.tools] == ["cc", "c++", "cmake", "ninja", "ccache"]
    assert all(tool.version[0].isdigit() for tool in tools.tools)
    assert "ccache" not in tools.identity


def test_a_missing_compiler_is_named_with_its_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BotError) as caught:
        toolchain.find("cpu")
    assert (caught.value.code, caught.value.exit_code) == ("tool-missing-compiler", Exit.ENVIRONMENT)


def test_cmake_from_its_package_serves_where_the_system_has_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("cc", "c++"):
        fake(tmp_path, name, f"{name} (GCC) 12.2.0")
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin")
    monkeypatch.setattr(
        toolchain, "_on_path", lambda *names: [p for n in names if (p := tmp_path / n).is_file()]
    )
    tools = toolchain.find("cpu")
    assert "site-packages" in tools.cmake.path
    assert Path(tools.ninja.path).is_file()


def test_paths_in_the_record_do_not_show_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = toolchain.find("cpu")
    monkeypatch.setenv("HOME", str(Path(tools.ccache.path).parent.parent))
    assert tools.tools[4].path == "~/bin/ccache"


FACTS = {"cc": "cc", "cxx": "c++", "ccache": "ccache", "native": "ON", "number": "1", "commit": "abc1234"}
CUDA_FACTS = FACTS | {
    "nvcc": "nvcc",
    "host": "g++-13",
    "no_vmm": "OFF",
    "cuda_lib": "/opt/cuda/lib64",
    "cuda_arch": "90",
    "kv": "",
}


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ({"LLAMA_CUBLAS"}, "LLAMA_CUBLAS"),
        ({"LLAMA_CUBLAS", "LLAMA_CUDA"}, "LLAMA_CUDA"),
        ({"LLAMA_CUBLAS", "LLAMA_CUDA", "GGML_CUDA"}, "GGML_CUDA"),
    ],
)
def test_cuda_is_asked_for_in_the_spelling_of_the_era(known: set[str], name: str) -> None:
    facts = CUDA_FACTS | {"cuda_arch": "120a"}
    chosen = options.compose(Known(frozenset(known)), "cuda", facts)
    assert [key for key in chosen if key.endswith(("_CUDA", "_CUBLAS"))] == [name]
    assert chosen["CMAKE_CUDA_ARCHITECTURES"] == "120a"


def test_a_cpu_build_asks_for_nothing_of_cuda() -> None:
    chosen = options.compose(Known(frozenset({"GGML_CUDA", "GGML_CUDA_NCCL"})), "cpu", FACTS)
    assert not [name for name in chosen if "CUDA" in name]


def test_examples_stay_on_where_the_server_lives_among_them() -> None:
    older = Known(frozenset({"LLAMA_BUILD_EXAMPLES"}))
    assert "LLAMA_BUILD_EXAMPLES" not in options.compose(older, "cpu", FACTS)
    newer = Known(older.names | {"LLAMA_BUILD_TOOLS"})
    assert options.compose(newer, "cpu", FACTS)["LLAMA_BUILD_EXAMPLES"] == "OFF"


def test_names_are_found_in_any_cmake_file_of_the_tree(tmp_path: Path) -> None:
    (tmp_path / "tools/ui").mkdir(parents=True)
    (tmp_path / "tools/ui/CMakeLists.txt").write_text("if(DEFINED LLAMA_BUILD_WEBUI)\n")
    (tmp_path / "a.cmake").write_text("option(GGML_NATIVE x ON)\n")
    (tmp_path / "notes.md").write_text("GGML_OTHER_THING\n")
    assert options.known(tmp_path).names == {"LLAMA_BUILD_WEBUI", "GGML_NATIVE"}


@pytest.mark.parametrize(
    ("flags", "pair"),
    [
        ("-fa on", ""),
        ("-ctk q8_0 -ctv q8_0", ""),
        ("--cache-type-k q8_0 -ctv q4_0", "q8_0-q4_0"),
        ("-ctk q5_1", "q5_1-f16"),
        ("-ctk bf16 -ctv bf16", "bf16-bf16"),
    ],
)
def test_only_pairs_without_a_kernel_of_every_build_are_asked_for(flags: str, pair: str) -> None:
    assert options.kv_kernel(tuple(flags.split())) == pair


@pytest.mark.parametrize(
    ("names", "asked"),
    [
        ({"GGML_CUDA_FA_ALL_QUANTS"}, {"GGML_CUDA_FA_ALL_QUANTS": "ON"}),
        (
            {"GGML_CUDA_FA_ALL_QUANTS", "GGML_CUDA_FA_QUANTS"},
            {"GGML_CUDA_FA_QUANTS": "q4_0-q4_0,q8_0-q8_0,f16-f16,bf16-bf16,q8_0-q4_0"},
        ),
        (set(), {}),
    ],
)
def test_a_kv_kernel_is_asked_for_in_the_way_of_the_tree(names: set[str], asked: dict[str, str]) -> None:
    tree = Known(frozenset(names))
    with_need = options.compose(tree, "cuda", CUDA_FACTS | {"kv": "q8_0-q4_0"})
    assert {name: value for name, value in with_need.items() if "_FA_" in name} == asked
    assert not [name for name in options.compose(tree, "cuda", CUDA_FACTS) if "_FA_" in name]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("set(TARGET server)\nadd_executable(${TARGET} server.cpp)\n", "server"),
        ("set(TARGET llama-server)\n", "llama-server"),
        ("add_executable( llama-server main.cpp)\n", "llama-server"),
        ("set(TARGET llama-server)\nset(TARGET server)\n", "llama-server"),
        ("", "llama-server"),
    ],
)
def test_the_server_is_built_by_the_name_that_the_tree_gives_it(
    tmp_path: Path, text: str, target: str
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(text)
    assert options.programs(options.known(tmp_path)) == {
        "llama-server": target,
        "llama-bench": "llama-bench",
    }


def test_a_program_that_was_asked_for_is_no_part_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("set(TARGET perplexity)\n")
    known = options.known(tmp_path)
    assert options.programs(known, ("llama-perplexity",)) == {"llama-perplexity": "perplexity"}
    assert "llama-perplexity" not in options.programs(known)


def test_rows_for_cuda_do_not_change_builds_for_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    before = options.digest("cpu"), options.digest("cuda")
    rows, programs = options._table()
    fewer = tuple(row for row in rows if row.names[0] != "GGML_CUDA_NCCL")
    monkeypatch.setattr(options, "_table", lambda: (fewer, programs))
    assert (options.digest("cpu"), options.digest("cuda")) == (before[0], options.digest("cuda"))
    assert options.digest("cuda") != before[1]
