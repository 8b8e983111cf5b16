"""What the compilers see, and what a built program sees."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bot import store
from bot.build import pip_toolkit
from bot.build.layout import Folder
from bot.build.toolchain import Toolchain
from bot.isolation import Box, Level
from bot.isolation.places import installed

#: In the build's folder, out of reach of what is compiled there: whoever writes it says what a server sees.
_PLACES = "places"


def compiling(folder: Folder, tools: Toolchain, cache: Path, level: Level) -> Box:
    """For configuring and compiling in `folder`. Old trees write to their own sources, so those are open.

    What says that a build is finished lies beside them, and is not shown.
    """
    programs = [Path(tool.path) for tool in tools.programs]
    reads = (folder.root / "git", *_with_parts(installed(programs)))
    return Box(writes=(folder.src, folder.bld, folder.ccache(cache)), reads=reads, level=level)


def running(programs: Path, level: Level, *more: Path) -> Box:
    """For the programs in a folder of binaries; `more` is what else they read."""
    return Box(reads=(programs, *libraries(programs), *more), gpus=True, level=level)


def libraries(programs: Path) -> tuple[Path, ...]:
    """Where the programs of a build find libraries that lie neither beside them nor in the system."""
    try:
        names = (programs.parents[1] / _PLACES).read_text("utf-8").splitlines()
    except OSError:
        return ()
    return tuple(_with_parts(map(Path, names)))


def name_libraries(folder: Folder, places: Iterable[Path]) -> None:
    """Say for `libraries` where those lie. Raises BotError (exit 4) when the disk is full."""
    store.write_text(folder.root / _PLACES, "".join(f"{place}\n" for place in places))


def _with_parts(places: Iterable[Path]) -> Iterator[Path]:
    """A toolkit that is laid out of packages is made of links, to be seen with what they lead to."""
    for place in places:
        yield place
        for root in (place, place.parent):
            yield from pip_toolkit.parts_of(root)
