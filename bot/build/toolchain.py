"""Finds the programs that a build needs and their versions; what is missing is named with its remedy."""

import hashlib
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bot import process
from bot.errors import BotError, environment
from bot.records import Backend, Tool

_VERSION = re.compile(r"(\d+(?:\.\d+)+)")
#: llama.cpp asks for 3.14; 3.18 is the first that knows CMAKE_CUDA_ARCHITECTURES.
_CMAKE_LEAST = (3, 18)
#: 4.0 brought the cache format and the settings that the builder uses.
_CCACHE_LEAST = (4,)


@dataclass(frozen=True)
class Toolchain:
    """The programs of one build, each with its full path. `nvcc` is None for cpu builds."""

    cc: Tool
    cxx: Tool
    cmake: Tool
    ninja: Tool
    ccache: Tool
    nvcc: Tool | None = None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """For the record: the home folder is written as `~`."""
        return tuple(tool.model_copy(update={"path": _without_home(tool.path)}) for tool in self._all)

    @property
    def short_names(self) -> dict[str, str]:
        """Full path -> plain name, for commands that are to be read or repeated elsewhere."""
        return {tool.path: Path(tool.path).name for tool in self._all}

    @property
    def identity(self) -> str:
        """What decides the binaries; ccache and ninja only bring them about."""
        return " ".join(f"{tool.name}={tool.version}" for tool in self._all if tool.name not in _HELPERS)

    @property
    def _all(self) -> tuple[Tool, ...]:
        always = (self.cc, self.cxx, self.cmake, self.ninja, self.ccache)
        return (*always, self.nvcc) if self.nvcc else always


_HELPERS = frozenset({"ccache", "ninja"})


def find(backend: Backend) -> Toolchain:
    """The tools for `backend`. Raises BotError (exit 4) for the first one that is missing."""
    found = search(backend)
    return Toolchain(
        cc=_required("cc", found["cc"]),
        cxx=_required("c++", found["c++"]),
        cmake=_required("cmake", found["cmake"]),
        ninja=_required("ninja", found["ninja"]),
        ccache=_required("ccache", found["ccache"]),
        nvcc=_required("nvcc", found["nvcc"]) if backend == "cuda" else None,
    )


def search(backend: Backend) -> dict[str, Tool | None]:
    """Each tool that `backend` needs, None where there is none that runs and is new enough."""
    places = {
        "cc": _on_path("cc", "gcc", "clang"),
        "c++": _on_path("c++", "g++", "clang++"),
        # The packaged one first: versions order the compiler's flags differently (seen: -std), so that an
        # update of the system's turns every hit of ccache into a miss.
        "cmake": [*_packaged_cmake(), *_on_path("cmake")],
        "ninja": [*_on_path("ninja"), *_beside_python("ninja")],
        # The packaged one first: one version alone should write this program's own cache.
        "ccache": [*_beside_python("ccache"), *_on_path("ccache")],
    }
    if backend == "cuda":
        places["nvcc"] = list(_nvcc_places())
    with ThreadPoolExecutor(len(places)) as pool:
        return dict(zip(places, pool.map(_first, places, places.values()), strict=True))


def native_identity(toolchain: Toolchain) -> str:
    """A short hash of what `-march=native` means here: another CPU must not take these binaries."""
    argv = [toolchain.cc.path, "-march=native", "-dM", "-E", "-x", "c", "/dev/null"]
    return hashlib.sha256(process.run(argv, timeout_s=30).output.encode()).hexdigest()[:8]


def _required(name: str, tool: Tool | None) -> Tool:
    if tool is None:
        raise environment(f"tool-missing-{_REMEDY[name]}", name=name)
    return tool


_REMEDY = {
    "cc": "compiler",
    "c++": "compiler",
    "cmake": "package",
    "ninja": "package",
    "ccache": "package",
    "nvcc": "nvcc",
}
_LEAST: dict[str, tuple[int, ...]] = {"cmake": _CMAKE_LEAST, "ccache": _CCACHE_LEAST}


def _first(name: str, places: Iterable[Path]) -> Tool | None:
    """The first place whose program runs and is new enough; of several nvcc, the newest."""
    tools = (tool for path in places if (tool := _tool(name, path)) is not None)
    fitting = (tool for tool in tools if _numbers(tool) >= _LEAST.get(name, ()))
    return max(fitting, key=_numbers, default=None) if name == "nvcc" else next(fitting, None)


def _tool(name: str, path: Path) -> Tool | None:
    try:
        finished = process.run([str(path), "--version"], timeout_s=30)
    except BotError:
        return None
    version = _VERSION.search(finished.output)
    if finished.code != 0 or version is None:
        return None
    return Tool(name=name, version=version[1], path=str(path))


def _numbers(tool: Tool) -> tuple[int, ...]:
    return tuple(int(part) for part in tool.version.split("."))


def _on_path(*names: str) -> list[Path]:
    return [Path(found) for name in names if (found := shutil.which(name))]


def _beside_python(name: str) -> list[Path]:
    """A program that came as a Python package: its script lies beside the interpreter."""
    path = Path(sys.executable).parent / name
    return [path] if path.is_file() else []


def _packaged_cmake() -> list[Path]:
    """CMake's own binary inside its Python package: starts 50 ms faster than the script."""
    try:
        import cmake  # noqa: PLC0415 - may be absent
    except ImportError:
        return _beside_python("cmake")
    return [Path(cmake.CMAKE_BIN_DIR) / "cmake"]


def _nvcc_places() -> Iterator[Path]:
    roots = [Path(root) for name in ("CUDA_HOME", "CUDA_PATH") if (root := os.environ.get(name))]
    roots += sorted(Path("/usr/local").glob("cuda*"))
    candidates = [*_on_path("nvcc"), *(root / "bin" / "nvcc" for root in roots)]
    return (path for path in dict.fromkeys(candidates) if path.is_file())


def _without_home(path: str) -> str:
    home = str(Path.home())
    return path.replace(home, "~", 1) if path.startswith(home + "/") else path
