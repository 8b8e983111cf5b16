"""The section `watch` of config.yml."""

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, ValidationInfo

from bot.config.fields import Duration, Kind, Name, Switch, distinct, matching, one_of, whole
from bot.config.models import Section
from bot.config.problem import problem

#: `file:` is missing on purpose: what a workflow posts is on GitHub.
_REPO = r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}"
TARGET = rf"issue:{_REPO}#[1-9][0-9]{{0,9}}|discussion:{_REPO}(#[1-9][0-9]{{0,9}}|/[A-Za-z0-9_-]{{1,100}})"
TARGET += rf"|release:{_REPO}@[^\s]{{1,200}}"
LABEL = r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}"
EVERY = r"tag|daily|weekly|[1-9][0-9]{0,3} tags"
#: git's own rules for branch names, narrowed to what needs no quoting anywhere.
BRANCH = r"(?!.*(\.\.|\.lock$|/$|//))[A-Za-z0-9][A-Za-z0-9._/-]{0,99}"

_PERIODS_S = {"daily": 24 * 3600, "weekly": 7 * 24 * 3600}


class Every(Section):
    """How often: after at least `seconds` since the last run and `tags` newer release tags."""

    seconds: int = 0
    tags: int = 1


def _every(value: object, _: ValidationInfo) -> Every:
    if isinstance(value, Every):
        return value
    if not isinstance(value, str) or not re.fullmatch(EVERY, value):
        raise problem("every")
    if value in _PERIODS_S:
        return Every(seconds=_PERIODS_S[value])
    return Every(tags=1 if value == "tag" else int(value.split()[0]))


class MachineEntry(Section):
    """One self-hosted runner with a GPU."""

    labels: Annotated[
        tuple[Annotated[str, matching(LABEL, "label")], ...], Field(min_length=1), AfterValidator(distinct)
    ] = Field(("self-hosted", "gpu"), description="Labels of the runner that the job waits for.")
    profiles: Annotated[tuple[Name, ...], AfterValidator(distinct)] = Field(
        (), description="Profiles that are watched there; the first is that of `/bench`. Default: all."
    )
    limit_s: Duration = Field(
        6 * 3600,
        alias="limit",
        description="Longest run, builds included; a longer one is stopped.",
        json_schema_extra={"default": "6h"},
    )


class WatchConfig(Section):
    """What is measured without being asked, how often, and where it is told."""

    every: Annotated[
        Every,
        Kind(_every, {"type": "string", "pattern": f"^({EVERY})$", "examples": ["tag", "daily", "10 tags"]}),
    ] = Field(
        Every(seconds=_PERIODS_S["daily"]),
        description="`tag`, `daily`, `weekly`, or `N tags`. Tags in between are skipped and listed.",
        json_schema_extra={"default": "daily"},
    )
    min_age_s: Duration = Field(
        24 * 3600,
        alias="min_age",
        description="How old a tag must be: reverts and accidents come early. Not for `/bench`.",
        json_schema_extra={"default": "24h"},
    )
    post_when: Annotated[Literal["always", "changed", "worse"], one_of("always", "changed", "worse")] = Field(
        "changed", description="Which results are posted. The others stand in the weekly digest."
    )
    posts_per_day: Annotated[int, whole(1, 100)] = Field(4, description="Most automatic posts in 24 hours.")
    gpu_hours_per_week: Annotated[int, whole(1, 168)] = Field(
        20, description="GPU hours in 7 days after which nothing more is measured unasked."
    )
    self_test_when_idle: Switch = Field(
        False,
        description="Measure also pairs in which nothing concerns the profile: free self-tests (A/A), "
        "where the electricity is yours to spend.",
    )
    digest: Switch = Field(True, description="A post once a week about what was measured and what was quiet.")
    targets: Annotated[tuple[Annotated[str, matching(TARGET, "target")], ...], AfterValidator(distinct)] = (
        Field((), description="Where automatic reports go, as for `post --to`.")
    )
    branch: Annotated[str, matching(BRANCH, "branch")] = Field(
        "llama-release-bot", description="Branch of the repository that keeps state, records and charts."
    )
    machines: Annotated[dict[Name, MachineEntry], Field(min_length=1)] = Field(
        default_factory=lambda: {"gpu": MachineEntry()},
        description="Self-hosted runners by name, as in `/bench machine=NAME`. The first is the default.",
    )
