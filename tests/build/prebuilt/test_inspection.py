"""What finished binaries say: real programs and libraries, compiled for the purpose."""

import subprocess
from pathlib import Path

import pytest

from bot.build.prebuilt.inspection import Inspected, inspect, places
from bot.errors import BotError
from bot.isolation import Box, means

SERVER = """#include <stdio.h>
int lib(void);
int main(void) {
    fprintf(stderr, "ggml_cuda_init: found 1 CUDA devices:\\n");
    fprintf(stderr, "version: 0.6.0-dev (build 11434, commit abc1234)\\n");
    fprintf(stderr, "built with GNU 14.2.0 for Linux x86_64\\n");
    return lib() - 7;
}
"""
CUDART = "int cudaRuntimeGetVersion(int *v) { *v = 12080; return 0; }"
CUBLAS = "int cublasGetProperty(int p, int *v) { *v = p == 0 ? 12 : p == 1 ? 8 : 4; return 0; }"
CUDA = "int cudaRuntimeGetVersion(int *); int cublasGetProperty(int, int *); int cuda(void) { int v; return "
CUDA += "cudaRuntimeGetVersion(&v) + cublasGetProperty(0, &v); }"


def library(path: Path, code: str, *more: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    argv = [
        "cc",
        "-shared",
        "-fPIC",
        "-x",
        "c",
        "-",
        "-o",
        str(path),
        f"-Wl,-soname,{path.name}",
        "-x",
        "none",
        *more,
    ]
    subprocess.run(argv, input=code.encode(), check=True)
    return path


def server(folder: Path, libraries: Path, rpath: str = "$ORIGIN") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    argv = ["cc", "-x", "c", "-", "-o", str(folder / "llama-server"), "-x", "none", str(libraries)]
    subprocess.run([*argv, f"-Wl,-rpath,{rpath}"], input=SERVER.encode(), check=True)
    return folder


def inspected(folder: Path) -> Inspected:
    return inspect(folder, Box(reads=(folder, *places(folder))))


def test_version_compiler_and_libraries(tmp_path: Path) -> None:
    lib = library(tmp_path / "bin" / "libllama.so.0", "int lib(void) { return 7; }")
    found = inspected(server(tmp_path / "bin", lib))
    assert (found.version, found.number, found.commit) == (
        "0.6.0-dev (build 11434, commit abc1234)",
        11434,
        "abc1234",
    )
    assert [(tool.name, tool.version) for tool in found.tools] == [("compiler", "GNU 14.2.0")]
    assert set(found.binaries) == {"llama-server", "libllama.so.0"}
    assert found.places == ()


def test_the_versions_of_cudas_libraries_are_asked_of_themselves(tmp_path: Path) -> None:
    folder = tmp_path / "bin"
    lib = library(folder / "libllama.so.0", "int lib(void) { return 7; }")
    parts = [library(folder / "libcudart.so.12", CUDART), library(folder / "libcublas.so.12", CUBLAS)]
    library(folder / "libggml-cuda.so", CUDA, *map(str, parts), "-Wl,-rpath,$ORIGIN")
    found = inspected(server(folder, lib))
    assert {tool.name: tool.version for tool in found.tools} == {
        "compiler": "GNU 14.2.0",
        "cudart": "12.8",
        "cublas": "12.8.4",
    }


def test_an_installed_build_has_its_libraries_elsewhere(tmp_path: Path) -> None:
    lib = library(tmp_path / "opt" / "lib" / "libllama.so.0", "int lib(void) { return 7; }")
    found = inspected(server(tmp_path / "opt" / "bin", lib, "$ORIGIN/../lib"))
    assert set(found.binaries) == {"llama-server", "../lib/libllama.so.0"}
    assert [place.resolve() for place in found.places] == [tmp_path / "opt" / "lib"]


def test_a_server_that_loads_another_builds_library_is_refused(tmp_path: Path) -> None:
    other = library(tmp_path / "other" / "libllama.so.0", "int lib(void) { return 7; }")
    library(tmp_path / "bin" / "libllama.so.0", "int lib(void) { return 7; }")
    with pytest.raises(BotError) as caught:
        inspected(server(tmp_path / "bin", other, str(tmp_path / "other")))
    assert caught.value.code == "binaries-foreign-library"
    assert caught.value.values["library"] == str(other)


def test_a_library_that_is_missing_is_named(tmp_path: Path) -> None:
    lib = library(tmp_path / "bin" / "libllama.so.0", "int lib(void) { return 7; }")
    folder = server(tmp_path / "bin", lib)
    lib.unlink()
    with pytest.raises(BotError) as caught:
        inspected(folder)
    assert caught.value.code == "binaries-do-not-start"
    assert "libllama.so.0" in str(caught.value.values["why"])


def test_nothing_of_the_folder_is_run_outside_the_box(tmp_path: Path) -> None:
    """Neither the server nor what its CUDA libraries do when they are loaded."""
    if not means().bwrap:
        pytest.skip(f"no sandbox here: {means().refusal or 'bubblewrap is missing'}")
    mark = tmp_path / "mark"
    trace = f'''
#include <stdio.h>
__attribute__((constructor)) static void loaded(void) {{
    FILE *file = fopen("{mark}", "w");
    if (file) fclose(file);
}}
'''
    folder = tmp_path / "bin"
    lib = library(folder / "libllama.so.0", f"{trace}int lib(void) {{ return 7; }}")
    parts = [library(folder / "libcudart.so.12", trace + CUDART), library(folder / "libcublas.so.12", CUBLAS)]
    library(folder / "libggml-cuda.so", CUDA, *map(str, parts), "-Wl,-rpath,$ORIGIN")
    found = inspected(server(folder, lib))
    assert [tool.name for tool in found.tools] == ["compiler", "cudart", "cublas"]
    assert not mark.exists()


def test_a_library_that_is_a_link_is_found_where_it_lies(tmp_path: Path) -> None:
    real = library(tmp_path / "cellar" / "libllama.so.0", "int lib(void) { return 7; }")
    folder = server(tmp_path / "bin", real, str(tmp_path / "lib"))
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libllama.so.0").symlink_to(real)
    assert set(places(folder)) == {tmp_path / "lib", tmp_path / "cellar"}
    assert set(inspected(folder).binaries) == {"llama-server", "../cellar/libllama.so.0"}
