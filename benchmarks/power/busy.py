"""Whether a stricter rule for a busy machine is worth it (`bot.stats.suspicion.is_proven`)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.power import ours
from benchmarks.power.figures import CHUNK
from benchmarks.power.machines import BUSY, simulate
from benchmarks.power.ours import Rates

#: The demo's own margin; two shared cores cannot show 3 %.
MARGIN = 0.10
CHANGES = (0.0, -0.10, -0.15, -0.25, -0.50)
#: Looks of the demo (four rounds), and of a whole run.
LOOKS = ((4,), (4, 6, 8, 10, 12))


@dataclass(frozen=True)
class Busy:
    """`found` and `missed` by planted change, `called`: any change where none was planted; percentages."""

    strict: bool
    rounds: int
    called: float
    all_within: float
    launches: float
    found: dict[float, float]
    missed: dict[float, float]


def busy(reports: int, seed: int) -> Iterator[Busy]:
    """Both rules, for four and for twelve rounds."""
    for looks in LOOKS:
        parts: dict[bool, dict[float, list[Rates]]] = {
            strict: {change: [] for change in CHANGES} for strict in (False, True)
        }
        for change in CHANGES:
            for first in range(0, reports, CHUNK):
                measured = simulate(BUSY, change, CHUNK, seed + first)
                for strict, found in parts.items():
                    ended = ours.sessions(measured, margin=MARGIN, looks=looks, strict=strict)
                    found[change].append(ours.rates(list(ended)))
        for strict, found in parts.items():
            yield _busy(strict, looks[-1], {change: ours.mean(part) for change, part in found.items()})


def _busy(strict: bool, rounds: int, found: Mapping[float, Rates]) -> Busy:
    same = found[0.0]
    return Busy(
        strict=strict,
        rounds=rounds,
        called=same.called,
        all_within=same.all_within,
        launches=same.launches,
        found={change: item.found for change, item in found.items() if change},
        missed={change: item.missed for change, item in found.items() if change},
    )
