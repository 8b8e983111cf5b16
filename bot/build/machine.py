"""What this machine is known to refuse: whether code compiled for its own CPU runs on it.

AMX is advertised and refused on some virtual machines; a server built with `GGML_NATIVE=ON` then dies of
SIGILL. That is found out once, by a probe or by a smoke start, and kept in `<cache>/machine.json`.
"""

import signal
import tempfile
from pathlib import Path

from bot import process, store
from bot.build.toolchain import Toolchain, native_identity
from bot.errors import BotError
from bot.records import Record

_PROBE = Path(__file__).with_name("amx_probe.c")
_CPUINFO = Path("/proc/cpuinfo")


class Machine(Record):
    """`cpu`: `toolchain.native_identity` (another is asked anew). `why`: "amx-probe" or the key that died."""

    cpu: str
    native: bool
    why: str = ""


def native_works(
    cache: Path, toolchain: Toolchain, *, cpuinfo: Path = _CPUINFO, source: Path = _PROBE
) -> bool:
    """Whether to build for this CPU: what is remembered, else what the AMX probe says (remembered then)."""
    cpu = native_identity(toolchain)
    known = _load(cache)
    if known is not None and known.cpu == cpu:
        return known.native
    works = "amx_tile" not in cpuinfo.read_text("utf-8", "replace") or probe(toolchain, source)
    store.save(_path(cache), Machine(cpu=cpu, native=works, why="" if works else "amx-probe"))
    return works


def remember_native_off(cache: Path, toolchain: Toolchain, why: str) -> None:
    """From now on build here with `GGML_NATIVE=OFF`. Raises BotError (exit 4) when it cannot be written."""
    store.save(_path(cache), Machine(cpu=native_identity(toolchain), native=False, why=why))


def probe(toolchain: Toolchain, source: Path = _PROBE) -> bool:
    """Whether a tile instruction does not kill.

    True where the compiler knows no AMX (it will emit none), and where the kernel refuses the request:
    ggml asks it too, before its first tile, and does without.
    """
    with tempfile.TemporaryDirectory() as folder:
        program = str(Path(folder) / "probe")
        argv = [toolchain.cc.path, "-O1", "-mamx-tile", "-o", program, str(source)]
        if process.run(argv, timeout_s=60).code != 0:
            return True
        finished = process.run([program], timeout_s=10)
    return finished.signal != signal.SIGILL


def _path(cache: Path) -> Path:
    return cache / "machine.json"


def _load(cache: Path) -> Machine | None:
    try:
        return store.load(_path(cache), Machine)
    except BotError:
        return None
