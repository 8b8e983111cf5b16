"""Which metrics a profile judges, and what the launches say of each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.records import MetricKind, Profile, Round, Scenario
from bot.stats.paired import RoundValues


@dataclass(frozen=True, slots=True)
class Metric:
    """One kind of number in one scenario."""

    kind: MetricKind
    scenario: str

    @property
    def id(self) -> str:
        """`<kind>:<scenario>`, e.g. `decode:coding`."""
        return f"{self.kind}:{self.scenario}"

    @property
    def sign(self) -> int:
        """-1 where a larger number is worse (TTFT), else 1."""
        return -1 if self.kind == "ttft" else 1


def metrics(profile: Profile) -> tuple[Metric, ...]:
    """Every judged metric, in the profile's order."""
    return tuple(Metric(kind, scenario.name) for scenario in profile.scenarios for kind in scenario.judged)


def primary(profile: Profile) -> frozenset[str]:
    """Ids of the metrics without which there is no verdict.

    Those that the profile names; else every decode and the prefill of the longest prompt; in a profile
    that judges neither, all of them.
    """
    if profile.primary:
        return frozenset(profile.primary)
    chosen = {metric.id for metric in metrics(profile) if metric.kind == "decode"}
    prefilled = [scenario for scenario in profile.scenarios if "prefill" in scenario.judged]
    if prefilled:
        chosen.add(Metric("prefill", max(prefilled, key=_prompt_tokens).name).id)
    return frozenset(chosen or (metric.id for metric in metrics(profile)))


def _prompt_tokens(scenario: Scenario) -> int:
    return scenario.prompt_tokens


def round_values(rounds: Iterable[Round], metric: Metric) -> tuple[RoundValues | None, ...]:
    """z of both launches per round, None where either side has no value."""
    return tuple(_values(item, metric) for item in rounds)


def _values(item: Round, metric: Metric) -> RoundValues | None:
    base, head = item.side("base"), item.side("head")
    if base is None or head is None:
        return None
    z_base = base.log_median(metric.scenario, metric.kind)
    z_head = head.log_median(metric.scenario, metric.kind)
    if z_base is None or z_head is None:
        return None
    return RoundValues(metric.sign * z_base, metric.sign * z_head, base.slot, head.slot)


def present(values: Sequence[RoundValues | None]) -> tuple[RoundValues, ...]:
    """The rounds in which both sides have a value."""
    return tuple(item for item in values if item is not None)
