"""GitHub's own example payloads (MIT), fetched once into this user's cache and never committed."""

import json
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bot.config.settings import default_cache

PACKAGE = "@octokit/webhooks-examples"
VERSION = "7.6.1"


@cache
def examples() -> dict[str, list[dict[str, Any]]]:
    """Event name -> payloads. Skips the test, loudly, on a machine without npm or its registry."""
    archive = _fetched()
    if archive is None:
        pytest.skip(f"NOT TESTED against GitHub's example payloads: `npm pack {PACKAGE}@{VERSION}` failed")
    with tarfile.open(archive) as files:
        index = files.extractfile("package/api.github.com/index.json")
        assert index
        return {event["name"]: event["examples"] for event in json.load(index)}


def _fetched() -> Path | None:
    folder = default_cache() / "test-data"
    archive = folder / f"octokit-webhooks-examples-{VERSION}.tgz"
    npm = shutil.which("npm")
    if archive.is_file() or npm is None:
        return archive if archive.is_file() else None
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder) as temporary:
        command = [npm, "pack", f"{PACKAGE}@{VERSION}", "--pack-destination", temporary, "--silent"]
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        packed = next(Path(temporary).glob("*.tgz"), None)
        if done.returncode or packed is None:
            return None
        packed.replace(archive)
    return archive
