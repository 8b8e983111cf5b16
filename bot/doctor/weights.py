"""The model file, looked at without hashing it: its header, its files, and whether its hash is known."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.model import inspect, shards


@dataclass(frozen=True)
class Weights:
    """A whole GGUF model. `files` counts the parts; `quantization` is "" and `layers` None where unsaid.

    `hashed`: its `sha256` is remembered, so that a run does not read the whole file again.
    """

    name: str
    files: int
    size_mib: float
    quantization: str
    layers: int | None
    hashed: bool
    sha256: str = ""


class _NotHashedError(Exception):
    """Hashing would begin now."""


def look(path: Path, cache: Path) -> Weights:
    """The model at `path`; `cache` is where its hash is remembered.

    Raises BotError (exit 2) for a file that is missing, no GGUF, cut short, or not a split model's first.
    """
    files = shards(path.expanduser().absolute())
    try:
        known = inspect(path, cache, progress=_stop)
    except _NotHashedError:
        return _unhashed(files)
    said = (known.name, len(files), known.size_mib, known.quantization, known.layers)
    return Weights(*said, hashed=True, sha256=known.sha256)


def _stop(_done: float, _total: float) -> None:
    raise _NotHashedError


def _unhashed(files: Sequence[Path]) -> Weights:
    from bot.gguf_header import Header  # noqa: PLC0415 - brings numpy

    values = Header(files[0]).values()
    layers = values.get(f"{values.get('general.architecture', '')}.block_count")
    return Weights(
        name=files[0].name,
        files=len(files),
        size_mib=sum(file.stat().st_size for file in files) / 2**20,
        quantization=_quantization(values.get("general.file_type")),
        layers=int(layers) if isinstance(layers, int) else None,
        hashed=False,
    )


def _quantization(file_type: object) -> str:
    from gguf.constants import LlamaFileType  # noqa: PLC0415 - brings numpy

    try:
        return LlamaFileType(int(str(file_type))).name.removeprefix("MOSTLY_").removeprefix("ALL_")
    except ValueError:
        return ""
