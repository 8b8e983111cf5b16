"""Packages by pip, into a folder, without installing them."""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bot import process
from bot.errors import environment

Run = Callable[..., process.Finished]

#: 61 MB on a slow line; pip retries and times out single connections itself.
_DOWNLOAD_S = 1800.0


def download(requirement: str, folder: Path, *options: str, run: Run = process.run) -> Path:
    """Download one distribution into `folder` in one step; returns its file.

    One requirement a call, because pip refuses two versions of a package in one. The whole environment
    goes along: index, proxies and certificates are the user's. Raises BotError (exit 4).
    """
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".pip-") as temporary:
        arguments = ("--no-deps", "--no-input", "--disable-pip-version-check", "--dest", temporary)
        done = run(
            [sys.executable, "-m", "pip", "download", *arguments, *options, requirement],
            env=dict(os.environ),
            timeout_s=_DOWNLOAD_S,
        )
        found = [path for path in Path(temporary).iterdir() if path.is_file()]
        if done.code != 0 or len(found) != 1:
            raise environment("download-failed", package=requirement, why=_why(done.output))
        return found[0].replace(folder / found[0].name)


def _why(output: str) -> str:
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    told = [line for line in lines if line.startswith("ERROR:")]
    return (told or lines or ["?"])[-1]
