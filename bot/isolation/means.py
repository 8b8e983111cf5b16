"""What this machine can give, found out once per process by trying it."""

import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from bot.errors import environment
from bot.isolation.box import CODES, Box, Level
from bot.isolation.enclose import USERS, enclose

_PROBE_S = 20.0


@dataclass(frozen=True)
class Means:
    """`bwrap` is None where no sandbox can be had; `refusal` is then its last line, "" where it lacks.

    `users`: the one of `enclose.USERS` that works here.
    """

    bwrap: Path | None
    refusal: str = ""
    users: tuple[str, ...] = USERS[0]

    @property
    def codes(self) -> tuple[str, ...]:
        """What a sandbox gives here, of `box.CODES`."""
        return CODES if self.bwrap else ()


@cache
def means() -> Means:
    """Whether bubblewrap is here and the system lets it work (20 ms, once)."""
    found = shutil.which("bwrap")
    if found is None:
        return Means(None)
    for users in USERS:
        refusal = _refusal(Path(found), users)
        if not refusal:
            return Means(Path(found), users=users)
    return Means(None, refusal)


def _refusal(bwrap: Path, users: tuple[str, ...]) -> str:
    """Why there is no such sandbox here; "" where there is."""
    try:
        # Not by `bot.process`, which asks this first; `true` of the sandbox's own PATH.
        tried = subprocess.run(
            [*enclose(bwrap, Box(gpus=True), None, users), "true"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="replace",
            timeout=_PROBE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode == 0:
        return ""
    return (tried.stderr.strip().splitlines() or [f"exit {tried.returncode}"])[-1]


def forget() -> None:
    """Look again at the next call."""
    means.cache_clear()


def demand(level: Level) -> Means:
    """What there is. Raises BotError (exit 4) where `level` requires a sandbox and there is none."""
    found = means()
    if level == "required" and found.bwrap is None:
        raise (
            environment("not-isolated", why=found.refusal) if found.refusal else environment("no-bubblewrap")
        )
    return found
