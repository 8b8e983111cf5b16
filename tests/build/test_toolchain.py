"""Which programs are taken, and what is said when one is missing."""

import stat
from pathlib import Path

import pytest

from bot.build import options, toolchain
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


def test_the_newest_nvcc_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path / "path", "nvcc", "Cuda compilation tools, release 11.5, V11.5.119")
    fake(tmp_path / "home" / "bin", "nvcc", "Cuda compilation tools, release 99.1, V99.1.1")
    monkeypatch.setenv("CUDA_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(
        toolchain, "_nvcc_places", lambda: iter([tmp_path / "path/nvcc", tmp_path / "home/bin/nvcc"])
    )
    nvcc = toolchain.find("cuda").nvcc
    assert nvcc is not None
    assert (nvcc.version, nvcc.path) == ("99.1", str(tmp_path / "home/bin/nvcc"))


def test_paths_in_the_record_do_not_show_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = toolchain.find("cpu")
    monkeypatch.setenv("HOME", str(Path(tools.ccache.path).parent.parent))
    assert tools.tools[4].path == "~/bin/ccache"


FACTS = {"cc": "cc", "cxx": "c++", "ccache": "ccache", "native": "ON", "number": "1", "commit": "abc1234"}


@pytest.mark.parametrize(
    ("known", "name"),
    [
        ({"LLAMA_CUBLAS"}, "LLAMA_CUBLAS"),
        ({"LLAMA_CUBLAS", "LLAMA_CUDA"}, "LLAMA_CUDA"),
        ({"LLAMA_CUBLAS", "LLAMA_CUDA", "GGML_CUDA"}, "GGML_CUDA"),
    ],
)
def test_cuda_is_asked_for_in_the_spelling_of_the_era(known: set[str], name: str) -> None:
    facts = FACTS | {"nvcc": "nvcc", "cuda_arch": "120a"}
    chosen = options.compose(frozenset(known), "cuda", facts)
    assert [key for key in chosen if key.endswith(("_CUDA", "_CUBLAS"))] == [name]
    assert chosen["CMAKE_CUDA_ARCHITECTURES"] == "120a"


def test_a_cpu_build_asks_for_nothing_of_cuda() -> None:
    chosen = options.compose(frozenset({"GGML_CUDA", "GGML_CUDA_NCCL"}), "cpu", FACTS)
    assert not [name for name in chosen if "CUDA" in name]


def test_examples_stay_on_where_the_server_lives_among_them() -> None:
    assert "LLAMA_BUILD_EXAMPLES" not in options.compose(frozenset({"LLAMA_BUILD_EXAMPLES"}), "cpu", FACTS)
    newer = frozenset({"LLAMA_BUILD_EXAMPLES", "LLAMA_BUILD_TOOLS"})
    assert options.compose(newer, "cpu", FACTS)["LLAMA_BUILD_EXAMPLES"] == "OFF"


def test_names_are_found_in_any_cmake_file_of_the_tree(tmp_path: Path) -> None:
    (tmp_path / "tools/ui").mkdir(parents=True)
    (tmp_path / "tools/ui/CMakeLists.txt").write_text("if(DEFINED LLAMA_BUILD_WEBUI)\n")
    (tmp_path / "a.cmake").write_text("option(GGML_NATIVE x ON)\n")
    (tmp_path / "notes.md").write_text("GGML_OTHER_THING\n")
    assert options.known_names(tmp_path) == {"LLAMA_BUILD_WEBUI", "GGML_NATIVE"}
