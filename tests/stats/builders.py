"""Records made from the log values that a test wants the statistics to see."""

import math
from collections.abc import Mapping, Sequence

from bot.records import Launch, MemoryTrace, Model, Profile, Round, Sample, Scenario, Side
from bot.stats.order import Order
from bot.stats.paired import RoundValues

CHAT = Scenario(name="chat", prompt_tokens=63, n_predict=8, requests=1)
DOCUMENT = Scenario(name="document", prompt_tokens=704, n_predict=8, requests=1)
CODING = Scenario(
    name="coding", prompt_tokens=532, n_predict=64, requests=1, judged=("ttft", "prefill", "decode")
)
#: One launch's natural logs of the launch median, by (scenario, kind), each in the metric's own unit.
Values = Mapping[tuple[str, str], float]


def profile(*scenarios: Scenario, margin: float = 0.03, primary: tuple[str, ...] = ()) -> Profile:
    model = Model(name="m.gguf", sha256="0" * 64, size_mib=1.0)
    return Profile(
        name="p",
        model=model,
        backend="cpu",
        flags=(),
        scenarios=scenarios or (CHAT, DOCUMENT, CODING),
        margin=margin,
        primary=primary,
    )


def sample(scenario: str, values: Mapping[str, float]) -> Sample:
    """A sample whose prefill, decode (tokens per second) and TTFT (ms) are exp of the logs given."""
    return Sample(
        scenario=scenario,
        index=0,
        warmup=False,
        prompt_n=1000,
        predicted_n=1001,
        prompt_ms=1e6 / math.exp(values.get("prefill", math.log(500))),
        predicted_ms=1e6 / math.exp(values.get("decode", math.log(12))),
        ttft_ms=math.exp(values.get("ttft", math.log(400))),
        wall_ms=1000,
    )


def launch(side: Side, slot: int, values: Values, memory: Sequence[MemoryTrace] = ()) -> Launch:
    scenarios = dict.fromkeys(scenario for scenario, _ in values)
    samples = tuple(
        sample(name, {kind: z for (scenario, kind), z in values.items() if scenario == name})
        for name in scenarios
    )
    return Launch(side=side, slot=slot, status="ok", samples=samples, memory=tuple(memory))


def round_of(index: int, base: Values, head: Values, order: Order = "AB") -> Round:
    """A valid round whose launches stand in slots 2i and 2i + 1 in the order given."""
    first, second = 2 * index, 2 * index + 1
    base_slot, head_slot = (first, second) if order == "AB" else (second, first)
    launches = (launch("base", base_slot, base), launch("head", head_slot, head))
    return Round(index=index, order=order, launches=launches if order == "AB" else launches[::-1])


#: Balanced order used wherever a test does not care.
ORDER: tuple[Order, ...] = ("AB", "BA", "BA", "AB", "AB", "BA", "BA", "AB", "BA", "AB", "AB", "BA")


def series(base: Sequence[float], head: Sequence[float], order: Sequence[str] = ORDER) -> list[RoundValues]:
    """One metric's rounds in slots 0 ... 2R-1."""
    return [
        RoundValues(a, b, 2 * i + (way == "BA"), 2 * i + (way == "AB"))
        for i, (a, b, way) in enumerate(zip(base, head, order, strict=False))
    ]


def rounds_of(
    effects: Mapping[tuple[str, str], Sequence[float]],
    *,
    jitter: float = 0.001,
    level: float = 5.0,
) -> list[Round]:
    """Rounds in which head - base of each metric is exactly the effect given, in own-unit logs.

    `jitter` is the launches' spread, the same alternating pattern for every metric.
    """
    count = max(len(values) for values in effects.values())
    result = []
    for index in range(count):
        noise = jitter * (1, -1, -1, 1)[index % 4]
        base = {key: level + noise for key, values in effects.items() if index < len(values)}
        head = {key: level + noise + values[index] for key, values in effects.items() if index < len(values)}
        result.append(round_of(index, base, head, ORDER[index]))
    return result
