"""The whole of one run."""

from collections.abc import Iterable

from pydantic import ConfigDict, Field

from bot.records.asked import Machine, Plan, Profile
from bot.records.base import SCHEMA, Reason, Record, Side
from bot.records.build import Build
from bot.records.changelog import Highlights
from bot.records.evidence import Evidence
from bot.records.launch import Launch, Round
from bot.records.outcome import Calibration, Comparison, Difference, MemoryComparison, Verdict
from bot.records.pair import Changes, Pair
from bot.records.probe import Probe
from bot.records.self_test import SelfTest
from bot.records.trouble import Recheck, UpstreamTrouble


class Run(Record):
    """Everything known of one run; `schema_version` is written as `schema`.

    `fingerprint` is what could move this machine's numbers (`bot.gpu.fingerprint`, and what the builds and
    the server add), `changed` how it differs from the run `changed_since`, the last one here (its value is
    in `base`).
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True)

    schema_version: int = Field(default=SCHEMA, alias="schema")
    id: str
    program: str
    created: str
    asked_by: str = "cli"
    pair: Pair
    profile: Profile
    machine: Machine
    languages: tuple[str, ...] = ("zh-Hans", "en")
    builds: tuple[Build, ...] = ()
    plan: Plan | None = None
    warmup: Round | None = None
    rounds: tuple[Round, ...] = ()
    comparisons: tuple[Comparison, ...] = ()
    memory: MemoryComparison | None = None
    differences: tuple[Difference, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    probes: tuple[Probe, ...] = ()
    changes: Changes | None = None
    highlights: Highlights | None = None
    verdict: Verdict | None = None
    notes: tuple[Reason, ...] = ()
    seconds: dict[str, float] = {}
    fingerprint: dict[str, str] = {}
    changed: tuple[Difference, ...] = ()
    changed_since: str | None = None
    calibration: Calibration | None = None
    self_test: SelfTest | None = None
    upstream_trouble: UpstreamTrouble | None = None
    recheck: Recheck | None = None

    @property
    def valid_rounds(self) -> tuple[Round, ...]:
        """The rounds that count, in the order run."""
        return tuple(item for item in self.rounds if item.is_valid)

    @property
    def failed_builds(self) -> tuple[Build, ...]:
        """The sides that did not build."""
        return tuple(build for build in self.builds if build.status == "failed")

    def build(self, side: Side) -> Build | None:
        """That side's build, None before it was made."""
        return next((build for build in self.builds if build.side == side), None)

    @property
    def has_mixed_sources(self) -> bool:
        """Whether one side was compiled here and the other not, or otherwise made by others: speed tells
        of compilers and options then, not of the tags."""
        return len({build.source for build in self.builds}) > 1

    def launches(self, side: Side | None = None) -> Iterable[Launch]:
        """Every launch made, warm-up pair and invalid ones included."""
        rounds = ((self.warmup,) if self.warmup else ()) + self.rounds
        return (launch for item in rounds for launch in item.launches if side is None or launch.side == side)
