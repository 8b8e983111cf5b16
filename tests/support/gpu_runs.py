"""Whole records of an A/A run on a GPU, as a healthy one leaves them; parts may be changed."""

from typing import Any

from bot.records import Gpu, GpuTrace, Launch, MemoryTrace, Pair, Round, Run, ServerFacts, Side, Spread
from tests.support import runs

BUFFERS = {"CUDA0.model": 800.0, "CUDA0.KV": 128.0, "CUDA0.compute": 72.0, "CUDA_Host.compute": 16.0}
#: The log's 1000 MiB and what CUDA takes besides.
OWN = 1480.0


def gpu_launch(side: Side, slot: int, **changes: Any) -> Launch:
    """One launch; `own`, `after`, `points`, `facts` and `gpu` change what was seen of it."""
    own, baseline, total = changes.pop("own", OWN), 520.0, 143771.0
    points = changes.pop("points", tuple((number / 5, baseline + own) for number in range(50)))
    memory = MemoryTrace(
        source="nvml",
        total_mib=total,
        baseline_mib=baseline,
        loaded_mib=baseline + own,
        peak_mib=baseline + own,
        after_mib=baseline + changes.pop("after", 0.0),
        min_free_mib=total - baseline - own,
        points=points,
    )
    facts = {"buffers": BUFFERS, "offloaded": (3, 3), "devices": ("NVIDIA H200 (cc 9.0)",)}
    trace = {
        "id": "g",
        "total_mib": total,
        "baseline_mib": baseline,
        "peak_mib": baseline + own,
        "busy": 20,
        "sm_mhz": Spread(low=1900.0, median=1980.0, high=1980.0),
        "pstates": {"P0": 1.0},
        "reasons": {"sw_power_cap": 0.25},
        "power_w": 310.0,
        "end_c": 48.0,
    }
    return runs.launch(
        side,
        slot,
        memory=(memory,),
        facts=ServerFacts.model_validate(facts | changes.pop("facts", {})),
        gpus=(GpuTrace.model_validate(trace | changes.pop("gpu", {})),),
        **changes,
    )


def gpu_run(head: dict[str, Any] | None = None, **changes: Any) -> Run:
    """Six rounds of a build against itself; `head` changes every launch of that side."""
    rounds = tuple(
        Round(
            index=index,
            order="AB",
            launches=(
                gpu_launch("base", 2 * index),
                gpu_launch("head", 2 * index + 1, **(head or {})),
            ),
        )
        for index in range(6)
    )
    same = Pair(base=runs.HEAD, head=runs.HEAD, ancestor=True, commits=0)
    card = Gpu(id="g", name="NVIDIA H200", driver="580", total_mib=143771.0, compute_capability="9.0")
    values = {
        "pair": same,
        "rounds": rounds,
        "machine": runs.machine(gpu=card),
        "memory": runs.memory(2000.0, 2001.0),
        "verdict": None,
    }
    return runs.run(**(values | changes))
