"""The one door to NVML (`pynvml` of the package nvidia-ml-py): GPUs by UUID, never by index.

NVML's index order is not CUDA's and changes between boots, so that a UUID is the only name used here.
"""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import pynvml

from bot.errors import environment
from bot.gpu import bindings, reader
from bot.gpu.reader import MIB, known, text

__all__ = ["MIB", "Device", "devices", "find", "session", "together"]

_UNNAMED = "unknown GPU"
#: nvml.h: library not found, driver not loaded, not found. No driver, or none that runs: no GPU for us.
_ABSENT = frozenset({12, 9, 6})
_VERSION_MISMATCH = 18


@dataclass(frozen=True)
class Device:
    """One GPU or MIG instance as NVML names it, or several that one server shares (`parts`).

    `total_mib` is None where the memory is shared with the host. For several, `uuid` and `name` join theirs
    with commas, as CUDA_VISIBLE_DEVICES takes them, and the memory is the sum.
    """

    uuid: str
    name: str
    driver: str
    total_mib: float | None
    used_mib: float | None
    compute_capability: str | None
    parts: tuple["Device", ...] = ()

    @property
    def cuda_arch(self) -> str | None:
        """As CMAKE_CUDA_ARCHITECTURES takes it; 12.x needs its own `a` form (llama.cpp#18363)."""
        found = [_arch(item.compute_capability) for item in self.each if item.compute_capability]
        return ";".join(dict.fromkeys(found)) or None

    @property
    def each(self) -> tuple["Device", ...]:
        """The single GPUs."""
        return self.parts or (self,)


def devices() -> tuple[Device, ...]:
    """Every GPU of this machine, MIG instances in the place of a GPU that is cut up; empty without a driver.

    A GPU that does not answer is left out while another does. Raises BotError (exit 4): `driver-mismatch`,
    or `nvml-failed` where there is a driver that answers with anything else.
    """
    try:
        with session():
            driver = text(known(pynvml.nvmlSystemGetDriverVersion))
            return tuple(_device(handle, driver) for handle in _handles())
    except pynvml.NVMLError as error:
        code = getattr(error, "value", None)
        if code in _ABSENT:
            return ()
        if code == _VERSION_MISMATCH:
            raise environment("driver-mismatch") from error
        raise environment("nvml-failed", why=str(error)) from error


def find(wanted: str) -> Device:
    """The GPU of that UUID, those of several (commas between), or the only one for `auto`.

    Raises BotError (exit 4).
    """
    all_ = devices()
    if not all_:
        raise environment("no-gpu")
    bindings.check()
    if wanted == "auto":
        if len(all_) > 1:
            raise environment("several-gpus", uuids=", ".join(f"{item.uuid} ({item.name})" for item in all_))
        return all_[0]
    by_uuid = {item.uuid: item for item in all_}
    names = [name.strip() for name in wanted.split(",")]
    for name in names:
        if name not in by_uuid:
            raise environment("unknown-gpu", uuid=name, uuids=", ".join(by_uuid))
    return together([by_uuid[name] for name in dict.fromkeys(names)])


def together(parts: list[Device]) -> Device:
    """Several GPUs as the one that a server sees; their memory is summed where all of it is known."""
    if len(parts) == 1:
        return parts[0]
    totals = [item.total_mib for item in parts if item.total_mib is not None]
    used = [item.used_mib for item in parts if item.used_mib is not None]
    capabilities = [item.compute_capability for item in parts]
    return Device(
        uuid=",".join(item.uuid for item in parts),
        name=", ".join(item.name for item in parts),
        driver=parts[0].driver,
        total_mib=sum(totals) if len(totals) == len(parts) else None,
        used_mib=sum(used) if len(used) == len(parts) else None,
        compute_capability=min((item for item in capabilities if item), key=_rank, default=None),
        parts=tuple(parts),
    )


@contextmanager
def session() -> Iterator[None]:
    """NVML, for as long as the block runs. Raises NVMLError."""
    pynvml.nvmlInit()
    try:
        yield
    finally:
        with suppress(pynvml.NVMLError):  # lost meanwhile: what was read stands
            pynvml.nvmlShutdown()


def _handles() -> Iterator[Any]:
    """Every whole GPU, or its MIG instances. Raises the last error where no GPU answers at all."""
    failure: pynvml.NVMLError | None = None
    found = False
    for index in range(pynvml.nvmlDeviceGetCount()):
        try:
            handle = pynvml.nvmlDeviceGetHandleByIndex(index)
            instances = _instances(handle)
        except pynvml.NVMLError as error:
            failure = error
            continue
        found = True
        yield from instances or [handle]
    if failure is not None and not found:
        raise failure


def _instances(handle: Any) -> list[Any]:  # noqa: ANN401 - an opaque pointer
    mode = known(pynvml.nvmlDeviceGetMigMode, handle)
    if not mode or mode[0] != pynvml.NVML_DEVICE_MIG_ENABLE:
        return []
    count = known(pynvml.nvmlDeviceGetMaxMigDeviceCount, handle) or 0
    found = (known(pynvml.nvmlDeviceGetMigDeviceHandleByIndex, handle, place) for place in range(count))
    return [item for item in found if item is not None]


def _device(handle: Any, driver: str) -> Device:  # noqa: ANN401
    room = reader.memory(handle)
    gpu = reader.parent_of(handle)
    return Device(
        uuid=text(pynvml.nvmlDeviceGetUUID(handle)),
        name=text(known(pynvml.nvmlDeviceGetName, handle)) or _UNNAMED,
        driver=driver,
        total_mib=room[0] if room else None,
        used_mib=room[1] if room else None,
        compute_capability=_capability(gpu),
    )


def _capability(handle: Any) -> str | None:  # noqa: ANN401
    found = known(pynvml.nvmlDeviceGetCudaComputeCapability, handle)
    return f"{found[0]}.{found[1]}" if found else None


def _arch(capability: str) -> str:
    digits = capability.replace(".", "")
    return f"{digits}a" if digits.startswith("12") else digits


def _rank(capability: str) -> tuple[int, ...]:
    return tuple(int(part) for part in capability.split("."))
