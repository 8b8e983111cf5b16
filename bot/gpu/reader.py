"""What NVML says of one GPU, number by number. Standard library and `pynvml` only: the sampler imports this.

What a driver does not know is None; what means that the GPU or the driver is gone is raised. Every name comes
from facts about real machines: GB10 has no memory of its own (gpud#1170), MIG hides most counters from the
instance (container-toolkit#842), WSL sends names that are no UTF-8 (pynvml#53), older drivers lack symbols.
"""

import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import pynvml

MIB = 2**20
#: PIDs beyond this are no PIDs: R535 swapped them with the memory column (pynvml#50). Linux's PID_MAX_LIMIT.
_PID_MAX = 2**22
#: nvml.h: invalid argument, not supported, no permission, not found, function not found, no data. The driver
#: does not know this number here; anything else means that it is gone. In digits, because old bindings lack
#: some names, and must fail with a sentence (`bot.gpu.bindings`), not at import.
_UNKNOWN = frozenset({2, 3, 4, 6, 13, 21})
_MISMATCH: type[Exception] = getattr(pynvml, "NVMLLibraryMismatchError", UnicodeDecodeError)
#: What costs speed: name, bit of the reasons (nvml.h). Bits that are not named here are counted, not judged.
REASONS = {
    "idle": 0x1,
    "app_clocks": 0x2,
    "sw_power_cap": 0x4,
    "hw_slowdown": 0x8,
    "sync_boost": 0x10,
    "sw_thermal": 0x20,
    "hw_thermal": 0x40,
    "power_brake": 0x80,
    "display": 0x100,
}
#: nvml.h: NVML_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN, ..._HW_POWER_BRAKE_SLOWDOWN.
_SLOWDOWN_FIELDS = (270, 271)

T = TypeVar("T")
Handle = Any
Number = float | None


def known(call: Callable[..., T], *arguments: Any) -> T | None:  # noqa: ANN401 - NVML's own opaque types
    """The answer, or None where this driver has none. Raises NVMLError where GPU or driver are gone."""
    try:
        return call(*arguments)
    except (UnicodeDecodeError, _MISMATCH):
        return None
    except pynvml.NVMLError as error:
        if getattr(error, "value", None) in _UNKNOWN:
            return None
        raise


def text(value: str | bytes | None) -> str:
    """NVML's texts are bytes in some versions of the bindings."""
    return value.decode(errors="replace") if isinstance(value, bytes) else value or ""


def parent_of(handle: Handle) -> Handle:
    """The GPU that a MIG instance is part of; the handle itself for a whole GPU."""
    if known(pynvml.nvmlDeviceIsMigDeviceHandle, handle):
        return known(pynvml.nvmlDeviceGetDeviceHandleFromMigDeviceHandle, handle) or handle
    return handle


def memory(handle: Handle) -> tuple[float, float, float] | None:
    """(total, used, free) MiB by NVML v1; None where the memory is shared with the host.

    v1 on purpose: whether v2's "used" holds the driver's reserve differs between drivers (gpustat#141).
    """
    info = known(pynvml.nvmlDeviceGetMemoryInfo, handle)
    if info is None or not info.total:
        return None
    return info.total / MIB, info.used / MIB, info.free / MIB


def reserved(handle: Handle) -> Number:
    """MiB that the driver keeps for itself: the one number that v2 is asked for."""
    version = getattr(pynvml, "nvmlMemory_v2", None)
    info = known(pynvml.nvmlDeviceGetMemoryInfo, handle, version) if version else None
    return info.reserved / MIB if info else None


def clocks(handle: Handle) -> tuple[Number, Number]:
    """SM and memory clock, MHz."""
    sm = known(pynvml.nvmlDeviceGetClockInfo, handle, pynvml.NVML_CLOCK_SM)
    return sm, known(pynvml.nvmlDeviceGetClockInfo, handle, pynvml.NVML_CLOCK_MEM)


def reasons(handle: Handle) -> int | None:
    """Bits of `REASONS`; older drivers have them under their older name."""
    found = known(pynvml.nvmlDeviceGetCurrentClocksEventReasons, handle)
    return known(pynvml.nvmlDeviceGetCurrentClocksThrottleReasons, handle) if found is None else found


def temperature(handle: Handle) -> Number:
    """Degrees Celsius; the older name goes away with CUDA 14."""
    found = known(pynvml.nvmlDeviceGetTemperature, handle, pynvml.NVML_TEMPERATURE_GPU)
    if found is None and hasattr(pynvml, "nvmlDeviceGetTemperatureV"):
        found = known(pynvml.nvmlDeviceGetTemperatureV, handle, pynvml.NVML_TEMPERATURE_GPU)
    return found


