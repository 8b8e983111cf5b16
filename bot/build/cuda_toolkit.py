"""Every CUDA toolkit of this machine, and which of them goes with which host compiler for a GPU.

What a toolkit can do is asked of the toolkit itself (`nvcc --list-gpu-arch`, its `host_config.h`), so that
one of tomorrow is judged as well as one that the table `cuda.toml` knows.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from bot import process
from bot.build import cuda, pip_toolkit
from bot.build.programs import numbers, version_of
from bot.errors import BotError
from bot.records import Reason, Tool

Origin = Literal["environment", "path", "system", "packages"]

_TOP = re.compile(r"^#\$ TOP=(.+)$", re.MULTILINE)
_ARCHITECTURE = re.compile(r"compute_(\d+)")
_LIMITS = {
    "gcc": re.compile(r"^#if __GNUC__ > (\d+)", re.MULTILINE),
    "clang": re.compile(r"^#if \(__clang_major__ >= (\d+)\)", re.MULTILINE),
}
_CUBLAS = re.compile(r"#define CUBLAS_VER_(?:MAJOR|MINOR|PATCH)\s+(\d+)")
_SYSTEM = Path("/usr/local")


@dataclass(frozen=True)
class Toolkit:
    """One toolkit: its nvcc and the folders that make it up (one, but for some of pip's packages)."""

    nvcc: Tool
    parts: tuple[Path, ...]
    origin: Origin

    @cached_property
    def architectures(self) -> frozenset[str]:
        """Compute capabilities that its nvcc names ("86"); empty where it does not tell (before 11.0)."""
        said = process.run([self.nvcc.path, "--list-gpu-arch"], timeout_s=30)
        return frozenset(_ARCHITECTURE.findall(said.stdout)) if said.code == 0 else frozenset()

    @cached_property
    def cublas(self) -> str | None:
        """cuBLAS's version; None where its header or its library is missing."""
        header = self._read("include/cublas_api.h")
        found = _CUBLAS.findall(header)
        return ".".join(found) if found and self._has_library("libcublas.so") else None

    @property
    def cublas_tool(self) -> Tool | None:
        """cuBLAS as the record keeps it."""
        return Tool(name="cublas", version=self.cublas, path=str(self.parts[0])) if self.cublas else None

    def newest_host(self, kind: str) -> int | None:
        """The newest major version of "gcc" or "clang" that its headers accept; None for any."""
        found = _LIMITS[kind].search(self._read("include/crt/host_config.h"))
        return None if found is None else int(found[1]) - (kind == "clang")

    @property
    def is_plain(self) -> bool:
        """Whether it can be used as it lies."""
        return len(self.parts) == 1 and pip_toolkit.is_plain(self.parts[0])

    def root(self, folder: Path) -> Path:
        """The root to build with: its own, or one laid out below `folder`. Raises OSError."""
        return self.parts[0] if self.is_plain else pip_toolkit.lay(self.parts, folder)

    def _read(self, name: str) -> str:
        files = (part / name for part in self.parts)
        return next((file.read_text("utf-8", "replace") for file in files if file.is_file()), "")

    def _has_library(self, name: str) -> bool:
        places = (part / library for part in self.parts for library in ("lib64", "lib"))
        return any(next(place.glob(f"{name}*"), None) for place in places)


@dataclass(frozen=True)
class Choice:
    """The toolkit and host compiler to build with, and a word on each toolkit that was seen."""

    toolkit: Toolkit
    host: Tool
    reasons: tuple[Reason, ...]


def toolkits() -> tuple[Toolkit, ...]:
    """All that there are: named in the environment, on PATH, below /usr/local, and pip's packages."""
    found = dict.fromkeys(_places())
    with ThreadPoolExecutor(8) as pool:
        made = pool.map(_toolkit, found, (origin for _, origin in found))
    by_parts = {toolkit.parts: toolkit for toolkit in reversed([item for item in made if item])}
    return tuple(reversed(by_parts.values()))


def choose(
    known: Sequence[Toolkit], hosts: Sequence[Tool], architectures: Iterable[str], driver: str | None
) -> Choice:
    """The pair that fits: what the environment names before others, then the newest.

    `known` and `hosts` (the default one first) must not be empty. Where none fits, the one with the fewest
    problems: what its compiler says then is the diagnosis.
    """
    wanted = tuple(architectures)
    judged = [(toolkit, *_judge(toolkit, hosts, wanted, driver)) for toolkit in known]
    toolkit, host, _ = min(judged, key=lambda item: (_rank(item[2]), *_preference(item[0])))
    reasons = tuple(
        Reason(
            code="toolkit-picked" if item is toolkit else "toolkit-passed",
            args={
                "version": item.nvcc.version,
                "origin": item.origin,
                "why": problem or "fits",
                "host": f"{host_of.name} {host_of.version}",
            },
        )
        for item, host_of, problem in judged
    )
    return Choice(toolkit, host, reasons)


#: From harmless to fatal.
_PROBLEMS = ("", "host", "driver", "old", "new", "cublas")


def _rank(problem: str) -> int:
    return _PROBLEMS.index(problem)


def _preference(toolkit: Toolkit) -> tuple[bool, tuple[int, ...]]:
    return toolkit.origin != "environment", tuple(-part for part in numbers(toolkit.nvcc.version))


def _judge(
    toolkit: Toolkit, hosts: Sequence[Tool], architectures: tuple[str, ...], driver: str | None
) -> tuple[Tool, str]:
    """The host compiler for this toolkit, and the worst that speaks against the two ("" for nothing)."""
    host = next((item for item in hosts if _accepts(toolkit, item)), None)
    if toolkit.cublas is None:
        problem = "cublas"
    elif wrong := next(filter(None, (_arch_problem(toolkit, item) for item in architectures)), None):
        problem = wrong
    elif driver and cuda.driver_needed(toolkit.nvcc.version, driver):
        problem = "driver"
    else:
        problem = "" if host else "host"
    return host or hosts[0], problem


def _arch_problem(toolkit: Toolkit, architecture: str) -> str | None:
    """ "old": the toolkit does not know this GPU yet; "new": no longer."""
    digits = re.match(r"\d+", architecture)
    if digits is None:  # "native" and the like
        return None
    known = toolkit.architectures
    if known:
        if digits[0] in known:
            return None
        return "new" if int(digits[0]) < min(map(int, known)) else "old"
    found = cuda.toolkit_problem(toolkit.nvcc.version, f"{digits[0][:-1]}.{digits[0][-1]}")
    return found.case if found else None


def _accepts(toolkit: Toolkit, host: Tool) -> bool:
    kind = "clang" if "clang" in Path(host.path).resolve().name else "gcc"
    most = toolkit.newest_host(kind)
    return most is None or numbers(host.version)[0] <= most


def _places() -> Iterator[tuple[tuple[Path, ...], Origin]]:
    for name in ("CUDA_HOME", "CUDA_PATH"):
        if named := os.environ.get(name):
            yield (Path(named).resolve(),), "environment"
    if nvcc := shutil.which("nvcc"):
        yield (_root_of(Path(nvcc)),), "path"
    for root in sorted(_SYSTEM.glob("cuda*")):
        yield (root.resolve(),), "system"
    for site in _sites():
        for parts in pip_toolkit.package_roots(site):
            yield parts, "packages"


def _sites() -> list[Path]:
    """Where this interpreter's packages lie."""
    return [Path(entry) for entry in dict.fromkeys(sys.path) if entry.endswith("-packages")]


def _root_of(nvcc: Path) -> Path:
    """Where an nvcc says that its toolkit lies: what PATH holds may be a link or a script."""
    try:
        said = process.run([str(nvcc), "-v", "--dryrun", "-x", "cu", os.devnull], timeout_s=30).output
    except BotError:
        said = ""
    found = _TOP.search(said)
    return Path(found[1]).resolve() if found else nvcc.resolve().parent.parent


def _toolkit(parts_of: tuple[tuple[Path, ...], Origin], origin: Origin) -> Toolkit | None:
    parts = parts_of[0]
    nvcc = next((path for part in parts if (path := part / "bin" / "nvcc").is_file()), None)
    version = version_of(nvcc) if nvcc else None
    return Toolkit(Tool(name="nvcc", version=version, path=str(nvcc)), parts, origin) if version else None
