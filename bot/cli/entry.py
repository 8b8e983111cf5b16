"""The console script: how a command ends."""

import os
import sys
from typing import Any

import typer

from bot.cli.application import app
from bot.cli.terminal import words
from bot.errors import BotError, Exit

#: Typer carries a click of its own, and exports only its descendants.
_ClickError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")


def main() -> None:
    """The console script: one line and an exit code for anything that goes wrong."""
    try:
        # A command's typer.Exit comes back as the value that it carries.
        sys.exit(app(standalone_mode=False))
    except BotError as error:
        _fail(words().error(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _fail(words().text("cli-interrupted"), Exit.INTERRUPTED)
    except _ClickError as error:
        error.show()
        sys.exit(Exit.USAGE)
    except Exception as error:
        _unexpected(error)


def _unexpected(error: Exception) -> None:
    if os.environ.get("LLAMA_RELEASE_BOT_TRACEBACK"):
        raise error
    _fail(words().text("cli-bug", error=f"{type(error).__name__}: {error}"), Exit.BUG)


def _fail(sentence: str, code: Exit) -> None:
    typer.echo(sentence, err=True)
    sys.exit(code)
