"""The whole of config.yml, typed and frozen."""

import os
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from bot.config.fields import Duration, FilePath, Language, Name, distinct, listed, one_of
from bot.config.github import GithubConfig
from bot.config.models import (
    MachineConfig,
    PresetConfig,
    ProfileConfig,
    Section,
    UpstreamConfig,
    builtin_presets,
)
from bot.config.notify import Sources
from bot.config.profile import ProfileSettings, resolved, shortened
from bot.config.sources import SourcesConfig
from bot.config.watch import WatchConfig
from bot.errors import usage


def default_cache() -> Path:
    """Where builds, mirrors and runs live unless configured: in the user's cache folder (XDG)."""
    configured = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(configured) if configured.startswith("/") else Path.home() / ".cache"
    return base / "llama-release-bot"


class Settings(Section):
    """Settings of llama-release-bot."""

    version: Annotated[Literal[1], one_of(1)] = Field(1, description="Version of this format.")
    languages: Annotated[tuple[Language, ...], Field(min_length=1), AfterValidator(distinct)] = Field(
        ("zh-Hans", "en"),
        description="Languages of the report; the first is open, the others are folded.",
    )
    budget_s: Duration = Field(
        45 * 60,
        alias="budget",
        description="Time for measuring one run. It shapes requests, answers and rounds; cuts are said.",
        json_schema_extra={"default": "45m"},
    )
    evidence_budget_s: Duration = Field(
        15 * 60,
        alias="evidence_budget",
        description="Time for a run's further evidence, after the measurement; what does not fit is said.",
        json_schema_extra={"default": "15m"},
    )
    cache: FilePath = Field(
        default_factory=default_cache,
        description="Builds, mirrors and runs. Default: llama-release-bot in $XDG_CACHE_HOME or ~/.cache.",
    )
    upstream: UpstreamConfig = Field(default_factory=UpstreamConfig, description="Source of the tags.")
    sources: SourcesConfig = Field(
        default_factory=SourcesConfig, description="Where each side's binaries come from."
    )
    machine: MachineConfig = Field(default_factory=MachineConfig, description="This machine.")
    github: GithubConfig = Field(
        default_factory=GithubConfig, description="GitHub: where, as whom, for whom."
    )
    watch: WatchConfig = Field(
        default_factory=WatchConfig, description="New tags in GitHub Actions: when, where, on what."
    )
    notify: Sources = Field(
        (),
        description="Word to a phone: `env:NAME` or `file:PATH`, which hold addresses for Apprise.",
    )
    default_profile: Name | None = Field(
        None, description="Profile of runs that name none. Default: the first."
    )
    overrides: FilePath | None = Field(
        None, description="A TOML file of your own lines for commits, by pull request (docs/changelog.md)."
    )
    profiles: Annotated[dict[Name, ProfileConfig], Field(min_length=1)] = Field(
        description="What is measured, by name: a model with its flags."
    )
    presets: dict[Name, PresetConfig] = Field(
        {}, description="Shorter runs, by name. `quick` exists; an entry of that name replaces it."
    )

    def profile(self, name: str | None = None, preset: str | None = None) -> ProfileSettings:
        """One profile, complete, with a preset applied. BotError (exit 2) for an unknown name."""
        wanted = name or self.default_profile or next(iter(self.profiles))
        if wanted not in self.profiles:
            raise usage("unknown-profile", found=wanted, allowed=listed(self.profiles))
        profile = resolved(wanted, self.profiles[wanted], self.machine.reserve_mib)
        if preset is None:
            return profile
        presets = builtin_presets() | self.presets
        if preset not in presets:
            raise usage("unknown-preset", found=preset, allowed=listed(presets))
        return shortened(profile, preset, presets[preset])
