"""A profile as it is run: every default filled in, a preset applied."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from pydantic import Field

from bot.config.models import DEFAULT_EVIDENCE, LOOKS, PresetConfig, ProfileConfig, ScenarioConfig
from bot.errors import usage
from bot.records import Backend, EvidenceKind, MetricKind, Model, Profile, Record, Scenario

#: Answer lengths in tokens: where decode is judged, the least there, and elsewhere.
DECODE_ANSWER, SHORTEST_DECODE, OTHER_ANSWER = 64, 32, 8


class ScenarioSettings(Record):
    """One prompt shape, complete."""

    name: str
    prompt: Path
    prompt_tokens: int
    n_predict: int
    requests: int
    judged: tuple[MetricKind, ...]

    def text(self) -> str:
        """The prompt's text, longer than `prompt_tokens`; OSError when the file has gone."""
        return self.prompt.read_text(encoding="utf-8")

    @property
    def metrics(self) -> tuple[str, ...]:
        """Ids of what is judged here, `<kind>:<scenario>`."""
        return tuple(f"{kind}:{self.name}" for kind in self.judged)


class ProfileSettings(Record):
    """The conditions of a run. `primary` is empty where the profile leaves the choice to the rules."""

    name: str
    model: Path
    flags: tuple[str, ...]
    scenarios: tuple[ScenarioSettings, ...]
    margin: float
    primary: tuple[str, ...]
    rounds: int
    reserve_mib: int
    preset: str | None = None
    evidence: tuple[EvidenceKind, ...] = ()
    daily_flags: tuple[str, ...] = ()
    variants: dict[str, tuple[str, ...]] = Field(default_factory=dict)

    @property
    def looks(self) -> tuple[int, ...]:
        """The numbers of rounds at which the decision is made (docs/measuring.md)."""
        return tuple(look for look in LOOKS if look <= self.rounds)


def resolved(name: str, config: ProfileConfig, reserve_mib: int) -> ProfileSettings:
    """The profile with its defaults filled in."""
    return ProfileSettings(
        name=name,
        model=config.model,
        flags=config.flags,
        scenarios=tuple(_scenario(key, config) for key in config.scenarios),
        margin=config.margin,
        primary=config.primary or (),
        rounds=config.rounds,
        reserve_mib=reserve_mib,
        evidence=config.evidence,
        daily_flags=config.daily_flags,
        variants=config.variants,
    )


def shortened(profile: ProfileSettings, name: str, preset: PresetConfig) -> ProfileSettings:
    """The profile with a preset applied; BotError (exit 2) when the preset leaves no scenario of it."""
    kept = _kept(profile, preset)
    if not kept:
        raise usage("preset-empty", preset=name, profile=profile.name)
    most = preset.requests
    scenarios = tuple(
        item.model_copy(update={"requests": min(item.requests, most or item.requests)}) for item in kept
    )
    left = {metric for item in scenarios for metric in item.metrics}
    return profile.model_copy(
        update={
            "scenarios": scenarios,
            "primary": tuple(metric for metric in profile.primary if metric in left),
            "rounds": min(profile.rounds, preset.rounds or profile.rounds),
            "evidence": tuple(kind for kind in profile.evidence if kind in _asked(preset, profile)),
            "preset": name,
        }
    )


def profile_hash(profile: ProfileSettings, model_sha256: str, backend: Backend) -> str:
    """SHA-256 (hex) over all that the measurement and its decision depend on.

    Names, the model's path and the reserve are no part of it; texts of prompts are. What is new since the
    first records counts only where it is set, so that a run begun with an older version is gone on with.
    """
    facts = {
        "model": model_sha256,
        "backend": backend,
        "flags": profile.flags,
        "margin": profile.margin,
        "primary": sorted(profile.primary),
        "rounds": profile.rounds,
        **dict(_evidence(profile)),
        "scenarios": [_facts(item) for item in profile.scenarios],
    }
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def to_record(profile: ProfileSettings, model: Model, backend: Backend) -> Profile:
    """The conditions as the run's record holds them."""
    return Profile(
        name=profile.name,
        model=model,
        backend=backend,
        flags=profile.flags,
        scenarios=tuple(_record(item) for item in profile.scenarios),
        margin=profile.margin,
        primary=profile.primary,
        reserve_mib=profile.reserve_mib,
        preset=profile.preset,
        hash=profile_hash(profile, model.sha256, backend),
    )


def decode_scenarios(config: ProfileConfig) -> tuple[str, ...]:
    """Where decode is judged: `decode_in`, else where `judged` lists it, else in the last scenario."""
    listed = tuple(name for name, item in config.scenarios.items() if "decode" in (item.judged or ()))
    if config.decode_in is not None:
        return config.decode_in + tuple(name for name in listed if name not in config.decode_in)
    last, item = list(config.scenarios.items())[-1]
    return listed or (() if item.judged else (last,))


def _scenario(name: str, config: ProfileConfig) -> ScenarioSettings:
    item: ScenarioConfig = config.scenarios[name]
    judged: tuple[MetricKind, ...] = item.judged or ("ttft", "prefill")
    if name in decode_scenarios(config) and "decode" not in judged:
        judged = (*judged, "decode")
    return ScenarioSettings(
        name=name,
        prompt=item.prompt,
        prompt_tokens=item.prompt_tokens,
        n_predict=item.n_predict or (DECODE_ANSWER if "decode" in judged else OTHER_ANSWER),
        requests=item.requests,
        judged=judged,
    )


def _kept(profile: ProfileSettings, preset: PresetConfig) -> tuple[ScenarioSettings, ...]:
    if preset.scenarios == ("all",):
        return profile.scenarios
    names = tuple(_primary(profile)) if preset.scenarios == ("primary",) else preset.scenarios
    return tuple(item for item in profile.scenarios if item.name in names)


def _primary(profile: ProfileSettings) -> Iterator[str]:
    """Names of the scenarios that the verdict needs: the profile's primary metrics, else those of decode
    and of the longest prompt."""
    longest = max(profile.scenarios, key=lambda item: ("prefill" in item.judged, item.prompt_tokens))
    for item in profile.scenarios:
        if profile.primary:
            needed = not set(item.metrics).isdisjoint(profile.primary)
        else:
            needed = item is longest or "decode" in item.judged
        if needed:
            yield item.name


def _asked(preset: PresetConfig, profile: ProfileSettings) -> tuple[EvidenceKind, ...]:
    return profile.evidence if preset.evidence is None else preset.evidence


def _evidence(profile: ProfileSettings) -> Iterator[tuple[str, object]]:
    if profile.evidence != DEFAULT_EVIDENCE:
        yield "evidence", profile.evidence
    if profile.daily_flags and not {"warm_chat", "canary"}.isdisjoint(profile.evidence):
        yield "daily_flags", profile.daily_flags
    if "variant" in profile.evidence:
        yield "variants", profile.variants


def _facts(scenario: ScenarioSettings) -> dict[str, object]:
    facts = scenario.model_dump(mode="json", exclude={"prompt"})
    return {**facts, "text": hashlib.sha256(scenario.text().encode()).hexdigest()}


def _record(scenario: ScenarioSettings) -> Scenario:
    return Scenario(**scenario.model_dump(exclude={"prompt"}))
