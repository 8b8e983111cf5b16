"""Paths: the system's own, Python's, and those that a command line names."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

#: A list of what is shown, because a list of what is hidden forgets the next secret. /opt is not in it: it
#: may hold a runner with its keys.
_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store", "/gnu/store"),
    *("/opt/cuda", "/opt/nvidia", "/opt/rocm", "/opt/rh", "/opt/intel", "/opt/arm"),
    *("/run/opengl-driver", "/run/current-system/sw", "/sys"),
)
#: Of /etc what compilers, the loader and names of users ask for; no keys, no passwords. Each entry that is
#: there costs a start about half a millisecond.
_ETC = tuple(
    f"/etc/{name}"
    for name in (
        *("alternatives", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "static", "localtime"),
        *("passwd", "group", "nsswitch.conf", "hosts", "clang", "OpenCL", "vulkan"),
    )
)
#: Parts of a path that is at least inside a folder of the top level: those hold everybody's files.
_DEEP = 3
#: The sandbox has its own of these.
_OWN = (Path("/dev"), Path("/proc"), Path("/sys"))
#: Where a program's own folder is one that everything lies in, only this of it is shown.
_PARTS = ("bin", "lib", "lib64", "libexec", "include")
_SHARD = re.compile(r"-\d{5}-of-(\d{5})\.gguf$")


def system() -> Iterator[Path]:
    """What every command sees: the system's programs and libraries, and this Python with this program."""
    yield from map(Path, (*_SYSTEM, *_ETC))
    yield Path(__file__).parents[1]
    for path in (Path(sys.prefix), Path(sys.base_prefix), Path(sys.executable).resolve().parents[1]):
        yield from _prefix(path)


def home() -> Path:
    """The folder of the user's keys and settings."""
    return Path(os.environ.get("HOME") or "/root")


def installed(programs: Iterable[Path]) -> Iterator[Path]:
    """Where these programs are installed with what belongs to them: for `x/bin/cc` all of `x`.

    For a program in the user's own `~/bin` or `~/.local/bin` that is not the home folder, but what programs
    have in there.
    """
    for program in programs:
        for path in dict.fromkeys((program, program.resolve())):
            if path.parent.name in ("bin", "sbin"):
                yield from _prefix(path.parents[1])
            else:
                yield path if is_too_wide(path.parent) else path.parent


def named_in(words: Sequence[str]) -> tuple[Path, ...]:
    """What a command line names by absolute path (also after `=`), with all parts of a split model.

    For a program its whole folder: its libraries lie beside it.
    """
    texts = (text for word in words for text in (word, word.partition("=")[2]) if text.startswith("/"))
    found = (place for text in texts if os.path.lexists(text) for place in _with_kin(Path(text)))
    return tuple(dict.fromkeys(place for place in found if _is_own_matter(place)))


def _is_own_matter(path: Path) -> bool:
    if any(path.is_relative_to(place) for place in _OWN):
        return False
    return len(path.parts) >= _DEEP or not path.is_dir()


def is_too_wide(path: Path) -> bool:
    """Whether the user's home lies in it, or it is the home itself: never shown as a whole."""
    return home().is_relative_to(path) or home().resolve().is_relative_to(path.resolve())


def _prefix(path: Path) -> Iterator[Path]:
    if is_too_wide(path) or path == home() / ".local":
        yield from (path / name for name in _PARTS)
        yield from path.glob("share/cmake*")
    else:
        yield path


def _is_program(path: Path) -> bool:
    """On Windows' disks every file may be executed, models too."""
    try:
        with path.open("rb") as file:
            return file.read(4).startswith((b"\x7fELF", b"#!"))
    except OSError:
        return False


def _with_kin(path: Path) -> Iterator[Path]:
    yield path
    if (shard := _SHARD.search(path.name)) is not None:
        yield from sorted(path.parent.glob(f"{path.name[: shard.start()]}-*-of-{shard[1]}.gguf"))
    elif path.is_file() and os.access(path, os.X_OK) and _is_program(path):
        yield path.parent
