"""Stand-ins for what the package index serves: source distributions, wheels, and `pip download` itself."""

import io
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.process import Finished


def make_sdist(path: Path, files: Mapping[str, bytes], *, mode: int = 0o644) -> Path:
    """A distribution with exactly these members below its top folder; a plain `.tar` never varies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    top = path.name.removesuffix(".gz").removesuffix(".tar")
    with tarfile.open(path, "w" if path.suffix == ".tar" else "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"{top}/{name}")
            member.size, member.mode = len(content), mode
            archive.addfile(member, io.BytesIO(content))
    return path


def make_wheel(path: Path, files: Mapping[str, bytes]) -> Path:
    """A wheel with exactly these members."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


class FakePip:
    """Serves files for `pip download`; what it has not fails as pip does."""

    def __init__(self, served: Mapping[str, Path]) -> None:
        self.served = dict(served)
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, argv: list[str], **_: Any) -> Finished:
        """As `bot.process.run`."""
        self.asked.append(tuple(argv))
        target = Path(argv[argv.index("--dest") + 1])
        source = self.served.get(argv[-1])
        if source is None:
            why = f"Looking in indexes\nERROR: No matching distribution found for {argv[-1]}\n"
            return finished(argv, 1, why)
        (target / source.name).write_bytes(source.read_bytes())
        return finished(argv, 0, f"Saved {source.name}\n")

    @property
    def requirements(self) -> list[str]:
        """What was asked for, in order."""
        return [argv[-1] for argv in self.asked]


def finished(argv: list[str], code: int, output: str) -> Finished:
    """A command that ended by itself."""
    return Finished(
        argv=tuple(argv),
        code=code,
        signal=None,
        timed_out=False,
        stopped=False,
        stdout=output,
        stderr="",
        output=output,
        seconds=0.0,
        isolation=(),
        killed_leftovers=0,
        survivors=0,
        oom_kills=0,
    )
