"""The one door to NVML (`pynvml` of the package nvidia-ml-py): GPUs by UUID, never by index.

NVML's index order is not CUDA's and changes between boots, so that a UUID is the only name used here.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pynvml

from bot.errors import environment

MIB = 2**20


@dataclass(frozen=True)
class Device:
    """One GPU as NVML names it; `total_mib` is None where memory is shared with the host."""

    uuid: str
    name: str
    driver: str
    total_mib: float | None
    used_mib: float | None
    compute_capability: str | None

    @property
    def cuda_arch(self) -> str | None:
        """As CMAKE_CUDA_ARCHITECTURES takes it; 12.x needs its own `a` form (llama.cpp#18363)."""
        if self.compute_capability is None:
            return None
        digits = self.compute_capability.replace(".", "")
        return f"{digits}a" if digits.startswith("12") else digits


def devices() -> tuple[Device, ...]:
    """Every GPU of this machine; empty where there is no driver."""
    try:
        with _session():
            driver = _text(pynvml.nvmlSystemGetDriverVersion())
            count = pynvml.nvmlDeviceGetCount()
            return tuple(_device(pynvml.nvmlDeviceGetHandleByIndex(i), driver) for i in range(count))
    except pynvml.NVMLError as error:
        if getattr(error, "value", None) == pynvml.NVML_ERROR_LIB_RM_VERSION_MISMATCH:
            raise environment("driver-mismatch") from error
        return ()


def find(uuid: str) -> Device:
    """The GPU of that UUID, or the only one for `auto`. Raises BotError (exit 4)."""
    known = devices()
    if not known:
        raise environment("no-gpu")
    if uuid == "auto":
        if len(known) > 1:
            raise environment("several-gpus", uuids=", ".join(f"{item.uuid} ({item.name})" for item in known))
        return known[0]
    for device in known:
        if device.uuid == uuid:
            return device
    raise environment("unknown-gpu", uuid=uuid, uuids=", ".join(item.uuid for item in known))


@contextmanager
def _session() -> Iterator[None]:
    pynvml.nvmlInit()
    try:
        yield
    finally:
        pynvml.nvmlShutdown()


def _device(handle: Any, driver: str) -> Device:  # noqa: ANN401 - an opaque pointer
    total, used = _memory(handle)
    return Device(
        uuid=_text(pynvml.nvmlDeviceGetUUID(handle)),
        name=_name(handle),
        driver=driver,
        total_mib=total,
        used_mib=used,
        compute_capability=_capability(handle),
    )


def _memory(handle: Any) -> tuple[float | None, float | None]:  # noqa: ANN401
    # v1 on purpose: whether v2's "used" includes the driver's reserve differs between drivers.
    try:
        info = pynvml.nvmlDeviceGetMemoryInfo(handle)
    except pynvml.NVMLError:
        return None, None
    return (info.total / MIB, info.used / MIB) if info.total else (None, None)


def _name(handle: Any) -> str:  # noqa: ANN401
    try:
        return _text(pynvml.nvmlDeviceGetName(handle))
    except (UnicodeDecodeError, pynvml.NVMLError):  # seen under WSL
        return "unknown GPU"


def _capability(handle: Any) -> str | None:  # noqa: ANN401
    try:
        major, minor = pynvml.nvmlDeviceGetCudaComputeCapability(handle)
    except pynvml.NVMLError:
        return None
    return f"{major}.{minor}"


def _text(value: str | bytes) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else value
