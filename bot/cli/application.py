"""The application that the commands are added to, and the options that several of them share."""

from pathlib import Path
from typing import Annotated

import typer

from bot import __version__

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",  # a docstring's paragraph is one, however wide the terminal is
    help="Benchmark llama.cpp release tags against each other on your own GPU, and say whether to upgrade.",
    epilog="Start with `llama-release-bot demo`; it needs no GPU and no model.",
)

ConfigFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="Settings.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print facts as JSON.")]
DEFAULT_CONFIG = Path("config.yml")


@app.callback(invoke_without_command=True)
def _root(version: Annotated[bool, typer.Option("--version", help="Print the version.")] = False) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
