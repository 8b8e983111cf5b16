"""From what was asked to a run that has a pair, a model, a machine, an identity and a folder."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from bot import __version__
from bot.config import Settings, to_record
from bot.errors import BotError
from bot.gpu import nvml
from bot.gpu.machine import fingerprint
from bot.gpu.nvml import Device
from bot.model import inspect
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.context import Context
from bot.pipeline.identity import Identity, choose, choose_in
from bot.pipeline.in_use import base_in_use
from bot.pipeline.request import Request
from bot.pipeline.sides import Sides, look, must_match, named
from bot.pipeline.sides import identity as sources_of
from bot.progress import Reporter
from bot.records import Backend, Machine, Pair, Profile, Reason, Run
from bot.upstream.mirror import Mirror, mirror_path


@dataclass(frozen=True)
class _Question:
    """What the run's identity is made of."""

    pair: Pair
    profile: Profile
    machine: Machine
    sides: Sides


def begin(settings: Settings, request: Request, reporter: Reporter) -> tuple[Context, Run]:
    """The context of a run and its first record. Nothing of its folder is touched yet: see `take_up`.

    Raises BotError: exit 2 for an unknown tag, profile or folder, exit 4 where the machine lacks something.
    """
    profile = settings.profile(request.profile, request.preset)
    device = find_device(settings)
    backend: Backend = "cuda" if device else "cpu"
    with reporter.stage("progress-model", name=profile.model.name) as advance:
        model = inspect(profile.model, settings.cache / "models", progress=advance)
    sides = look(settings, request)
    mirror = open_mirror(settings, reporter)
    question = _Question(
        pair=_pair(settings, request, mirror, sides, reporter),
        profile=to_record(profile, model, backend),
        machine=fingerprint(device),
        sides=sides,
    )
    identity, folder = _place(request, question)
    context = Context(
        settings=settings,
        profile=profile,
        mirror=mirror,
        folder=folder,
        reporter=reporter,
        backend=backend,
        device=device,
        sides=sides,
        wrapper=request.wrapper,
    )
    return context, _first_record(settings, request, question, identity)


def _pair(settings: Settings, request: Request, mirror: Mirror, sides: Sides, reporter: Reporter) -> Pair:
    """The pair: what was named, else what the user's own binaries say, what they run, or the rules."""
    head = named(sides["head"], request.head, mirror, "--head")
    base = named(sides["base"], request.base, mirror, "--base")
    asked = replace(request, base=base, head=head)
    pair = mirror.pair(base or base_in_use(settings, asked, mirror, reporter), head)
    must_match(sides, pair)
    return pair


def take_up(context: Context, first: Run) -> Run:
    """The record as begun: `first`, or an unfinished start of the same run. Call it under the lock."""
    begun = context.folder.start(first)
    context.reporter.say("progress-begin", id=begun.id, folder=str(context.folder.path))
    return begun


def find_device(settings: Settings) -> Device | None:
    """The GPU to measure on; None for the CPU backend. Raises BotError (exit 4) where CUDA has no GPU."""
    machine = settings.machine
    if machine.backend == "cpu" or (machine.backend == "auto" and not nvml.devices()):
        return None
    return nvml.find(machine.gpu)


def open_mirror(settings: Settings, reporter: Reporter) -> Mirror:
    """The mirror, brought up to date; what moved or vanished upstream is said.

    Without a network the tags that are known go on working.
    """
    url = settings.upstream.url
    path = mirror_path(settings.cache, url)
    with reporter.stage("progress-mirror", url=url) as advance:
        known = path.exists()
        mirror = Mirror.open(url, path, progress=advance)
        if known:
            _update(mirror, reporter)
    return mirror


def _update(mirror: Mirror, reporter: Reporter) -> None:
    try:
        update = mirror.update()
    except BotError as error:
        if error.code != "upstream-unreachable":
            raise
        reporter.say("progress-offline", why=str(error.values.get("why", "")))
        return
    for moved in update.moved:
        reporter.say("progress-tag-moved", tag=moved.name, was=moved.was[:9], now=moved.now[:9])
    for name in update.vanished:
        reporter.say("progress-tag-vanished", tag=name)


def _place(request: Request, question: _Question) -> tuple[Identity, RunFolder]:
    of_sides = sources_of(question.sides)
    identity = Identity(question.pair, question.profile.hash, question.machine.id, sources=of_sides)
    if request.out is not None:
        return choose_in(identity, request.out, again=request.again)
    return choose(identity, request.runs, again=request.again)


def _first_record(settings: Settings, request: Request, question: _Question, identity: Identity) -> Run:
    return Run(
        id=identity.id,
        program=__version__,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        asked_by=request.asked_by,
        pair=question.pair,
        profile=question.profile,
        machine=question.machine,
        languages=settings.languages,
        notes=tuple(Reason(code=code) for code in request.notes),
    )


def intents(settings: Settings) -> Path:
    """Where the hooks' intents lie, for all runs of this cache."""
    return settings.cache / "hooks"
