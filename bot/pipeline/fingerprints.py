"""The fingerprint of a run: gathered, compared between the sides and with the last run on this machine."""

from collections.abc import Iterator
from pathlib import Path

from bot import store
from bot.config import Settings
from bot.errors import BotError
from bot.gpu.fingerprint import machine_facts
from bot.gpu.nvml import Device
from bot.records import Difference, Record, Run

#: /props that are the build's or the model file's own and stand in the record anyway.
_OWN = frozenset({"build_info", "model"})


class Last(Record):
    """The file in the cache: what the last run on this machine was measured on."""

    run: str
    facts: dict[str, str]


def compared(settings: Settings, device: Device | None, run: Run) -> Run:
    """The run with its fingerprint, and with what of it differs from the last run's.

    A fact that only one of them has is no change: another driver may simply tell less.
    """
    facts = {**machine_facts(device), **dict(_run_facts(run))}
    last = _last(place(settings, run))
    if last is None or last.run == run.id:
        return run.model_copy(update={"fingerprint": facts})
    changed = tuple(
        Difference(name=name, base=last.facts[name], head=value, blocks=False)
        for name, value in facts.items()
        if last.facts.get(name, value) != value
    )
    return run.model_copy(update={"fingerprint": facts, "changed": changed, "changed_since": last.run})


def between_sides(run: Run) -> tuple[Difference, ...]:
    """Tools and options that the two builds do not share: a kept build may be older than a compiler."""
    base, head = run.build("base"), run.build("head")
    if base is None or head is None:
        return ()
    sides = [{**build.options, **{tool.name: tool.version for tool in build.tools}} for build in (base, head)]
    return tuple(
        Difference(name=f"build:{name}", base=sides[0][name], head=value, blocks=False)
        for name, value in sides[1].items()
        if sides[0].get(name, value) != value
    )


def remember(settings: Settings, run: Run) -> None:
    """Keep this run's fingerprint for the next one, unless it never got as far as having one."""
    if run.fingerprint:
        store.save(place(settings, run), Last(run=run.id, facts=run.fingerprint))


def place(settings: Settings, run: Run) -> Path:
    """Where this machine's last fingerprint lies."""
    return settings.cache / "fingerprints" / f"{run.machine.id}.json"


def _run_facts(run: Run) -> Iterator[tuple[str, str]]:
    """What builds, profile and server add; the profile's own are only compared with the same profile's."""
    head = run.build("head")
    for tool in head.tools if head else ():
        yield f"tool.{tool.name}", tool.version
    name = run.profile.name
    yield f"profile.{name}.model", f"{run.profile.model.name} {run.profile.model.sha256[:12]}"
    yield f"profile.{name}.flags", " ".join(run.profile.flags)
    launches = [launch for launch in run.launches("head") if launch.facts.props]
    for key, value in sorted(launches[-1].facts.props.items()) if launches else ():
        if key not in _OWN:
            yield f"server.{name}.{key}", str(value)


def _last(path: Path) -> Last | None:
    """None where there is no file or none that can be read: it is a convenience."""
    try:
        return store.load(path, Last) if path.is_file() else None
    except BotError:
        return None
