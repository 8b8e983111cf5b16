"""Does the built server start at all on this processor?"""

import json
import signal
import sys
from pathlib import Path

from bot import process
from bot.build import boxes
from bot.build.layout import SERVER
from bot.isolation import Level

_SCRIPT = Path(__file__).with_name("smoke_start.py")
_START_S = 120.0


def smoke(folder: Path, model: Path, level: Level = "auto") -> signal.Signals | None:
    """Start the server in `folder` with `model`, ask it once, stop it: the signal that it died of, or None.

    A real start with a warm-up and a batched prompt, because kernels for this processor run in neither
    `--version` nor `--help`. Everything else that can go wrong at a start (a flag, the model, a crash of
    the code) is a finding that the measured launches report.
    """
    argv = [sys.executable, "-I", str(_SCRIPT), str(folder / SERVER), str(model), str(_START_S)]
    env = process.clean_environment({})
    box = boxes.running(folder, level, model)
    finished = process.run(argv, env=env, timeout_s=_START_S + 90, network="none", box=box)
    return _signal(finished.output)


def _signal(output: str) -> signal.Signals | None:
    """The script's answer is the last line that is one; the server's own log goes the same way."""
    for line in reversed(output.splitlines()):
        if line.startswith('{"ready"'):
            code = json.loads(line)["code"]
            return signal.Signals(-code) if code is not None and code < 0 else None
    return None
