"""CMake options by era: a table (`options.toml`) matched against the names in a tree's own CMake files."""

import hashlib
import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from pydantic import TypeAdapter

from bot.records import Backend, Record

_TABLE = Path(__file__).with_name("options.toml")
_NAME = re.compile(rb"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
#: Folders of a tree that hold no CMake file of ours and many other files.
_SKIPPED = frozenset({".git", "models", "docs", "gguf-py", "node_modules"})


class Option(Record):
    """One row of the table; see the head of `options.toml`."""

    names: tuple[str, ...]
    value: str
    always: bool = False
    backend: Backend | None = None
    needs: str | None = None


def table_digest() -> str:
    """A short hash of the table: other options make another build."""
    return hashlib.sha256(_TABLE.read_bytes()).hexdigest()[:8]


def known_names(source: Path) -> frozenset[str]:
    """Every name that looks like an option in the CMake files below `source` (about 10 ms)."""
    found: set[bytes] = set()
    for path in _cmake_files(source):
        found.update(_NAME.findall(path.read_bytes()))
    return frozenset(name.decode() for name in found)


def compose(known: frozenset[str], backend: Backend, values: Mapping[str, str]) -> dict[str, str]:
    """The options to pass, in order: name -> value.

    `values` fills the braces of the table: cc, cxx, ccache, native, number, commit; for cuda also
    nvcc and cuda_arch.
    """
    return {
        name: option.value.format_map(values)
        for option in _table()
        if option.backend in (None, backend) and (name := _spelling(option, known)) is not None
    }


def arguments(options: Mapping[str, str]) -> list[str]:
    """The options as CMake's command line takes them."""
    return [f"-D{name}={value}" for name, value in options.items()]


def _spelling(option: Option, known: frozenset[str]) -> str | None:
    if option.always:
        return option.names[0]
    if option.needs is not None and option.needs not in known:
        return None
    return next((name for name in option.names if name in known), None)


def _cmake_files(source: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        yield from (
            Path(folder, name) for name in files if name == "CMakeLists.txt" or name.endswith(".cmake")
        )


@cache
def _table() -> tuple[Option, ...]:
    rows = tomllib.loads(_TABLE.read_text("utf-8"))["option"]
    return TypeAdapter(tuple[Option, ...]).validate_python(rows)
