"""Whether a launch's numbers count: by protocol and placement evidence, never by speed."""

from bot.records import Backend, Launch


def judge(launch: Launch, backend: Backend) -> Launch:
    """The launch with `invalid` set where something speaks against its numbers.

    Codes: `no_offload` (a CUDA build that ran on the CPU is never "slow": llama.cpp#26024) and
    `protocol:<problem>` (the first sample whose evidence does not fit what was asked).
    """
    if launch.status != "ok" or launch.invalid:
        return launch
    reason = _no_offload(launch, backend) or _protocol(launch)
    return launch.model_copy(update={"invalid": reason}) if reason else launch


def _no_offload(launch: Launch, backend: Backend) -> str | None:
    if backend != "cuda":
        return None
    on_gpu = any(name.startswith("CUDA") and size > 0 for name, size in launch.facts.buffers.items())
    layers = launch.facts.offloaded
    return None if on_gpu or (layers and layers[0] > 0) else "no_offload"


def _protocol(launch: Launch) -> str | None:
    problem = next((sample.problem for sample in launch.samples if sample.problem), None)
    return f"protocol:{problem}" if problem else None
