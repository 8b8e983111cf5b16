"""What a variant of the profile costs and brings, from a few launches of each side."""

from collections.abc import Iterator, Sequence
from statistics import median

from bot.records import SIDES, Launch, Measure, MetricKind, Profile, Side
from bot.stats.pairs import summed


def measures(launches: Sequence[Launch], profile: Profile) -> tuple[Measure, ...]:
    """Prefill of the longest prompt, decode, memory, and how many drafted tokens were taken.

    From the valid launches alone; what neither side shows is left out.
    """
    good = [item for item in launches if item.is_valid]
    found = (_prefill(good, profile), _decode(good, profile), *_memory(good), _acceptance(good))
    return tuple(item for item in found if item)


def acceptance(launch: Launch) -> float | None:
    """Share of the drafted tokens that were taken; None where nothing was drafted."""
    drafted = sum(item.draft_n or 0 for item in launch.samples)
    taken = sum(item.draft_n_accepted or 0 for item in launch.samples)
    return taken / drafted if drafted else None


def _prefill(launches: Sequence[Launch], profile: Profile) -> Measure | None:
    longest = max(profile.scenarios, key=lambda item: item.prompt_tokens)
    return _rate(launches, longest.name, "prefill")


def _decode(launches: Sequence[Launch], profile: Profile) -> Measure | None:
    decoding = [item.name for item in profile.scenarios if "decode" in item.judged]
    return _rate(launches, decoding[0], "decode") if decoding else None


def _rate(launches: Sequence[Launch], scenario: str, kind: MetricKind) -> Measure | None:
    def of(side: Side) -> list[float]:
        found = (item.values(scenario, kind) for item in launches if item.side == side)
        return [median(values) for values in found if values]

    return summed(kind, "tokens_per_second", *(of(side) for side in SIDES))


def _memory(launches: Sequence[Launch]) -> Iterator[Measure | None]:
    for source, name in (("nvml", "vram_peak"), ("rss", "rss_peak")):
        base, head = (_peaks(launches, side, source) for side in SIDES)
        if base or head:
            yield summed(name, "mib", base, head)
            return


def _peaks(launches: Sequence[Launch], side: Side, source: str) -> list[float]:
    mine = (item for item in launches if item.side == side)
    return [trace.own_mib for item in mine for trace in item.memory if trace.source == source]


def _acceptance(launches: Sequence[Launch]) -> Measure | None:
    base, head = ([acceptance(item) for item in launches if item.side == side] for side in SIDES)
    return summed("acceptance", "ratio", *([x for x in side if x is not None] for side in (base, head)))
