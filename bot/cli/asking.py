"""The commands that answer a question and change nothing."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.application import DEFAULT_CONFIG, AsJson, ConfigFile, app
from bot.cli.terminal import print_json, reporter, words


@app.command()
def doctor(
    profile: Annotated[str | None, typer.Option(metavar="NAME", help="Profile of the settings.")] = None,
    actions: Annotated[
        bool,
        typer.Option(
            "--actions", help="Check this checkout's workflows and its repository's runners instead."
        ),
    ] = False,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Check everything that a run needs, and say what to do about what is missing.

    Ends with 0 when a run could start, with 4 when something is missing. `--actions` asks GitHub with the
    token in $GITHUB_TOKEN, and says what that token may not see.
    """
    from rich.console import Console

    from bot.config import load
    from bot.doctor.case import take
    from bot.doctor.examine import examine, exit_code
    from bot.doctor.show import facts, show

    if actions:
        from bot.delivery.actions import repository_here
        from bot.doctor.actions import examine_actions

        findings = iter(examine_actions(load(config), repository_here()))
    else:
        findings = examine(take(config, load(config), profile))
    if as_json:
        seen = list(findings)
        print_json(facts(seen, words()))
    else:
        seen = show(findings, words(), Console(highlight=False))
    raise typer.Exit(exit_code(seen))


@app.command()
def changelog(
    span: Annotated[str, typer.Argument(metavar="BASE..HEAD", help="Two tags, such as b9556..b9602.")],
    commits: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A JSON list of commits, instead of the repository.")
    ] = None,
    profile: Annotated[str | None, typer.Option(metavar="NAME", help="Profile of the settings.")] = None,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Say what changed between two tags that matters to a profile, and what cannot act on it.

    Builds and measures nothing. Without a config.yml the conditions of the shipped example are assumed.
    """
    from bot.pipeline.changes import Question, answer
    from bot.pipeline.changes_shown import facts, lines

    found = answer(Question(span=span, commits=commits, profile=profile, config=config), reporter())
    if as_json:
        print_json(facts(found))
        return
    for line in lines(found, words()):
        typer.echo(line)


@app.command()
def command(
    event: Annotated[
        Path, typer.Option(metavar="FILE", help="Payload of a comment event, such as $GITHUB_EVENT_PATH.")
    ],
    offline: Annotated[bool, typer.Option("--offline", help="By the grammar alone: no look-up.")] = False,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: Annotated[bool, typer.Option("--json", help="Print only the facts.")] = False,
) -> None:
    """Say what a comment asks for: the facts as JSON, and on stderr why nothing is done.

    Who may ask is looked up at GitHub with the token in $GITHUB_TOKEN. Nothing is posted.
    """
    from bot.config import load
    from bot.delivery import commanding
    from bot.github.commands import Choices
    from bot.github.wording import Voice

    found = commanding.offline(event, Choices()) if offline else commanding.online(event, load(config))
    if found.reason and not as_json:
        typer.echo(Voice((words(),)).why(found.reason), err=True)
    print_json(found.facts())


@app.command()
def render(
    record: Annotated[Path, typer.Argument(metavar="RUN.json", help="The record of a finished run.")],
    lang: Annotated[str | None, typer.Option(metavar="TAG", help="Only this language.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="DIR", help="Default: beside the record.")] = None,
) -> None:
    """Make the report again from its record, on any machine."""
    from bot.pipeline.writing import write_reports
    from bot.store import load_run

    run_record = load_run(record)
    for path in write_reports(out or record.parent, run_record, (lang,) if lang else ()):
        typer.echo(path)
