"""What a run shares the machine with: isolation from it, the user's own server, other runs."""

import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bot import hooks
from bot.doctor.finding import Finding, missing, ok, warning
from bot.errors import BotError
from bot.isolation import Level, Means, means
from bot.locks import gpu_lock
from bot.pipeline.begin import intents

if TYPE_CHECKING:
    from bot.doctor.case import Case

_BUSY = ("busy", "busy-unknown")


@dataclass(frozen=True)
class Leftover:
    """What a killed run still owes: the commands that bring the user's own server back."""

    commands: tuple[str, ...]


def isolation(case: "Case") -> Iterator[Finding]:
    """Compilers and servers in a sandbox, as far as this system gives one."""
    yield judge_isolation(case.settings.machine.isolation, means())


def judge_isolation(asked: Level, found: Means) -> Finding:
    """`asked` as in `machine.isolation`."""
    if asked == "none":
        return ok("isolation", "off")
    if found.bwrap is not None:
        return ok("isolation")
    if asked == "required":
        return missing("isolation", "unmet" if found.refusal else "missing", why=found.refusal)
    return warning("isolation", "refused" if found.refusal else "none", why=found.refusal)


def hook_programs(case: "Case") -> Iterator[Finding]:
    """The programs of `before` and `after` exist."""
    machine = case.settings.machine
    yield judge_hooks(machine.before, machine.after, absent(machine.before + machine.after))


def judge_hooks(before: hooks.Commands, after: hooks.Commands, gone: Sequence[str]) -> Finding:
    """`gone` are first words that no program answers to."""
    if gone:
        return missing("hooks", "missing", programs=", ".join(gone), count=len(gone))
    if not before and not after:
        return ok("hooks", "none")
    if before and not after:
        return warning("hooks", "oneway", commands=_joined(before))
    return ok("hooks", commands=_joined([*before, *after]))


def absent(commands: hooks.Commands) -> tuple[str, ...]:
    """The programs among the commands' first words that cannot be found or run."""
    return tuple(dict.fromkeys(words[0] for words in commands if shutil.which(words[0]) is None))


def leftovers(case: "Case") -> Iterator[Finding]:
    """Intents of runs that are gone."""
    yield judge_leftovers(abandoned(intents(case.settings)))


def judge_leftovers(found: Sequence[Leftover]) -> Finding:
    """One finding for all of them."""
    if not found:
        return ok("leftovers")
    commands = [command for item in found for command in item.commands]
    return warning("leftovers", "found", count=len(found), commands="; ".join(commands) or "-")


def abandoned(folder: Path) -> tuple[Leftover, ...]:
    """What lies in the intents' folder and has no living owner."""
    return tuple(item for path in sorted(folder.glob("*.json")) if (item := _leftover(path)) is not None)


def turn(case: "Case") -> Iterator[Finding]:
    """The lock is free, or who holds it."""
    if isinstance(case.device, Exception):
        return
    try:
        with gpu_lock(case.device.each[0].uuid if case.device else "host", wait=False, run="doctor"):
            yield ok("turn")
    except BotError as error:
        yield judge_busy(error)


def judge_busy(error: BotError) -> Finding:
    """A run would wait its turn; a lock that cannot be used stops it."""
    args = {name: str(value) for name, value in error.values.items()}
    if error.code not in _BUSY:
        return missing("turn", "unusable", **args)
    return warning("turn", "busy", **({"run": "-", "pid": "?", "since": "?"} | args))


def _leftover(path: Path) -> Leftover | None:
    try:
        data = json.loads(path.read_text())
        is_abandoned = not hooks.is_alive(data["owner"])
        return Leftover(tuple(" ".join(words) for words in data["after"])) if is_abandoned else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _joined(commands: hooks.Commands) -> str:
    return "; ".join(" ".join(words) for words in commands)
