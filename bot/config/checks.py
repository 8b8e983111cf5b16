"""What no single value shows: settings that contradict each other."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.config.document import Loc
from bot.config.fields import listed
from bot.config.models import ProfileConfig
from bot.config.profile import SHORTEST_DECODE, ProfileSettings, resolved
from bot.config.server_flags import DAILY_FLAGS, context_size, refused
from bot.config.settings import Settings


@dataclass(frozen=True)
class Problem:
    """Something wrong at `loc`, worded by `error-config-<code>`. `found` replaces the value's own text."""

    loc: Loc
    code: str
    args: dict[str, str]
    found: str | None = None


def problems(settings: Settings) -> Iterator[Problem]:
    """All contradictions, in the order of the sections."""
    if settings.machine.backend == "cpu" and settings.machine.gpu != "auto":
        yield Problem(("machine", "gpu"), "gpu-on-cpu", {})
    name = settings.default_profile
    if name is not None and name not in settings.profiles:
        yield Problem(("default_profile",), "choice", {"allowed": listed(settings.profiles)})
    for machine, entry in settings.watch.machines.items():
        at = ("watch", "machines", machine, "profiles")
        yield from _unknown(at, entry.profiles, settings.profiles)
    for key, config in settings.profiles.items():
        # A name that is not there would stop the resolving below.
        unknown = list(_decode_in(("profiles", key), config))
        yield from unknown or _profile(("profiles", key), config, resolved(key, config, 0))
    yield from _presets(settings)


def _decode_in(at: Loc, config: ProfileConfig) -> Iterator[Problem]:
    yield from _unknown((*at, "decode_in"), config.decode_in or (), config.scenarios)


def _profile(at: Loc, config: ProfileConfig, profile: ProfileSettings) -> Iterator[Problem]:
    if found := refused(profile.flags):
        yield Problem((*at, "flags"), found[0], {}, found[1])
    if found := refused(profile.daily_flags, DAILY_FLAGS):
        yield Problem((*at, "daily_flags"), found[0], {}, found[1])
    for name, flags in profile.variants.items():
        if found := refused(flags):
            yield Problem((*at, "variants", name), found[0], {}, found[1])
    for item in profile.scenarios:
        where = (*at, "scenarios", item.name)
        if "decode" in item.judged and item.n_predict < SHORTEST_DECODE:
            yield Problem((*where, "n_predict"), "short-answer", {"low": str(SHORTEST_DECODE)})
        needed, context = item.prompt_tokens + item.n_predict, context_size(profile.flags)
        if context is not None and needed > context:
            args = {"needed": str(needed), "context": str(context)}
            yield Problem((*where, "prompt_tokens"), "context", args, str(item.prompt_tokens))
    metrics = [metric for item in profile.scenarios for metric in item.metrics]
    yield from _unknown((*at, "primary"), config.primary or (), metrics)


def _presets(settings: Settings) -> Iterator[Problem]:
    known = dict.fromkeys(name for item in settings.profiles.values() for name in item.scenarios)
    for key, preset in settings.presets.items():
        at = ("presets", key, "scenarios")
        if preset.scenarios not in (("all",), ("primary",)):
            yield from _unknown(at, preset.scenarios, known)


def _unknown(at: Loc, names: tuple[str, ...], known: Iterable[str]) -> Iterator[Problem]:
    allowed = tuple(known)
    for index, name in enumerate(names):
        if name not in allowed:
            yield Problem((*at, index), "choice", {"allowed": listed(allowed)}, name)
