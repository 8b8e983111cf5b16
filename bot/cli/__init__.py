"""The commands: parse, call, exit code. What is heavy is imported by the command that needs it."""

# The order of these imports is the order of the commands in `--help`.
from bot.cli import measuring, asking, posting, actions  # noqa: F401, I001
from bot.cli.application import app
from bot.cli.entry import main

__all__ = ["app", "main"]
