"""The NVIDIA side: driver, the GPU to use, its free memory, and what in the environment is ignored."""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from bot.doctor.finding import Finding, missing, ok, size, warning
from bot.doctor.weights import Weights
from bot.errors import BotError
from bot.flags import flag_value
from bot.gpu.nvml import Device

if TYPE_CHECKING:
    from bot.doctor.case import Case

_PCI = Path("/sys/bus/pci/devices")
_NVIDIA, _DISPLAY = "0x10de", "0x03"
#: What llama-server and CUDA would read; a run starts its servers without them.
_IGNORED = ("LLAMA_ARG_", "GGML_", "CUDA_")
#: These two say where the toolkit is, and are read for that.
_READ = frozenset({"CUDA_HOME", "CUDA_PATH"})
#: Flags that keep tensors off the GPU in a way that no count of layers tells.
_PARTIAL = ("--n-cpu-moe", "--cpu-moe", "-cmoe", "--override-tensor", "--tensor-split", "--device")


def driver(case: "Case") -> Iterator[Finding]:
    """NVML answers, and with which driver."""
    if isinstance(case.device, Exception) and not isinstance(case.device, BotError):
        raise case.device
    cards = nvidia_cards() if case.settings.machine.backend == "auto" else 0
    yield from judge_driver(case.device, cards)


def judge_driver(device: Device | BotError | None, cards: int) -> Iterator[Finding]:
    """`cards` counts NVIDIA cards on the PCI bus that a run on the CPU would leave unused."""
    if isinstance(device, Device):
        yield ok("driver", version=device.driver)
    elif isinstance(device, BotError) and device.code == "driver-mismatch":
        yield missing("driver", "mismatch")
    elif isinstance(device, BotError) and device.code == "nvml-failed":
        yield missing("driver", "failed", why=_text(device, "why"))
    elif isinstance(device, BotError) and device.code == "no-gpu":
        yield missing("driver", "missing")
    elif device is None and cards:
        yield warning("driver", "unloaded", count=cards)


def gpu(case: "Case") -> Iterator[Finding]:
    """The one GPU to measure on."""
    if not isinstance(case.device, Exception) or isinstance(case.device, BotError):
        yield from judge_gpu(case.device, is_configured=case.settings.machine.backend == "cpu")


def judge_gpu(device: Device | BotError | None, *, is_configured: bool) -> Iterator[Finding]:
    """`is_configured`: the CPU was asked for, rather than what is left without a GPU."""
    if device is None:
        yield ok("gpu", "unwanted" if is_configured else "none")
    elif isinstance(device, BotError):
        if device.code in ("several-gpus", "unknown-gpu"):
            case = device.code.partition("-")[0]
            yield missing("gpu", case, uuid=_text(device, "uuid"), uuids=_text(device, "uuids"))
    elif device.compute_capability is None:
        yield missing("gpu", "unfit", name=device.name)
    else:
        yield ok("gpu", name=device.name, uuid=device.uuid, capability=device.compute_capability)


def vram(case: "Case") -> Iterator[Finding]:
    """The GPU's free memory against the weights that go there."""
    if case.gpu is None:
        return
    weights = None if isinstance(case.weights, Exception) else case.weights
    has_hook = bool(case.settings.machine.before)
    yield judge_vram(case.gpu, gpu_mib(weights, case.profile.flags), has_hook=has_hook)


def judge_vram(device: Device, needed_mib: float, *, has_hook: bool) -> Finding:
    """`needed_mib`: weights on the GPU, 0 where unknown; `has_hook`: the user's own server makes way."""
    if device.total_mib is None or device.used_mib is None:
        return ok("vram", "shared")
    free = device.total_mib - device.used_mib
    args = {"free": size(free), "total": size(device.total_mib), "needed": size(needed_mib)}
    if needed_mib > device.total_mib:
        return missing("vram", "small", **args)
    if needed_mib > free:
        return ok("vram", "held", **args) if has_hook else warning("vram", "taken", **args)
    return ok("vram", **args)


def gpu_mib(weights: Weights | None, flags: tuple[str, ...]) -> float:
    """Weights in MiB that these flags put on the GPU, by the share of layers; 0 where it cannot be told."""
    if weights is None or any(flag_value(flags, name) is not None for name in _PARTIAL):
        return 0.0
    layers, asked = weights.layers, flag_value(flags, "--gpu-layers")
    if asked is None or not asked.isdigit() or layers is None:
        return weights.size_mib
    # The output layer counts as one more.
    return weights.size_mib * min(1.0, int(asked) / (layers + 1))


def environment(_case: "Case") -> Iterator[Finding]:
    """Variables that look as if they mattered."""
    yield judge_environment(os.environ)


def judge_environment(names: Iterable[str]) -> Finding:
    """A variable that a run ignores is named, so that nobody counts on it."""
    found = sorted(name for name in names if name.startswith(_IGNORED) and name not in _READ)
    return warning("environment", "ignored", names=", ".join(found)) if found else ok("environment")


def nvidia_cards(bus: Path = _PCI) -> int:
    """NVIDIA display controllers on the PCI bus, whatever drives them."""
    return sum(
        _read(card / "vendor") == _NVIDIA and _read(card / "class").startswith(_DISPLAY)
        for card in bus.glob("*")
    )


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except OSError:
        return ""


def _text(error: BotError, name: str) -> str:
    return str(error.values.get(name, ""))
