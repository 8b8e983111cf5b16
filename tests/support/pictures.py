"""Records whose pictures can be checked, and what is read off a picture."""

import math
import re
from collections.abc import Sequence
from functools import cache
from typing import Any
from xml.etree import ElementTree as ET

from bot.records import Launch, MemoryTrace, Round, Run, Sample, Scenario, Side
from bot.report.charts import charts
from bot.report.words import catalog
from bot.stats.decide import compare
from tests.support import runs

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"
BOTH = (catalog("zh-Hans"), catalog("en"))
SCENARIOS = tuple(
    item.model_copy(update={"judged": ("ttft", "prefill", "decode")}) for item in runs.SCENARIOS
)
#: Launch-to-launch noise of twelve rounds (log-ratio).
NOISE = (0.004, -0.006, 0.002, -0.003, 0.005, -0.004, 0.001, 0.003, -0.002, 0.006, -0.005, -0.001)


def requests(scenarios: Sequence[Scenario], speed: float) -> tuple[Sample, ...]:
    """One request of each scenario at `speed` times the base's usual rates."""
    return tuple(
        Sample(
            scenario=item.name,
            index=0,
            warmup=False,
            prompt_n=item.prompt_tokens,
            predicted_n=64,
            prompt_ms=item.prompt_tokens * 1000 / (usual["prefill"] * speed),
            predicted_ms=63_000 / (usual["decode"] * speed),
            ttft_ms=usual["ttft"] / speed,
            wall_ms=2000.0,
        )
        for item in scenarios
        for usual in (runs.SPEEDS.get(item.name, runs.SPEEDS["coding"]),)
    )


def trace(peak: float, *, baseline: float = 412.0, count: int = 900) -> MemoryTrace:
    """The GPU's memory at 5 Hz: a ramp of 14 s, one short peak, then a little less."""
    top = peak - 40.0
    ramp = [(tick / 5, baseline + (top - baseline) * min(1.0, tick / 70) + tick % 3) for tick in range(count)]
    points = [(second, peak if tick == 777 else mib) for tick, (second, mib) in enumerate(ramp)]
    return MemoryTrace(
        source="nvml",
        total_mib=16303.0,
        baseline_mib=baseline,
        loaded_mib=top,
        peak_mib=peak,
        min_free_mib=16303.0 - peak,
        points=tuple(points),
    )


def launch(side: Side, slot: int, speed: float, **changes: Any) -> Launch:
    """A launch at `speed`, with its memory."""
    peak = 15535.0 if side == "base" else 15359.0
    values: dict[str, Any] = {"samples": requests(SCENARIOS, speed), "memory": (trace(peak),)}
    return runs.launch(side, slot, **(values | changes))


def round_of(index: int, change: float, *, invalid: str | None = None, attempt: int = 0) -> Round:
    """A round whose head is faster by `change` (a ratio) in every metric."""
    sides = (
        launch("base", 2 * index, 1.0, invalid=invalid),
        launch("head", 2 * index + 1, 1.0 + change),
    )
    return Round(index=index, attempt=attempt, order="AB", launches=sides)


def measured(*rounds: Round, margin: float = 0.03, **changes: Any) -> Run:
    """A run of these rounds, decided by the real rule."""
    profile = runs.profile(scenarios=SCENARIOS, margin=margin)
    found = compare(rounds, profile, final=True)
    return runs.run(profile=profile, rounds=rounds, comparisons=found, **changes)


@cache
def drawn() -> dict[str, str]:
    """Its pictures, in both languages."""
    return charts(full(), BOTH)


@cache
def full() -> Run:
    """Twelve noisy rounds of nine metrics, one of them measured twice."""
    noise = [round_of(index, math.expm1(2 * NOISE[index])) for index in range(12)]
    again = noise[2].model_copy(update={"attempt": 1})
    bad = round_of(2, 0.0, invalid="foreign_process")
    return measured(*noise[:2], bad, again, *noise[3:])


def parsed(text: str) -> ET.Element:
    """The document, which must be well-formed XML."""
    return ET.fromstring(text)


def by_id(root: ET.Element) -> dict[str, ET.Element]:
    """What has a name; no name stands twice."""
    found = [(element.attrib["id"], element) for element in root.iter() if "id" in element.attrib]
    assert len(dict(found)) == len(found)
    return dict(found)


def at(element: ET.Element) -> tuple[float, float]:
    """Where a marker stands, in pixels."""
    use = next(element.iter(f"{SVG}use"))
    return float(use.attrib["x"]), float(use.attrib["y"])


def across(element: ET.Element) -> tuple[float, float]:
    """From where to where a path goes, left to right."""
    numbers_ = re.findall(r"-?[\d.]+", next(element.iter(f"{SVG}path")).attrib["d"])
    xs = [float(item) for item in numbers_[::2]]
    return min(xs), max(xs)


def heights(element: ET.Element) -> list[float]:
    """The heights of a path's points, in pixels."""
    return [
        float(item) for item in re.findall(r"-?[\d.]+", next(element.iter(f"{SVG}path")).attrib["d"])[1::2]
    ]


def told(root: ET.Element) -> list[str]:
    """Every text that a reader sees."""
    return [element.text or "" for element in root.iter(f"{SVG}text")]
