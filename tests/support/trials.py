"""Whole records of runs whose headroom was proven, whose memory spilled, or whose head broke once."""

from collections.abc import Callable

from bot.records import Difference, Probe, ProbeStart, Reason, Round, Run, Side

from .runs import CRASH, Changed, comparison, comparisons, memory, rounds, run, unmeasured

OUT_OF_MEMORY = (
    "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 294.30 MiB on device 0: cudaMalloc failed"
)


def fits(value: int, left: float) -> ProbeStart:
    """A start that ran, with that much left."""
    return ProbeStart(
        value=value,
        status="ok",
        prompt_tokens=65536,
        peak_mib=16303.0 - left,
        headroom_mib=left,
        seconds=131.0,
    )


def ran_out(value: int) -> ProbeStart:
    """A start that ran out of memory."""
    return ProbeStart(
        value=value, status="out_of_memory", detail=OUT_OF_MEMORY, prompt_tokens=65536, seconds=14.0
    )


def proven() -> tuple[Probe, ...]:
    """The computed layers did not fit, one fewer did; the context did at once."""
    return (
        Probe(flag="-ngl", measured=50, computed=52, proven=51, starts=(ran_out(52), fits(51, 612.0))),
        Probe(flag="-c", measured=98304, computed=110592, proven=110592, starts=(fits(110592, 331.0),)),
    )


def crashed_once(side: Side = "head") -> tuple[Round, ...]:
    """Six rounds; in the third, one side's launch crashed, and the pair was measured again."""
    done = rounds(6)
    broken: dict[Side, Changed] = {side: CRASH}
    wreck = rounds(3, **broken)[2]
    return (*done[:2], wreck, done[2].model_copy(update={"attempt": 1}), *done[3:])


def spilled(base: str, head: str) -> Run:
    """A run that ended with its warm-up pair."""
    found = Difference(name="spill", base=base, head=head, blocks=True)
    buffers = Difference(name="buffer:CUDA0.compute", base="298.75 MiB", head="1324.00 MiB", blocks=False)
    return unmeasured(rounds=rounds(1), differences=(found, buffers))


def _below(probes: tuple[Probe, ...]) -> Run:
    return run(memory=memory(15535.0, 16088.0), probes=probes)


TRIALS: dict[str, Callable[[], Run]] = {
    "optional-proven": lambda: run(probes=proven()),
    "hold-headroom-proven": lambda: _below(
        (
            Probe(
                flag="-ngl", measured=50, computed=49, proven=48, starts=(fits(49, 291.0), fits(48, 586.0))
            ),
            Probe(flag="-c", measured=98304, computed=96256, cut_short=True),
        )
    ),
    "optional-broke-once": lambda: run(memory=memory(15359.0), rounds=crashed_once()),
    "optional-faster-broke-once": lambda: run(
        comparisons=comparisons(decode_coding=comparison("decode", "coding", 0.062, "improvement")),
        memory=memory(15359.0),
        rounds=crashed_once(),
    ),
    "optional-base-broke-once": lambda: run(memory=memory(15359.0), rounds=crashed_once("base")),
    "spilled": lambda: spilled("0 MiB", "1213 MiB"),
    "spilled-both": lambda: spilled("188 MiB", "1213 MiB"),
    "stopped-after-crash": lambda: unmeasured(
        rounds=rounds(1, head=CRASH), notes=(Reason(code="budget_spent", args={"rounds": 0}),)
    ),
}
