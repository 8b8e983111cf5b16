"""The build that the user runs: `<cache>/current` leads to its binaries, and is switched in one step."""

import os
from pathlib import Path

from bot.build.layout import Folder
from bot.errors import environment
from bot.records import Build

_LINK = "current"


def link_of(cache: Path) -> Path:
    """The link to start the server through: `<cache>/current/llama-server`."""
    return cache / _LINK


def current(cache: Path) -> Build | None:
    """The build that was switched to last; None where `use` was never called or that build is gone."""
    link = link_of(cache)
    if not link.is_symlink():
        return None
    # Not resolved: the folder of binaries may be a link itself, to the user's own.
    ready = Folder((cache / link.readlink()).parent.parent).marker()
    return ready.build if ready else None


def switch(cache: Path, build: Build) -> None:
    """Let `current` lead to this build. At every moment the link is the old or the new one.

    Raises BotError (exit 4) when it cannot be written.
    """
    folder = Folder(cache / "builds" / build.key)
    fresh = cache / f".{_LINK}-{os.getpid()}"
    try:
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(folder.bin.relative_to(cache), target_is_directory=True)
        fresh.replace(link_of(cache))
    except OSError as error:
        raise environment("cannot-write", path=str(link_of(cache)), why=error.strerror or "?") from error
