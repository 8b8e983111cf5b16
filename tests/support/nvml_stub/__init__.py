"""A machine with NVIDIA GPUs that are lines of a file: compiles the stand-in library, writes the file."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest

NAME = "libnvidia-ml.so.1"
_SOURCE = Path(__file__).with_name("stub.c")

Value = str | int


def compile_stub(folder: Path, *flags: str) -> Path:
    """The library in `folder`, under the name that pynvml asks for. Skips where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.skip("NO C COMPILER: nothing about NVML is tested here")
    folder.mkdir(parents=True, exist_ok=True)
    library = folder / NAME
    command = [compiler, "-shared", "-fPIC", "-O1", "-Wall", "-Werror", *flags]
    subprocess.run([*command, "-o", str(library), str(_SOURCE)], check=True)
    return library


def uuid(gpu: int = 0, instance: int | None = None) -> str:
    """The UUID that the stand-in gives a GPU, or a MIG instance of it."""
    if instance is not None:
        return f"MIG-{gpu:08}-0000-0000-0000-{instance:012}"
    return f"GPU-{gpu:08}-0000-0000-0000-000000000000"


@dataclass
class FakeMachine:
    """The file behind the library; whoever loads that reads it at every call."""

    path: Path
    library: Path
    lines: dict[str, Value] = field(default_factory=dict)

    def set(self, lines: dict[str, Value]) -> None:
        """Change the machine, in one step. Keys stand in stub.c."""
        self.lines |= lines
        temporary = self.path.with_suffix(".new")
        text = "".join(f"{key} {value}\n" for key, value in self.lines.items())
        temporary.write_text(text, encoding="ascii")
        temporary.replace(self.path)

    @property
    def environment(self) -> dict[str, str]:
        """What makes a new process load this library."""
        return {"LD_LIBRARY_PATH": str(self.library.parent), "FAKE_NVML": str(self.path)}

    def clean_environment(self) -> dict[str, str]:
        """In the place of `process.clean_environment` where launches are to find the library."""
        return {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", **self.environment}
