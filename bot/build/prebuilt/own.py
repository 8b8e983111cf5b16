"""A user's own binaries as one side of a run: looked at, hashed, and never touched.

The folder `builds/<key>/bld/bin` is a link to theirs, so that all that finds a build by its key finds it too.
"""

import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from bot.build.boxes import name_libraries
from bot.build.builder import Built
from bot.build.layout import SERVER, Folder
from bot.build.prebuilt.inspection import Inspected, inspect, places
from bot.build.usage import hold
from bot.errors import environment
from bot.isolation import Box, Level, demand
from bot.records import Backend, Build, Side, Tag

#: In the key of binaries that are the user's.
KIND = "path"


@dataclass(frozen=True)
class Own:
    """The binaries in `folder`, as they were when they were looked at."""

    folder: Path
    found: Inspected

    @property
    def digest(self) -> str:
        """Of the content of all programs and libraries: other binaries are another build."""
        text = "\n".join(f"{name} {sha256}" for name, sha256 in sorted(self.found.binaries.items()))
        return hashlib.sha256(text.encode()).hexdigest()


def look(path: Path, level: Level = "auto") -> Own:
    """The binaries in a folder, or beside a `llama-server` that is named itself (0.3 s per 100 MB).

    `level`: how far the server is shut in meanwhile. A server that is a link is looked at where it lies, as
    the loader does. Raises BotError: exit 2 where there is no server, exit 4 for one that does not start,
    and where a required isolation cannot be had.
    """
    demand(level)
    place = path.expanduser().absolute()
    server = place if place.name == SERVER and not place.is_dir() else place / SERVER
    folder = server.resolve().parent if server.is_symlink() else server.parent
    box = Box(reads=(folder, *places(folder)), gpus=True, level=level)
    return Own(folder, inspect(folder, box))


def link(own: Own, side: Side, tag: Tag, backend: Backend, cache: Path) -> Built:
    """Have the binaries found by their key, below `cache/builds`. Raises BotError (exit 4)."""
    key = f"{tag.sha[:12]}-{KIND}-{own.digest[:8]}"
    folder = Folder((cache / "builds").resolve() / key)
    record = Build(
        side=side,
        tag=tag.name,
        sha=tag.sha,
        key=key,
        backend=backend,
        source="path",
        tools=own.found.tools,
        version=own.found.version,
        binaries=own.found.binaries,
    )
    try:
        folder.root.parent.mkdir(parents=True, exist_ok=True)
        hold(folder.root)  # before it is there: from now on nobody removes it
        folder.bld.mkdir(parents=True, exist_ok=True)
        _point(folder.bin, own.folder)
    except OSError as error:
        raise environment("cannot-write", path=str(folder.bld), why=error.strerror or str(error)) from error
    name_libraries(folder, (own.folder, *own.found.places))
    folder.finish(record)
    return Built(record, folder.bin)


def _point(place: Path, target: Path) -> None:
    """A link in one step: another run may be starting from it."""
    fresh = place.with_name(f".{place.name}-{os.getpid()}")
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target, target_is_directory=True)
    fresh.replace(place)
