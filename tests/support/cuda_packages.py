"""A CUDA toolkit for tests, from Python packages, in the user's cache: 600 MB are downloaded once."""

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock

from bot.config.settings import default_cache

#: nvcc and its parts must be of one version; cuBLAS counts by itself.
PACKAGES = (
    "nvidia-cuda-nvcc==13.0.88",
    "nvidia-cuda-crt==13.0.88",
    "nvidia-nvvm==13.0.88",
    "nvidia-cuda-runtime==13.0.96",
    "nvidia-cuda-cccl==13.0.85",
    "nvidia-cublas==13.1.0.3",
)


@cache
def cuda_home() -> Path:
    """The packages' root, as CUDA_HOME may name it. Skips where they cannot be had."""
    site = default_cache() / "test-data" / "cuda-13.0"
    site.mkdir(parents=True, exist_ok=True)
    root = site / "nvidia" / "cu13"
    done = site / "installed"
    with FileLock(site / "lock"):
        if not done.is_file():
            _install(site)
            done.touch()
    return root


def _install(site: Path) -> None:
    options = (
        "--target",
        str(site),
        "--no-deps",
        "--upgrade",
        "--no-input",
        "--disable-pip-version-check",
        "-q",
    )
    got = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, *PACKAGES],
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    if got.returncode != 0:
        pytest.skip(f"NOTHING OF CUDA IS TESTED: pip cannot install {PACKAGES[0]}: {got.stderr[-300:]}")
