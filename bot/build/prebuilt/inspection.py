"""What a folder of finished binaries says of itself: commit, compiler, CUDA runtime, libraries."""

import json
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

from bot import process
from bot.build.diagnosis import diagnose
from bot.build.identity import foreign_libraries, loaded_libraries, version
from bot.build.layout import SERVER, sha256_of
from bot.errors import BotError, environment, usage
from bot.isolation import Box
from bot.records import Tool

_PROBE = Path(__file__).with_name("runtime_probe.py")
_COMPILER = re.compile(r"^built with (.+?)(?: for \S+.*)?$", re.MULTILINE)
_NUMBER = re.compile(r"^(\d+) \(|\(build (\d+),")
#: Libraries of llama.cpp itself, which an installed build has in a folder of its own.
_OWN = re.compile(r"lib(?:llama|ggml|mtmd)\b")
_PART = re.compile(r"llama|lib.+\.so")
_NO_PROGRAM = frozenset({"program-missing", "program-unusable"})
_CUDA = ("libcudart.so", "libcublas.so")


@dataclass(frozen=True)
class Inspected:
    """`number` and `commit` are None where the server was built without knowing them.

    `binaries`: SHA-256 by path relative to the folder, of the programs and libraries in it and of llama.cpp's
    libraries elsewhere. `places`: where those and other libraries that are not the system's lie.
    """

    version: str
    number: int | None
    commit: str | None
    tools: tuple[Tool, ...]
    binaries: dict[str, str]
    places: tuple[Path, ...]


def inspect(folder: Path, box: Box) -> Inspected:
    """Start the server in `folder` for its `--version`, and see which libraries it loads.

    `box` is what they may see meanwhile. Raises BotError: exit 2 where there is no server, exit 4 for one
    that does not start here, does not say what it is, or loads the library of another build.
    """
    server = folder / SERVER
    if not (server.is_file() and os.access(server, os.X_OK)):
        raise usage("binaries-no-server", path=str(folder))
    try:
        said = process.run([str(server), "--version"], timeout_s=60, network="none", box=box).output
    except BotError as error:  # made for another kind of processor, or no program at all
        if error.code not in _NO_PROGRAM:
            raise
        said = str(error.values.get("why", ""))
    found = version(said)
    if found is None:
        raise environment("binaries-do-not-start", path=str(server), why=_why(said))
    loaded = _loaded(folder, box)
    if foreign := foreign_libraries(loaded, folder):
        raise environment("binaries-foreign-library", path=str(folder), library=foreign[0])
    number = _NUMBER.search(found[0])
    return Inspected(
        version=found[0],
        number=int(number[1] or number[2]) if number else None,
        commit=found[1] if len(found[1]) >= 7 else None,
        tools=(*_compiler(said), *_runtime(loaded, box)),
        binaries=_beside(folder) | _elsewhere(loaded, folder),
        places=_places(loaded, folder),
    )


def places(folder: Path) -> tuple[Path, ...]:
    """Where a server's libraries lie, outside its folder and the system's.

    Looked up outside of any box, because they may lie anywhere: no code of the folder is run for it.
    """
    return _places(_loaded(folder, None), folder)


def _why(said: str) -> str:
    """The line that tells, else the last one."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    excerpt = diagnose(lines).excerpt.splitlines()
    return next(iter(excerpt or lines[-1:]), "-")[:200]


def _loaded(folder: Path, box: Box | None) -> dict[str, str]:
    """The libraries of the server and of the CUDA backend, which newer servers load only when they run.

    glibc's ldd(1) starts the system's own loader, and that runs nothing of what it maps.
    """
    programs = [folder / SERVER, *sorted(folder.glob("libggml-cuda.so"))]
    found: dict[str, str] = {}
    for program in programs:
        said = process.run(["ldd", str(program)], timeout_s=60, network="none", box=box).output
        found |= loaded_libraries(said)
    return found


def _compiler(said: str) -> tuple[Tool, ...]:
    found = _COMPILER.search(said)
    return (Tool(name="compiler", version=found[1], path=""),) if found else ()


def _runtime(loaded: dict[str, str], box: Box) -> tuple[Tool, ...]:
    """CUDA's libraries; one that was linked in statically tells nothing."""
    paths = [path for name, path in loaded.items() if name.startswith(_CUDA)]
    if not paths:
        return ()
    folders = ":".join(dict.fromkeys(str(Path(path).parent) for path in paths))
    env = process.clean_environment({"LD_LIBRARY_PATH": folders})
    argv = [sys.executable, "-I", str(_PROBE), *paths]
    said = process.run(argv, env=env, timeout_s=60, network="none", box=box).stdout
    try:
        versions = dict(json.loads(said))
    except ValueError:
        return ()
    return tuple(Tool(name=name, version=str(found), path="") for name, found in versions.items())


def _beside(folder: Path) -> dict[str, str]:
    """Hashes of the programs and libraries of a folder that may hold anything else too."""
    files = [path for path in sorted(folder.iterdir()) if _PART.match(path.name)]
    return {path.name: sha256_of(path) for path in files if path.is_file() and not path.is_symlink()}


def _elsewhere(loaded: dict[str, str], folder: Path) -> dict[str, str]:
    """Hashes of llama.cpp's own libraries outside the folder, by the path that leads there from it."""
    here = folder.resolve()
    own = (Path(path).resolve() for name, path in loaded.items() if _OWN.match(name))
    return {os.path.relpath(path, here): sha256_of(path) for path in own if not path.is_relative_to(here)}


def _places(loaded: dict[str, str], folder: Path) -> tuple[Path, ...]:
    """Folders of libraries that lie neither in the folder nor where the system keeps its own."""
    system = ("/lib", "/usr/lib", "/lib64", "/usr/lib64")
    parents = (it.parent for path in loaded.values() for it in (Path(path), Path(path).resolve()))
    outside = (path for path in parents if path.resolve() != folder.resolve() and ".." not in path.parts)
    return tuple(dict.fromkeys(path for path in outside if not str(path).startswith(system)))
