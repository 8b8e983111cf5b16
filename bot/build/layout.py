"""Where a build lies: `builds/<key>/{src,bld}`, and the marker that says it is finished."""

import hashlib
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bot import store
from bot.errors import BotError
from bot.records import Build, Record

SERVER, BENCH = "llama-server", "llama-bench"
TARGETS = (SERVER, BENCH)
_UNTRUSTED = "-untrusted"


class Ready(Record):
    """The marker's content. `build.binaries` holds the SHA-256 of the server and all that lies beside it.

    `size_mib` is what the whole folder (sources, objects, binaries) takes on disk.
    """

    build: Build
    size_mib: float


@dataclass(frozen=True)
class Folder:
    """The folder of one build. Its parent is ccache's base directory, so that all builds share one cache."""

    root: Path

    @property
    def src(self) -> Path:
        """The tree, as exported."""
        return self.root / "src"

    @property
    def bld(self) -> Path:
        """CMake's build folder."""
        return self.root / "bld"

    @property
    def bin(self) -> Path:
        """Where llama.cpp's CMake puts executables and shared libraries."""
        return self.bld / "bin"

    @property
    def lock(self) -> Path:
        """Held by whoever builds or verifies here. Beside the folder: it survives the folder."""
        return self.root.with_name(f"{self.root.name}.lock")

    @property
    def _marker(self) -> Path:
        return self.root / "ready.json"

    @property
    def is_untrusted(self) -> bool:
        """Whether the code is none that upstream has accepted."""
        return _UNTRUSTED in self.root.name

    @property
    def is_throwaway(self) -> bool:
        """Whether it was made for one run only."""
        return f"{_UNTRUSTED}-" in self.root.name

    def ccache(self, cache: Path) -> Path:
        """The compiler cache to build with: all builds' own in `cache`, one to throw away for untrusted code.

        Whoever may write to a compiler cache may put anything into later builds.
        """
        return (self.root if self.is_untrusted else cache) / "ccache"

    def log(self, stage: str) -> Path:
        """The full log of one stage."""
        return self.root / f"{stage}.log"

    def lay(self, sha: str, export: Callable[[str, Path], object]) -> None:
        """Have the tree exported once; a half-exported one is thrown away. Raises what `export` raises."""
        if self.src.is_dir():
            return
        partial = self.root / "src.partial"
        shutil.rmtree(partial, ignore_errors=True)
        self.root.mkdir(parents=True, exist_ok=True)
        export(sha, partial)
        partial.rename(self.src)

    def name_programs(self, targets: Mapping[str, str]) -> None:
        """Give programs that an old tree builds under other names (name -> target) the name of today."""
        for name, target in targets.items():
            made, wanted = self.bin / target, self.bin / name
            if made != wanted and made.is_file():
                wanted.unlink(missing_ok=True)
                wanted.hardlink_to(made)

    def marker(self) -> Ready | None:
        """What the marker says, whether it still holds or not; None without a readable one."""
        if not self._marker.is_file():
            return None
        try:
            return store.load(self._marker, Ready)
        except BotError:
            return None

    def finished(self) -> Ready | None:
        """The marker, if every file it names still has the content it had; else None."""
        ready = self.marker()
        expected = ready.build.binaries if ready else {}
        return ready if expected and expected == hashes(self.bin) else None

    def is_claimed(self) -> bool:
        """Whether a marker lies here, good or not."""
        return self._marker.exists()

    def finish(self, build: Build) -> None:
        """Write the marker, last and in one step. Raises BotError (exit 4) when the disk is full."""
        store.save(self._marker, Ready(build=build, size_mib=size_mib(self.root)))

    def reset(self) -> None:
        """Forget what was configured and compiled (ccache still knows it); the marker goes first."""
        self._marker.unlink(missing_ok=True)
        trash = self.root / "bld.old"
        shutil.rmtree(trash, ignore_errors=True)
        if self.bld.exists():
            self.bld.rename(trash)  # in one step: half a build folder must not look like one
        shutil.rmtree(trash, ignore_errors=True)


def untrusted(run: str) -> str:
    """What the keys of untrusted code built for this run end with; "" for a build asked for by itself."""
    return f"{_UNTRUSTED}-{hashlib.sha256(run.encode()).hexdigest()[:8]}" if run else _UNTRUSTED


def hashes(folder: Path) -> dict[str, str]:
    """SHA-256 of each plain file in `folder`, by name; of a link its target only. 0.3 s per 100 MB."""
    if not folder.is_dir():
        return {}
    plain = (path for path in sorted(folder.iterdir()) if path.is_file() and not path.is_symlink())
    return {path.name: sha256_of(path) for path in plain}


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def size_mib(root: Path) -> float:
    """Blocks on disk, MiB; of a folder that somebody works in, what is there when it is looked at."""
    total = 0
    for folder, _, names in os.walk(root):
        for name in names:
            with suppress(FileNotFoundError):
                total += os.lstat(Path(folder, name)).st_blocks * 512
    return round(total / 2**20, 1)
