"""Who else computes on a GPU, seen from outside a launch.

In a PID namespace of its own a launch sees no process of others, in /proc or through NVML (the driver leaves
out what has no number there), so that its sampler would find every GPU free. Nothing of the launch runs when
this looks, so that whatever it finds is somebody else's.
"""

from collections.abc import Sequence

import pynvml

from bot.gpu import nvml, reader

#: By UUID the PIDs that compute there, desktop programs left out; None where it cannot be told.
Seen = dict[str, frozenset[int] | None]


def look(uuids: Sequence[str]) -> Seen:
    """Who computes there now; a driver or GPU that does not answer tells nothing."""
    try:
        with nvml.session():
            return {uuid: _pids(uuid) for uuid in uuids}
    except pynvml.NVMLError:
        return dict.fromkeys(uuids)


def counts(before: Seen, after: Seen, uuid: str) -> dict[str, int | None]:
    """As `records.GpuTrace` has them: who was there before the launch, and who came meanwhile and stayed."""
    first, last = before.get(uuid), after.get(uuid)
    came = None if first is None or last is None else len(last - first)
    return {"foreign_before": None if first is None else len(first), "foreign_after": came}


def _pids(uuid: str) -> frozenset[int] | None:
    found = reader.processes(pynvml.nvmlDeviceGetHandleByUUID(uuid))
    return None if found is None else frozenset(pid for pid, _ in found)