def processes(handle: Handle) -> list[tuple[int, Number]] | None:
    """(pid, MiB or None) of what computes there, desktop programs left out; None where it cannot be told.

    PIDs are the host's, in a container too. This call holds a lock of the driver for milliseconds
    (MangoHud#2104): before and after a launch only.
    """
    computing = _first(handle, "nvmlDeviceGetComputeRunningProcesses")
    if computing is None:
        return None
    drawing = {item.pid for item in _first(handle, "nvmlDeviceGetGraphicsRunningProcesses") or ()}
    found = [(item.pid, _mib(item.usedGpuMemory)) for item in computing if item.pid not in drawing]
    return None if any(pid > _PID_MAX for pid, _ in found) else found


def _first(handle: Handle, name: str) -> list[Any] | None:
    """The list in the newest form that this driver has (nvitop#181)."""
    calls = (getattr(pynvml, f"{name}_{version}", None) for version in ("v3", "v2"))
    found = (known(call, handle) for call in calls if call)
    return next((item for item in found if item is not None), None)


def _mib(value: int | None) -> Number:
    return None if value is None else value / MIB


def row(handle: Handle, gpu: Handle) -> list[Number]:
    """SM MHz, memory MHz, reasons, P-state, degrees, watts, utilisation in percent: cheap calls only."""
    watts = known(pynvml.nvmlDeviceGetPowerUsage, gpu)
    use = known(pynvml.nvmlDeviceGetUtilizationRates, handle)
    return [
        *clocks(gpu),
        reasons(gpu),
        known(pynvml.nvmlDeviceGetPerformanceState, gpu),
        temperature(gpu),
        watts / 1000 if watts is not None else None,
        float(use.gpu) if use else None,
    ]


def state(handle: Handle, gpu: Handle) -> dict[str, Any]:
    """What is read at moments: counters in seconds and joules, the power limit, the PCIe link."""
    energy = known(pynvml.nvmlDeviceGetTotalEnergyConsumption, gpu)
    limit = known(pynvml.nvmlDeviceGetEnforcedPowerLimit, gpu)
    return {
        "at": time.monotonic(),
        "energy_j": energy / 1000 if energy is not None else None,
        "limit_w": limit / 1000 if limit is not None else None,
        "pcie_width": known(pynvml.nvmlDeviceGetCurrPcieLinkWidth, gpu),
        "pcie_generation": known(pynvml.nvmlDeviceGetCurrPcieLinkGeneration, gpu),
        "thermal_s": _violation(gpu, pynvml.NVML_PERF_POLICY_THERMAL),
        "power_s": _violation(gpu, pynvml.NVML_PERF_POLICY_POWER),
        "hardware_s": _hardware(gpu),
        "processes": processes(handle),
    }


def _violation(gpu: Handle, policy: int) -> Number:
    """Seconds so far under that policy (nvmlDeviceGetViolationStatus counts ns); GeForce may not count."""
    found = known(pynvml.nvmlDeviceGetViolationStatus, gpu, policy)
    return found.violationTime / 1e9 if found else None


def _hardware(gpu: Handle) -> Number:
    """Seconds so far of hardware thermal slowdown and power brake (DCGM names the same fields `_NS`)."""
    found = known(pynvml.nvmlDeviceGetFieldValues, gpu, list(_SLOWDOWN_FIELDS))
    told = [item.value.ullVal for item in found or () if item.nvmlReturn == pynvml.NVML_SUCCESS]
    return sum(told) / 1e9 if told else None


class GpuReader:
    """One GPU or MIG instance, by UUID. Raises NVMLError where it is not there."""

    def __init__(self, uuid: str) -> None:
        self.uuid = uuid
        self.handle = pynvml.nvmlDeviceGetHandleByUUID(uuid)
        self.gpu = parent_of(self.handle)
        found = memory(self.handle)
        self.unified = found is None
        self.total = found[0] if found else None
        self.reserved = None if self.unified else reserved(self.handle)

    def used_free(self) -> tuple[float, float] | None:
        """MiB; None where the memory is the host's. Raises LookupError where it was known and is no more."""
        if self.unified:
            return None
        found = memory(self.handle)
        if found is None:
            raise LookupError("the memory is no longer reported")
        return found[1], found[2]

    def row(self) -> list[Number]:
        """See `row`."""
        return row(self.handle, self.gpu)

    def state(self) -> dict[str, Any]:
        """See `state`."""
        return state(self.handle, self.gpu)


def open_all(uuids: Sequence[str]) -> list[GpuReader]:
    """Start NVML and open these GPUs. Raises whatever NVML raises."""
    start: Callable[[], None] = pynvml.nvmlInit
    start()
    return [GpuReader(uuid) for uuid in uuids]
