"""The machine's fingerprint, fit to be published: no host name, no GPU UUID, only their hashes."""

import hashlib
import os
import platform
import socket
from pathlib import Path

import psutil

from bot.gpu.nvml import MIB, Device
from bot.records import Gpu, Machine


def fingerprint(device: Device | None) -> Machine:
    """What this run is measured on; `device` is the GPU used, None for a CPU run."""
    identity = socket.gethostname() + (device.uuid if device else "")
    return Machine(
        id=short_hash(identity),
        cpu=_cpu(),
        cores=len(os.sched_getaffinity(0)),
        ram_mib=round(psutil.virtual_memory().total / MIB, 1),
        os=_os(),
        kernel=platform.release(),
        virtual="hypervisor" in _cpuinfo("flags").split(),
        gpu=_gpu(device) if device else None,
    )


def short_hash(text: str) -> str:
    """12 hex digits that tell two machines apart and name neither."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _gpu(device: Device) -> Gpu:
    return Gpu(
        id=short_hash(device.uuid),
        name=device.name,
        driver=device.driver,
        total_mib=round(device.total_mib or 0.0, 1),
        compute_capability=device.compute_capability,
    )


def _cpu() -> str:
    return _cpuinfo("model name") or platform.processor() or platform.machine()


def _cpuinfo(key: str) -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return ""
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")


def _os() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", "Linux")
    except OSError:
        return "Linux"
