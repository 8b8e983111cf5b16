"""Parallel streams summed up: together, the slowest, the fastest, and how even."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from bot.records import SIDES, Measure, Sample, Side
from bot.stats.fairness import jain
from bot.stats.pairs import summed

Wave = Mapping[str, Any]


def measures(launches: Sequence[tuple[Side, Sequence[Wave]]]) -> tuple[Measure, ...]:
    """From each launch's waves ({seconds, samples}): the median over its waves, then over launches.

    The aggregate counts generated tokens from the first send of a wave to its last end, so that prefill and
    queueing count too; a stream's own rate is its decode.
    """
    seen: dict[str, dict[Side, list[float]]] = {name: {side: [] for side in SIDES} for name in _NAMES}
    for side, waves in launches:
        told = [_wave(wave) for wave in waves]
        for name in _NAMES if told else ():
            seen[name][side].append(median(wave[name] for wave in told))
    found = (summed(name, unit, *(seen[name][side] for side in SIDES)) for name, unit in _NAMES.items())
    return tuple(item for item in found if item)


_NAMES = {
    "slots_total": "tokens_per_second",
    "slots_slowest": "tokens_per_second",
    "slots_fastest": "tokens_per_second",
    "slots_fairness": "",
}


def _wave(wave: Wave) -> dict[str, float]:
    samples = [Sample.model_validate(item) for item in wave["samples"]]
    rates = [item.decode for item in samples]
    return {
        "slots_total": sum(item.predicted_n for item in samples) / wave["seconds"],
        "slots_slowest": min(rates),
        "slots_fastest": max(rates),
        "slots_fairness": jain(rates),
    }
