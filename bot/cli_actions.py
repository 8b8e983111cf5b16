"""The commands around new tags and GitHub Actions. What is heavy is imported by the command that needs it."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.errors import Exit

if TYPE_CHECKING:
    from bot.progress import Reporter
    from bot.report.words import Words

ConfigFile = Annotated[Path, typer.Option("--config", metavar="FILE", help="Settings.")]
DEFAULT_CONFIG = Path("config.yml")


def add_to(app: typer.Typer, reporter: "Callable[[], Reporter]", words: "Callable[[], Words]") -> None:
    """Add `watch`, `gate` and `finish`."""

    @app.command()
    def watch(
        once: Annotated[bool, typer.Option("--once", help="Look once, and only say what is due.")] = False,
        config: ConfigFile = DEFAULT_CONFIG,
        as_json: Annotated[bool, typer.Option("--json", help="Print facts as JSON.")] = False,
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
            typer.echo(json.dumps(facts(plan), ensure_ascii=False, indent=1))
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
