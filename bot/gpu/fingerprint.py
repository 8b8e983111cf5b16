"""What of this machine can move its numbers, as flat facts that two runs can be compared by.

Keys are `host.*` and `gpu.*` (`gpu2.*` for the second of several); a fact that cannot be read is left out.
Nothing here names the machine, its user or its GPU's UUID.
"""

import os
import platform
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pynvml

from bot.gpu import host, nvml, reader
from bot.gpu.nvml import MIB, Device
from bot.gpu.reader import known, text

_SMT = Path("/sys/devices/system/cpu/smt/active")
_CONTAINERS = (Path("/.dockerenv"), Path("/run/.containerenv"))
_CLOCKS = {"sm": pynvml.NVML_CLOCK_SM, "memory": pynvml.NVML_CLOCK_MEM}

Facts = Iterator[tuple[str, str]]


def machine_facts(device: Device | None) -> dict[str, str]:
    """Host and GPUs as they are now; of a driver that is lost meanwhile, the host's alone."""
    found = dict(_host())
    if device is None:
        return found
    try:
        with nvml.session():
            found |= dict(_driver())
            for place, part in enumerate(device.each, start=1):
                prefix = "gpu" if place == 1 else f"gpu{place}"
                handle = pynvml.nvmlDeviceGetHandleByUUID(part.uuid)
                found |= {f"{prefix}.{name}": value for name, value in _gpu(handle, part)}
    except pynvml.NVMLError:
        return found
    return found


def _host() -> Facts:
    yield "host.cpu", _cpu_name()
    yield "host.cores", str(len(os.sched_getaffinity(0)))
    yield "host.ram_gib", f"{psutil.virtual_memory().total / MIB / 1024:.1f}"
    yield "host.kernel", platform.release()
    if governors := host.governors():
        yield "host.governor", governors
    if _SMT.is_file():
        yield "host.smt", _SMT.read_text(encoding="ascii").strip()
    battery = host.on_battery()
    if battery is not None:
        yield "host.battery", "yes" if battery else "no"
    yield "host.container", _container()


def _cpu_name() -> str:
    lines = (line.partition(":") for line in host.read(Path("/proc/cpuinfo")).splitlines())
    return next((value.strip() for key, _, value in lines if key.strip() == "model name"), platform.machine())


def _container() -> str:
    """`wsl`, `container` or `none`; a container's PIDs and limits are its own."""
    if "microsoft" in platform.release().lower():
        return "wsl"
    return "container" if any(path.exists() for path in _CONTAINERS) else "none"


def _driver() -> Facts:
    yield "gpu.driver", text(known(pynvml.nvmlSystemGetDriverVersion))
    yield "gpu.nvml", text(known(pynvml.nvmlSystemGetNVMLVersion))
    cuda = known(pynvml.nvmlSystemGetCudaDriverVersion)
    if cuda:
        yield "gpu.cuda", f"{cuda // 1000}.{cuda % 1000 // 10}"


def _gpu(handle: Any, part: Device) -> Facts:  # noqa: ANN401 - an opaque pointer
    gpu = reader.parent_of(handle)
    yield "name", part.name
    for name, call, show in _READ:
        value = known(call, gpu)
        if value is not None:
            yield name, show(value)
    kept = reader.reserved(handle)
    if part.total_mib is None:
        yield "memory", "unified"
    elif kept is not None:
        yield "memory", f"{part.total_mib:.0f} MiB, {kept:.0f} reserved"
    for name, kind in _CLOCKS.items():
        top = known(pynvml.nvmlDeviceGetMaxClockInfo, gpu, kind)
        asked = known(pynvml.nvmlDeviceGetApplicationsClock, gpu, kind)
        if top is not None:
            yield f"{name}_clock", f"{asked or '-'}/{top} MHz"


def _switch(value: int) -> str:
    return "on" if value else "off"


def _first(value: list[int]) -> str:
    return _switch(value[0])


def _watts(milliwatts: int) -> str:
    return f"{milliwatts / 1000:.0f} W"


#: Fact, NVML's call, how its answer is written.
_READ: tuple[tuple[str, Callable[..., Any], Callable[[Any], str]], ...] = (
    ("vbios", pynvml.nvmlDeviceGetVbiosVersion, text),
    ("persistence", pynvml.nvmlDeviceGetPersistenceMode, _switch),
    ("ecc", pynvml.nvmlDeviceGetEccMode, _first),
    ("mig", pynvml.nvmlDeviceGetMigMode, _first),
    ("compute_mode", pynvml.nvmlDeviceGetComputeMode, str),
    ("display", pynvml.nvmlDeviceGetDisplayActive, _switch),
    ("power_limit", pynvml.nvmlDeviceGetEnforcedPowerLimit, _watts),
    ("default_limit", pynvml.nvmlDeviceGetPowerManagementDefaultLimit, _watts),
    ("pcie_width", pynvml.nvmlDeviceGetMaxPcieLinkWidth, str),
    ("pcie_generation", pynvml.nvmlDeviceGetMaxPcieLinkGeneration, str),
)
