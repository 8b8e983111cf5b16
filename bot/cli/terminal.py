"""What commands say: sentences in the terminal's language, facts as JSON, progress on stderr."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

import json
import os
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.errors import BotError
    from bot.progress import Reporter
    from bot.report.words import Words


def print_json(data: Any) -> None:  # noqa: ANN401 - whatever json can write
    typer.echo(json.dumps(data, ensure_ascii=False, indent=1))


def reporter() -> "Reporter":
    from bot.progress import Reporter

    return Reporter(words().text)


def words() -> "Words":
    """The language of the terminal, by the usual variables; reports have their own setting."""
    from bot.report.words import catalog

    locale = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return catalog("zh-Hans" if locale.startswith("zh") else "en")


def unsaid(progress: "Reporter") -> "Callable[[BotError], None]":
    """Says which phone could not be told, and why; that fails nothing."""
    return lambda error: progress.say("notify-left-out", why=words().error(error))
