"""Compiler, CMake, ninja, ccache, nvcc: whether they are there, and fit together."""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from bot import process
from bot.build import cuda, toolchain
from bot.doctor.finding import Finding, missing, ok, warning
from bot.gpu.nvml import Device
from bot.records import Backend, Tool

if TYPE_CHECKING:
    from bot.doctor.case import Case

#: llama.cpp sets CMAKE_CXX_STANDARD to 17.
_STANDARD = "c++17"
_PROGRAM = (
    "#include <optional>\n#include <string>\nint main() { return std::optional<std::string>{} ? 1 : 0; }\n"
)


@dataclass(frozen=True)
class Tools:
    """The programs of a build by name, None for one that is missing or too old.

    `compile_error` is the compiler's first word on a small program in C++17, "" where it takes it.
    """

    found: dict[str, Tool | None]
    compile_error: str = ""


def look(backend: Backend, gpu: Device | None = None) -> Tools:
    """Look for every tool that a build for `backend` and this GPU needs."""
    architectures = (gpu.cuda_arch,) if gpu and gpu.cuda_arch else ()
    found = toolchain.search(backend, architectures, gpu.driver if gpu else None)
    compiler = found["c++"]
    return Tools(found, _compile_error(compiler) if compiler else "")


def tool_checks(case: "Case") -> Iterator[Finding]:
    """One finding per tool; none where neither side is compiled here."""
    sources = case.settings.sources
    if all(source.kind != "build" for source in (sources.base, sources.head)):
        return
    if isinstance(case.tools, Exception):
        raise case.tools
    yield judge_compiler(case.tools)
    for name in ("cmake", "ninja", "ccache"):
        yield judge_package(name, case.tools.found.get(name))
    if case.backend == "cuda":
        yield judge_nvcc(case.tools, case.gpu)


def judge_compiler(tools: Tools) -> Finding:
    """C and C++ compilers that make a C++17 program."""
    cc, cxx = tools.found.get("cc"), tools.found.get("c++")
    if cc is None or cxx is None:
        return missing("compiler", "missing")
    args = {"version": cxx.version, "path": _short(cxx.path), "standard": "C++17"}
    if tools.compile_error:
        return missing("compiler", "broken", **args, why=tools.compile_error)
    return ok("compiler", **args)


def judge_package(name: str, tool: Tool | None) -> Finding:
    """CMake, ninja, ccache: all three can come as Python packages."""
    if tool is None:
        return replace(missing("tool", "missing", name=name), check=name)
    return _found_tool(tool)


def judge_nvcc(tools: Tools, gpu: Device | None) -> Finding:
    """A CUDA compiler that knows this GPU's architecture, this driver and this host compiler."""
    nvcc, host = tools.found.get("nvcc"), tools.found.get("c++")
    if nvcc is None:
        return missing("nvcc", "missing")
    args = {"version": nvcc.version, "path": _short(nvcc.path)}
    capability = gpu.compute_capability if gpu else None
    if problem := cuda.toolkit_problem(nvcc.version, capability):
        return missing("nvcc", problem.case, **args, capability=capability or "none", needed=problem.needed)
    if gpu and (needed := cuda.driver_needed(nvcc.version, gpu.driver)):
        return missing("nvcc", "driver", **args, driver=gpu.driver, needed=needed)
    if host and _is_gcc(host) and (most := cuda.newest_gcc(nvcc.version, host.version)):
        return warning("nvcc", "gcc", **args, gcc=host.version, most=most)
    if "cublas" in tools.found and tools.found["cublas"] is None:
        return missing("nvcc", "cublas", **args)
    return _found_tool(nvcc)


def _found_tool(tool: Tool) -> Finding:
    return replace(ok("tool", version=tool.version, path=_short(tool.path)), check=tool.name)


def _compile_error(compiler: Tool) -> str:
    """Compiled and linked, because headers and libraries come in packages of their own."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "standard.cpp"
        source.write_text(_PROGRAM)
        argv = [compiler.path, f"-std={_STANDARD}", str(source), "-o", str(source.with_suffix(""))]
        finished = process.run(argv, timeout_s=30)
    if finished.code == 0:
        return ""
    told = [line for line in finished.output.splitlines() if "error" in line]
    return (told or finished.output.splitlines() or [f"exit {finished.code}"])[0].replace(f"{folder}/", "")


def _is_gcc(tool: Tool) -> bool:
    name = Path(tool.path).resolve().name
    return "g++" in name or "gcc" in name


def _short(path: str) -> str:
    home = str(Path.home())
    return path.replace(home, "~", 1) if path.startswith(home + "/") else path
