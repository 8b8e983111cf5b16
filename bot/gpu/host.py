"""What the host was doing meanwhile, from /proc and /sys. Standard library only: the sampler imports this.

A file that is missing (no PSI in the kernel, no battery, a hidden /proc) leaves its number at None or 0.
"""

import os
import time
from pathlib import Path

_PROC, _SYS = Path("/proc"), Path("/sys")
_TICKS = os.sysconf("SC_CLK_TCK")
MIB = 2**20
#: Fields of /proc/stat's first line: user nice system idle iowait irq softirq steal; guests are in user.
_IDLE, _IOWAIT, _STEAL = 3, 4, 7
#: Fields of /proc/PID/stat after the name: utime stime cutime cstime.
_CPU_FIELDS = slice(11, 15)


def meminfo(name: str) -> float:
    """A line of /proc/meminfo in MiB, 0.0 where it is missing."""
    lines = read(_PROC / "meminfo").splitlines()
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith(name + ":")), 0.0)


def rss(pid: int) -> float:
    """Resident MiB of a process and its descendants; 0.0 once it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError, ValueError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB + sum(rss(child) for child in children(pid))


def children(pid: int) -> list[int]:
    """Processes that its main thread started."""
    return [int(child) for child in read(Path(f"/proc/{pid}/task/{pid}/children")).split()]


def tree(pid: int) -> list[int]:
    """A process with all its descendants."""
    return [pid, *(item for child in children(pid) for item in tree(child))]


def own_cpu_s(pid: int) -> float:
    """CPU seconds of a process tree, ended and reaped children included."""
    total = 0
    for item in tree(pid):
        fields = read(Path(f"/proc/{item}/stat")).rpartition(")")[2].split()
        total += sum(int(field) for field in fields[_CPU_FIELDS])
    return total / _TICKS


def cpu_s() -> dict[str, float]:
    """CPU seconds of the whole machine so far: `busy`, `steal`, `total`; `cores` is its number of CPUs."""
    lines = read(_PROC / "stat").splitlines()
    ticks = [int(field) for field in (lines[0].split()[1:9] if lines else [])] or [0] * 8
    idle = ticks[_IDLE] + ticks[_IOWAIT]
    cores = sum(line.startswith("cpu") for line in lines) - 1
    return {
        "busy": (sum(ticks) - idle - ticks[_STEAL]) / _TICKS,
        "steal": ticks[_STEAL] / _TICKS,
        "total": sum(ticks) / _TICKS,
        "cores": float(max(1, cores)),
    }


def swapped_in_mib() -> float:
    """MiB read back from swap since the machine started."""
    lines = (line.split() for line in read(_PROC / "vmstat").splitlines())
    pages = next((int(words[1]) for words in lines if words and words[0] == "pswpin"), 0)
    return pages * os.sysconf("SC_PAGE_SIZE") / MIB


def memory_pressure() -> float | None:
    """Share of the last 10 s, in percent, in which something waited for memory (PSI `some avg10`)."""
    words = read(_PROC / "pressure" / "memory").split()
    return float(words[1].partition("=")[2]) if words[:1] == ["some"] else None


def on_battery() -> bool | None:
    """Whether a battery is being emptied; None on a machine without one."""
    states = [read(path).strip() for path in (_SYS / "class/power_supply").glob("BAT*/status")]
    return "Discharging" in states if states else None


def governors() -> str:
    """The clock governors of all CPUs, each once; empty where the kernel has none to choose."""
    found = {
        read(path).strip()
        for path in (_SYS / "devices/system/cpu").glob("cpu[0-9]*/cpufreq/scaling_governor")
    }
    return " ".join(sorted(found))


def moment(root: int) -> dict[str, float]:
    """The counters now; `root` is the process whose tree is ours."""
    return {
        "at": time.monotonic(),
        **cpu_s(),
        "own": own_cpu_s(root),
        "swapped_in_mib": swapped_in_mib(),
    }


def read(path: Path) -> str:
    """A small file of the kernel; empty where it cannot be read."""
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
