"""Finds the programs that a build needs and their versions; what is missing is named with its remedy."""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from bot import process
from bot.build import cuda_toolkit, pip_toolkit
from bot.build.programs import numbers, tool
from bot.errors import environment
from bot.records import Backend, Reason, Tool

#: llama.cpp asks for 3.14; 3.18 is the first that knows CMAKE_CUDA_ARCHITECTURES.
_CMAKE_LEAST = (3, 18)
#: 4.0 brought the cache format and the settings that the builder uses.
_CCACHE_LEAST = (4,)


@dataclass(frozen=True)
class Target:
    """The GPUs to build for: architectures as CMake takes them ("86", "120a"), and the driver's version.

    `folder` is where a toolkit made of Python packages is laid out.
    """

    architectures: tuple[str, ...]
    driver: str | None
    folder: Path


@dataclass(frozen=True)
class Cuda:
    """The CUDA part of a toolchain. `host` is nvcc's host compiler, `has_driver` whether libcuda.so links.

    `cublas` and `runtime` are versions, for the record; `reasons` say why this toolkit and no other.
    """

    nvcc: Tool
    host: Tool
    cublas: Tool
    has_driver: bool
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True)
class Toolchain:
    """The programs of one build, each with its full path. `cuda` is None for cpu builds."""

    cc: Tool
    cxx: Tool
    cmake: Tool
    ninja: Tool
    ccache: Tool
    cuda: Cuda | None = None

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
        """What decides the binaries; ccache and ninja only bring them about.

        And where the CUDA libraries lie: the binaries look for them there and nowhere else.
        """
        versions = [f"{tool.name}={tool.version}" for tool in self._all if tool.name not in _HELPERS]
        return " ".join([*versions, self.cuda.cublas.path] if self.cuda else versions)

    @property
    def programs(self) -> tuple[Tool, ...]:
        """All that take part, as they lie on this machine."""
        return self._all

    @property
    def _all(self) -> tuple[Tool, ...]:
        always = (self.cc, self.cxx, self.cmake, self.ninja, self.ccache)
        return (*always, self.cuda.nvcc, self.cuda.host, self.cuda.cublas) if self.cuda else always


_HELPERS = frozenset({"ccache", "ninja"})


def find(backend: Backend, target: Target | None = None) -> Toolchain:
    """The tools for `backend`; for cuda those that fit `target`.

    Raises BotError (exit 4) for the first one that is missing.
    """
    found = search(backend)
    return Toolchain(
        cc=_required("cc", found["cc"]),
        cxx=_required("c++", found["c++"]),
        cmake=_required("cmake", found["cmake"]),
        ninja=_required("ninja", found["ninja"]),
        ccache=_required("ccache", found["ccache"]),
        cuda=_cuda(_required("c++", found["c++"]), target) if backend == "cuda" and target else None,
    )


def search(
    backend: Backend, architectures: tuple[str, ...] = (), driver: str | None = None
) -> dict[str, Tool | None]:
    """Each tool that `backend` needs, None where there is none that runs and is new enough.

    Of several nvcc the one that fits these architectures and this driver; `cublas` is that toolkit's own.
    """
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
    with ThreadPoolExecutor(len(places)) as pool:
        found = dict(zip(places, pool.map(_first, places, places.values()), strict=True))
    if backend == "cuda":
        known, host = cuda_toolkit.toolkits(), found["c++"]
        chosen = cuda_toolkit.choose(known, _hosts(host), architectures, driver) if known and host else None
        found["nvcc"] = chosen.toolkit.nvcc if chosen else None
        found["cublas"] = chosen.toolkit.cublas_tool if chosen else None
    return found


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
}
_NUMBERED = ("g++-[0-9]*", "clang++-[0-9]*")
_LEAST: dict[str, tuple[int, ...]] = {"cmake": _CMAKE_LEAST, "ccache": _CCACHE_LEAST}


def _first(name: str, places: Iterable[Path]) -> Tool | None:
    """The first place whose program runs and is new enough."""
    tools = (found for path in places if (found := tool(name, path)) is not None)
    return next((found for found in tools if numbers(found.version) >= _LEAST.get(name, ())), None)


def _cuda(default: Tool, target: Target) -> Cuda:
    known = cuda_toolkit.toolkits()
    if not known:
        raise environment("tool-missing-nvcc", name="nvcc")
    chosen = cuda_toolkit.choose(known, _hosts(default), target.architectures, target.driver)
    try:
        root = chosen.toolkit.root(target.folder)
    except OSError as error:
        raise environment("cannot-write", path=str(target.folder), why=error.strerror or "?") from error
    return Cuda(
        nvcc=chosen.toolkit.nvcc.model_copy(update={"path": str(root / "bin" / "nvcc")}),
        host=chosen.host.model_copy(update={"name": "nvcc-host"}),
        cublas=Tool(name="cublas", version=chosen.toolkit.cublas or "none", path=str(root / "lib64")),
        has_driver=pip_toolkit.has_driver(root),
        reasons=chosen.reasons,
    )


def _hosts(default: Tool | None) -> list[Tool]:
    """What nvcc may call: the default compiler, then those with a version in their name, newest first."""
    if default is None:
        return []
    folders = [Path(folder) for folder in os.environ.get("PATH", os.defpath).split(":") if folder]
    named = [path for folder in folders for pattern in _NUMBERED for path in folder.glob(pattern)]
    found = [item for path in dict.fromkeys(named) if (item := tool("c++", path)) is not None]
    return [default, *sorted(found, key=lambda item: numbers(item.version), reverse=True)]


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


def _without_home(path: str) -> str:
    home = str(Path.home())
    return path.replace(home, "~", 1) if path.startswith(home + "/") else path
