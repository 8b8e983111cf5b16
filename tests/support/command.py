"""The command line started, watched and killed by tests; what can be planted: `tests.support.driver`."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.support.real import left_running

_DRIVER = Path(__file__).with_name("driver.py")
#: A bound that only a hang reaches.
PATIENCE_S = 60.0
#: What issue 2 allows between a kill and the last process gone.
GONE_S = 10.0


@dataclass
class Command:
    """One command of a folder: its process, and what it has said so far."""

    process: subprocess.Popen[bytes]
    folder: Path
    output: Path

    def wait(self, timeout_s: float = PATIENCE_S) -> int:
        """Its exit code, negative for a signal."""
        return self.process.wait(timeout_s)

    def kill(self) -> None:
        """SIGKILL, and wait."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE_S)

    @property
    def stdout(self) -> str:
        """What it printed."""
        return self.output.with_suffix(".out").read_text()

    @property
    def stderr(self) -> str:
        """Progress and errors."""
        return self.output.with_suffix(".err").read_text()

    def until(self, seen: Callable[[], bool]) -> None:
        """Return as soon as that is so; fails where the command ends before."""
        limit = time.monotonic() + PATIENCE_S
        while not seen():
            assert self.process.poll() is None, f"ended with {self.process.returncode}: {self.stderr}"
            assert time.monotonic() < limit, self.stderr
            time.sleep(0.002)


@dataclass
class Desk:
    """A folder from which commands are started: its configuration, its lock folder, its servers."""

    folder: Path
    config: Path
    wrapper: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    started: int = 0

    def start(self, *arguments: str, die: tuple[str, str] | None = None, language: str = "en") -> Command:
        """Start the command line with these arguments."""
        self.started += 1
        output = self.folder / f"command-{self.started}"
        plant: dict[str, Any] = {"locks": str(self.folder / "locks"), "wrapper": dict(self.wrapper)}
        if die:
            plant["die"] = die
        (self.folder / "locks").mkdir(exist_ok=True)
        output.with_suffix(".json").write_text(json.dumps(plant))
        with output.with_suffix(".out").open("wb") as out, output.with_suffix(".err").open("wb") as err:
            process = subprocess.Popen(
                [sys.executable, _DRIVER, output.with_suffix(".json"), *arguments],
                cwd=self.folder,
                env={**os.environ, "LC_ALL": "zh_CN.UTF-8" if language == "zh-Hans" else "C.UTF-8"},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
            )
        return Command(process, self.folder, output)

    def run(self, out: str, *more: str, **options: Any) -> Command:
        """Start `run` of the two tags into a folder below this one."""
        tags = () if "--base" in more else ("--base", "b9553", "--head", "b9601")
        return self.start("run", "--config", str(self.config), "--out", out, *tags, *more, **options)

    def gone(self) -> list[str]:
        """What is still running of this folder after the time that is allowed; nothing, that is."""
        limit = time.monotonic() + GONE_S
        while (left := left_running(self.folder)) and time.monotonic() < limit:
            time.sleep(0.01)
        return left
