"""Memory that a server asked of its GPU and did not get there: its speed is then not the card's. Pure.

CUDA on Windows and WSL moves what does not fit into the host's memory without a word ("sysmem fallback");
the log names the sizes that were asked for, NVML what the card gave.
"""

from collections.abc import Iterable

from bot.records import SIDES, Difference, Launch

#: A launch's own use on the GPU is uncertain by this much: a desktop's windows move meanwhile (MiB).
TOLERANCE_MIB = 64.0


def spilled_mib(launch: Launch) -> float:
    """MiB of the server's own GPU buffers beyond what its GPUs gave it, at least; 0 where all of it fits.

    Buffers are those of the log (weights, KV cache, compute); the context and the pools of CUDA come on top,
    uncounted. Memory that is the host's anyway has no spill.
    """
    trace = next((item for item in launch.memory if item.source == "nvml"), None)
    if launch.status != "ok" or trace is None or trace.unified:
        return 0.0
    asked = sum(size for name, size in launch.facts.buffers.items() if _is_on_gpu(name))
    given = min(trace.own_mib, trace.total_mib)
    return asked - given if asked > given + TOLERANCE_MIB else 0.0


def spill(launches: Iterable[Launch]) -> tuple[Difference, ...]:
    """The difference that blocks where a launch of either side spilled: each side's largest, whole MiB.

    The verdict tells it before anything else that keeps the sides from comparing.
    """
    worst = dict.fromkeys(SIDES, 0.0)
    for launch in launches:
        worst[launch.side] = max(worst[launch.side], spilled_mib(launch))
    if not any(worst.values()):
        return ()
    base, head = (f"{worst[side]:.0f} MiB" for side in SIDES)
    return (Difference(name="spill", base=base, head=head, blocks=True),)


def _is_on_gpu(name: str) -> bool:
    return name.startswith("CUDA") and not name.startswith("CUDA_Host")
