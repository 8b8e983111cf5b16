"""What a model file is: its GGUF header, its size, its SHA-256."""

import hashlib
import re
import struct
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bot import store
from bot.errors import BotError, usage
from bot.records import Model, Record

#: Called with (done, total) in bytes.
Progress = Callable[[float, float], None]

_MAGIC = b"GGUF"
_CHUNK = 1 << 22
_SHARD = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<total>\d{5})\.gguf")


class _Remembered(Record):
    """A model that was read before, and what its files looked like then."""

    files: tuple[tuple[str, int, int, int], ...]
    model: Model


def inspect(path: Path, cache: Path, *, progress: Progress | None = None) -> Model:
    """Read a model file's header and hash it; a split model is one model, named by its first file.

    The SHA-256 of a split model is that of its files' bytes in order. `cache` is a folder with one JSON
    file per model, valid while path, size, modification time and inode of every file stay the same.
    Raises BotError (exit 2) for a file that is missing, no GGUF, cut short, or not a split model's first.
    """
    files = shards(path.expanduser().absolute())
    state = tuple(_state(file) for file in files)
    entry = cache / f"{hashlib.sha256(str(files[0]).encode()).hexdigest()[:16]}.json"
    known = _recall(entry)
    if known and known.files == state:
        return known.model
    model = _read(files, progress)
    store.save(entry, _Remembered(files=state, model=model))
    return model


def shards(path: Path) -> tuple[Path, ...]:
    """All files of the model that starts at `path`. Raises BotError (exit 2) where one is missing."""
    match = _SHARD.fullmatch(path.name)
    if match is None:
        return (_present(path),)
    total = int(match["total"])
    names = [f"{match['stem']}-{number:05}-of-{total:05}.gguf" for number in range(1, total + 1)]
    if names[:1] != [path.name]:
        raise usage("model-not-first", path=str(path), first=names[0] if names else path.name)
    missing = [name for name in names if not (path.parent / name).is_file()]
    if missing:
        raise usage("model-shard-missing", path=str(path), missing=missing[0], count=len(missing))
    return tuple(path.parent / name for name in names)


def digest(*files: Path, progress: Progress | None = None) -> str:
    """The SHA-256 of the files' bytes, in order, in hexadecimal."""
    total = sum(file.stat().st_size for file in files)
    hasher, done = hashlib.sha256(), 0
    for file in files:
        with file.open("rb") as source:
            while chunk := source.read(_CHUNK):
                hasher.update(chunk)
                done += len(chunk)
                if progress:
                    progress(done, total)
    return hasher.hexdigest()


def _read(files: Sequence[Path], progress: Progress | None) -> Model:
    headers = [_header(file) for file in files]
    first = headers[0]
    architecture = str(first.get("general.architecture", ""))
    layers, context = (first.get(f"{architecture}.{key}") for key in ("block_count", "context_length"))
    try:
        sha256 = digest(*files, progress=progress)
    except OSError as error:
        raise _unreadable(files[0], error) from error
    return Model(
        name=files[0].name,
        sha256=sha256,
        size_mib=round(sum(file.stat().st_size for file in files) / 2**20, 1),
        architecture=architecture,
        quantization=_quantization(first.get("general.file_type")),
        layers=int(layers) if isinstance(layers, int) else None,
        context=int(context) if isinstance(context, int) else None,
        license=str(first.get("general.license", "")),
    )


def _header(path: Path) -> dict[str, Any]:
    """The header's single values by key. Raises BotError (exit 2) where the file is no whole GGUF."""
    # Imported here because it brings numpy, which most commands never need.
    from bot.gguf_header import Header, damage  # noqa: PLC0415

    try:
        with path.open("rb") as file:
            magic = file.read(len(_MAGIC))
        if magic != _MAGIC:
            raise usage("model-not-gguf", path=str(path))
        return Header(path).values()
    except OSError as error:
        raise _unreadable(path, error) from error
    except (ValueError, KeyError, IndexError, OverflowError, struct.error) as error:
        raise usage("model-damaged", path=str(path), why=damage(error)) from error


def _quantization(file_type: object) -> str:
    from gguf.constants import LlamaFileType  # noqa: PLC0415

    try:
        return LlamaFileType(int(str(file_type))).name.removeprefix("MOSTLY_").removeprefix("ALL_")
    except ValueError:
        return ""


def _present(path: Path) -> Path:
    if not path.is_file():
        raise usage("model-missing", path=str(path))
    return path


def _state(path: Path) -> tuple[str, int, int, int]:
    status = path.stat()
    return str(path), status.st_size, status.st_mtime_ns, status.st_ino


def _recall(entry: Path) -> _Remembered | None:
    try:
        return store.load(entry, _Remembered) if entry.is_file() else None
    except BotError:
        return None


def _unreadable(path: Path, error: OSError) -> BotError:
    return usage("cannot-read", path=str(path), why=error.strerror or str(error))
