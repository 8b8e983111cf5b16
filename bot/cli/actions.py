"""The commands around new tags and GitHub Actions."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.application import DEFAULT_CONFIG, AsJson, ConfigFile, app
from bot.cli.terminal import print_json, reporter, words
from bot.errors import Exit


@app.command()
def watch(
    once: Annotated[bool, typer.Option("--once", help="Look once, and only say what is due.")] = False,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Look for new tags: measure the pairs that are due, and post what is news, until it is stopped.

    How often, and what is news, stands under `watch` in the settings. Only `git ls-remote` is asked,
    every quarter of an hour; that costs no API request.
    """
    from bot.config import load
    from bot.delivery.home import Home
    from bot.delivery.watching_shown import facts, lines

    home = Home(load(config), reporter())
    if not once:
        home.watch()
    plan = home.look()
    if as_json:
        print_json(facts(plan))
        return
    for line in lines(plan, words()):
        typer.echo(line)


@app.command()
def gate(
    event: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Payload of a comment event; without it, new tags are due."),
    ] = None,
    config: ConfigFile = DEFAULT_CONFIG,
) -> None:
    """First job of the workflows: answer the comment, or look for new tags, and plan the runs.

    Sets the outputs `work` (true or false), `jobs` (for the matrix) and `plan` (for `finish`).
    """
    from bot.config import load
    from bot.delivery.actions import Workflow
    from bot.delivery.gating import gate as decide
    from bot.delivery.watching_shown import lines

    workflow = Workflow()
    for line in lines(decide(load(config), event, workflow, reporter()), words()):
        typer.echo(line)
        workflow.summary(f"- {line}")


@app.command()
def finish(
    plan: Annotated[str, typer.Option(envvar="PLAN", metavar="JSON", help="The gate's output `plan`.")],
    runs: Annotated[Path, typer.Option(metavar="DIR", help="The artifacts, one folder each.")],
    fate: Annotated[
        str, typer.Option(envvar="FATE", metavar="RESULT", help="How the jobs with the GPU ended.")
    ] = "success",
    config: ConfigFile = DEFAULT_CONFIG,
) -> None:
    """Last job of the workflows: post the reports, answer who asked, remember what was measured.

    Of the artifacts only `run.json` is read. Can be repeated: what is done is not done again. Ends with
    the first failure's code when something could not be done.
    """
    from bot.config import load
    from bot.delivery.finishing import finish as finish_all

    errors = finish_all(load(config), plan, runs, fate, reporter())
    for error in errors:
        typer.echo(words().error(error), err=True)
    raise typer.Exit(errors[0].exit_code if errors else Exit.DONE)
