"""What the tests of the sandbox need: a look from inside, and a machine that has one."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot import process
from bot.isolation import Box, means

Look = Callable[..., Any]


@pytest.fixture
def sandbox() -> Path:
    """bubblewrap; without one the test is skipped, and says why."""
    found = means()
    if found.bwrap is None:
        pytest.skip(f"no sandbox here: {found.refusal or 'bubblewrap is not installed'}")
    return found.bwrap


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder that belongs to the boxed command."""
    return tmp_path / "own"


@pytest.fixture
def look(sandbox: Path, folder: Path) -> Look:
    """Runs Python within a box of `folder`; `answer` is what the script leaves there, sent back."""

    def run(script: str, *arguments: object, **box: Any) -> Any:
        head = "import json, os, sys, signal, socket, pathlib\nanswer = None\n"
        words = [sys.executable, "-I", "-S", "-c", f"{head}{script}\nprint(json.dumps(answer))"]
        finished = process.run(
            [*words, *map(str, arguments)],
            cwd=folder,
            timeout_s=60,
            box=Box(writes=(folder,), level="required", **box),
        )
        assert finished.code == 0, finished.stderr
        assert finished.isolation == ("leash", "network", "pid", "filesystem", "environment")
        return json.loads(finished.stdout)

    return run
