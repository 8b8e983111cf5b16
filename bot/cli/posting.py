"""The command that posts by hand."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.application import DEFAULT_CONFIG, AsJson, ConfigFile, app
from bot.cli.terminal import print_json, reporter, unsaid, words
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.delivery.posting import Outcome


@app.command()
def post(
    *,
    words: Annotated[
        list[str], typer.Argument(metavar="RUN.json...", help="Records of one pair on one machine.")
    ],
    to: Annotated[
        list[str] | None,
        typer.Option("--to", metavar="TARGET", help="Where to, several times if you like: see above."),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    force_upstream: Annotated[
        bool, typer.Option("--force-upstream", help="Post in ggml-org, where the settings allow it too.")
    ] = False,
    comment: Annotated[
        str | None, typer.Option(metavar="ID", help="The comment that asked; its report is its own.")
    ] = None,
    asker: Annotated[
        str | None, typer.Option(metavar="LOGIN", help="Who asked there, to be mentioned.")
    ] = None,
    pair: Annotated[
        str | None, typer.Option(metavar="BASE..HEAD", help="Refuse records of other commits (full SHAs).")
    ] = None,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Post reports, made anew from their records: each once, however often this is run.

    TARGET is issue:OWNER/REPO#N (also pull requests), discussion:OWNER/REPO#N, discussion:OWNER/REPO/CATEGORY
    (a new discussion), release:OWNER/REPO@TAG (a section in its text), or file:PATH.

    Ends with 5 when GitHub refused. What can still succeed waits, and goes out with the next post.
    """
    from bot.delivery.post_command import PostRequest
    from bot.delivery.post_command import post as post_all

    progress = reporter()
    request = PostRequest([*(to or []), *words], config, dry_run, force_upstream, comment, asker, pair)
    outcomes = post_all(
        request, lambda wait: progress.say("post-waiting", seconds=round(wait)), unsaid(progress)
    )
    _say_outcomes(outcomes, dry_run=dry_run, as_json=as_json)
    raise typer.Exit(Exit.GITHUB if any(outcome.error for outcome in outcomes) else Exit.DONE)


def _say_outcomes(outcomes: "list[Outcome]", *, dry_run: bool, as_json: bool) -> None:
    voice, would = words(), "would-" if dry_run else ""
    for outcome in outcomes:
        if outcome.error:
            typer.echo(voice.error(outcome.error), err=True)
        elif not as_json:
            where = outcome.url or outcome.target
            typer.echo(voice.text(f"post-{would}{outcome.action}", url=where, target=outcome.target))
    if as_json:
        print_json(
            [
                {
                    "target": outcome.target,
                    "action": outcome.action,
                    "url": outcome.url or None,
                    "error": outcome.error.code if outcome.error else None,
                }
                for outcome in outcomes
            ]
        )
