"""CMake options by era: a table (`options.toml`) matched against the names in a tree's own CMake files."""

import hashlib
import os
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from bot.flags import flag_value
from bot.isolation import read_plain
from bot.records import Backend, Record

_TABLE = Path(__file__).with_name("options.toml")
_NAME = re.compile(rb"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
_TARGET = re.compile(rb"\b(?:set\s*\(\s*TARGET|add_executable\s*\()\s*([a-z][\w-]*)")
_TAKES_COMMIT = re.compile(rb"DEFINED\s+LLAMA_BUILD_COMMIT")
#: Folders of a tree that hold no CMake file of ours and many other files.
_SKIPPED = frozenset({".git", "models", "docs", "gguf-py", "node_modules"})
#: K-V pairs of the cache that every CUDA build has an attention kernel for.
_KV_ALWAYS = frozenset({"f16-f16", "q4_0-q4_0", "q8_0-q8_0"})

Need = Literal["kv_kernel"]


class Option(Record):
    """One row of the table; see the head of `options.toml`."""

    names: tuple[str, ...]
    value: str
    always: bool = False
    backend: Backend | None = None
    needs: str | None = None
    unless: str | None = None
    when: Need | None = None


class Program(Record):
    """A program that is built, and what its target has been called, newest name first.

    An `optional` one is built only where a profile needs it; it is no part of a build's key.
    """

    name: str
    targets: tuple[str, ...]
    optional: bool = False


@dataclass(frozen=True)
class Known:
    """What a tree's CMake files mention: names that look like options, and targets of programs.

    `asks_git`: the tree does not take its commit from an option (before b5655).
    """

    names: frozenset[str]
    targets: frozenset[str] = frozenset()
    asks_git: bool = False


def digest(backend: Backend) -> str:
    """A short hash of the rows for this backend: other options make another build."""
    rows = [option.model_dump_json() for option in _options() if option.backend in (None, backend)]
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:8]


def known(source: Path) -> Known:
    """What the CMake files below `source` mention (about 10 ms)."""
    names: set[bytes] = set()
    targets: set[bytes] = set()
    takes_commit = False
    for path in _cmake_files(source):
        try:
            text = read_plain(path)
        except OSError:  # a link or the like: CMake may follow it, within its sandbox
            continue
        names.update(_NAME.findall(text))
        targets.update(_TARGET.findall(text))
        takes_commit = takes_commit or _TAKES_COMMIT.search(text) is not None
    return Known(_decoded(names), _decoded(targets), asks_git=not takes_commit)


def compose(tree: Known, backend: Backend, values: Mapping[str, str]) -> dict[str, str]:
    """The options to pass, in order: name -> value.

    `values` fills the braces of the table: cc, cxx, ccache, native, number, commit; for cuda also nvcc, host,
    cuda_arch, no_vmm and, where the profile needs a kernel of its own, kv ("q8_0-q4_0").
    """
    needs = {"kv_kernel"} if values.get("kv") else set()
    return {
        name: option.value.format_map(values)
        for option in _options()
        if option.backend in (None, backend)
        and (option.when is None or option.when in needs)
        and (name := _spelling(option, tree.names)) is not None
    }


def programs(tree: Known, optional: Collection[str] = ()) -> dict[str, str]:
    """Program -> the target that makes it in this tree; the newest name where the tree has none of them.

    Those always built, or instead the `optional` ones named.
    """
    return {
        item.name: next((target for target in item.targets if target in tree.targets), item.targets[0])
        for item in _table()[1]
        if (item.name in optional if optional else not item.optional)
    }


def kv_kernel(flags: tuple[str, ...]) -> str:
    """The K-V pair of a profile's flags for which a kernel must be asked for; "" where none must."""
    types = (flag_value(flags, name) or "f16" for name in ("--cache-type-k", "--cache-type-v"))
    pair = "-".join(types)
    return "" if pair in _KV_ALWAYS else pair


def arguments(options: Mapping[str, str]) -> list[str]:
    """The options as CMake's command line takes them."""
    return [f"-D{name}={value}" for name, value in options.items()]


def _spelling(option: Option, names: frozenset[str]) -> str | None:
    if option.always:
        return option.names[0]
    if option.needs is not None and option.needs not in names:
        return None
    if option.unless is not None and option.unless in names:
        return None
    return next((name for name in option.names if name in names), None)


def _decoded(words: set[bytes]) -> frozenset[str]:
    return frozenset(word.decode() for word in words)


def _cmake_files(source: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(source):
        folders[:] = [name for name in folders if name not in _SKIPPED]
        yield from (
            Path(folder, name) for name in files if name == "CMakeLists.txt" or name.endswith(".cmake")
        )


def _options() -> tuple[Option, ...]:
    return _table()[0]


@cache
def _table() -> tuple[tuple[Option, ...], tuple[Program, ...]]:
    rows = tomllib.loads(_TABLE.read_text("utf-8"))
    options = TypeAdapter(tuple[Option, ...]).validate_python(rows["option"])
    return options, TypeAdapter(tuple[Program, ...]).validate_python(rows["program"])
