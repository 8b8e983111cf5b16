"""Small records for tests: launches and rounds with given values."""

from collections.abc import Mapping, Sequence

from bot.records import (
    Launch,
    LaunchStatus,
    Machine,
    Model,
    Pair,
    Plan,
    Profile,
    Round,
    Run,
    Sample,
    Scenario,
    ServerFacts,
    Side,
    Tag,
)

CODING = Scenario(
    name="coding", prompt_tokens=160, n_predict=64, requests=3, judged=("ttft", "prefill", "decode")
)
CHAT = Scenario(name="chat", prompt_tokens=63, n_predict=8, requests=3)


def profile(*scenarios: Scenario, margin: float = 0.03) -> Profile:
    """A CPU profile with these scenarios (coding alone when none are given)."""
    return Profile(
        name="test",
        model=Model(name="tiny.gguf", sha256="0" * 64, size_mib=0.6),
        backend="cpu",
        flags=("-c", "2048"),
        scenarios=scenarios or (CODING,),
        margin=margin,
    )


def plan(**changes: object) -> Plan:
    """A plan of 12 rounds and an hour."""
    values: dict[str, object] = {
        "seed": 7,
        "max_rounds": 12,
        "looks": (4, 6, 8, 10, 12),
        "budget_s": 3600.0,
        "estimate_s": 240.0,
        "launch_s": 10.0,
    }
    return Plan.model_validate(values | changes)


def sample(scenario: Scenario, *, prefill: float, decode: float, ttft_ms: float, **changes: object) -> Sample:
    """A request that had these rates (tokens per second) and this TTFT."""
    values: dict[str, object] = {
        "scenario": scenario.name,
        "index": 0,
        "warmup": False,
        "prompt_n": scenario.prompt_tokens,
        "cache_n": 0,
        "predicted_n": scenario.n_predict,
        "prompt_ms": scenario.prompt_tokens * 1000 / prefill,
        "predicted_ms": (scenario.n_predict - 1) * 1000 / decode,
        "ttft_ms": ttft_ms,
        "wall_ms": ttft_ms + (scenario.n_predict - 1) * 1000 / decode,
    }
    return Sample.model_validate(values | changes)


def launch(
    side: Side,
    slot: int,
    *,
    speed: float = 1.0,
    scenarios: Sequence[Scenario] = (CODING,),
    status: LaunchStatus = "ok",
    total_s: float = 10.0,
    **changes: object,
) -> Launch:
    """A launch whose every request ran at `speed` times 500 t/s prefill and 50 t/s decode."""
    samples = [
        sample(
            item, prefill=500 * speed, decode=50 * speed, ttft_ms=item.prompt_tokens * 2 / speed, index=index
        )
        for item in scenarios
        for index in range(item.requests)
    ]
    values: Mapping[str, object] = {
        "side": side,
        "slot": slot,
        "status": status,
        "samples": tuple(samples) if status == "ok" else (),
        "seconds": {"total": total_s},
        "facts": ServerFacts(props={"n_ctx": 2048}),
    }
    return Launch.model_validate({**values, **changes})


def round_of(
    index: int, *, base: float = 1.0, head: float = 1.0, attempt: int = 0, **changes: object
) -> Round:
    """A valid round in the order AB."""
    launches = (launch("base", 2 * index, speed=base), launch("head", 2 * index + 1, speed=head))
    values: dict[str, object] = {"index": index, "attempt": attempt, "order": "AB", "launches": launches}
    return Round.model_validate(values | changes)


def pair() -> Pair:
    """b9553 against b9601."""
    return Pair(
        base=Tag(name="b9553", sha="a" * 40, number=9553), head=Tag(name="b9601", sha="b" * 40, number=9601)
    )


def run(**changes: object) -> Run:
    """A run that has only begun."""
    values: dict[str, object] = {
        "id": "b9553-b9601-00000000",
        "program": "0.1.0",
        "created": "2026-11-30T00:00:00+00:00",
        "pair": pair(),
        "profile": profile(),
        "machine": Machine(id="0" * 12, cpu="CPU", cores=2, ram_mib=24000.0, os="Debian 12", kernel="6.1"),
    }
    return Run.model_validate(values | changes)
