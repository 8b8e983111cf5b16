"""How quiet this machine is: what makes measurements noisy, as warnings. Thresholds: docs/measuring.md."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import psutil

from bot.doctor.finding import Finding, ok, warning
from bot.doctor.room import MIB

if TYPE_CHECKING:
    from bot.doctor.case import Case

_GOVERNORS = Path("/sys/devices/system/cpu")
#: Others may take this much: 15 % of all cores, and never less than one core's worth.
_LOAD_SHARE, _LOAD_LEAST = 0.15, 1.0
#: Pages swapped out long ago do no harm; this much of the memory says that it is too small.
_SWAP_SHARE = 0.05


@dataclass(frozen=True)
class Noise:
    """`load` is that of the last minute; `governors` those of all cores; `battery`: not on mains."""

    load: float
    cores: int
    governors: frozenset[str]
    battery: bool
    swap_mib: float
    ram_mib: float


def quiet(_case: "Case") -> Iterator[Finding]:
    """Load, clock governor, power, swap."""
    yield from judge(look())


def judge(noise: Noise) -> Iterator[Finding]:
    """One warning per disturbance, or one word that there is none."""
    found = list(_warnings(noise))
    yield from found or [ok("quiet", load=f"{noise.load:.1f}", cores=noise.cores)]


def look() -> Noise:
    """This machine now."""
    power = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
    return Noise(
        load=os.getloadavg()[0],
        cores=len(os.sched_getaffinity(0)),
        governors=frozenset(
            path.read_text("ascii").strip() for path in _GOVERNORS.glob("cpu[0-9]*/cpufreq/scaling_governor")
        ),
        battery=power is not None and power.power_plugged is False,
        swap_mib=psutil.swap_memory().used / MIB,
        ram_mib=psutil.virtual_memory().total / MIB,
    )


def _warnings(noise: Noise) -> Iterator[Finding]:
    if noise.load > max(_LOAD_LEAST, _LOAD_SHARE * noise.cores):
        yield warning("quiet", "load", load=f"{noise.load:.1f}", cores=noise.cores)
    if noise.governors - {"performance"}:
        yield warning("quiet", "governor", governor=", ".join(sorted(noise.governors)))
    if noise.battery:
        yield warning("quiet", "battery")
    if noise.swap_mib > _SWAP_SHARE * noise.ram_mib:
        yield warning("quiet", "swap", swap=f"{noise.swap_mib:.0f} MiB")
