"""Reading llama-server's log leniently: what it allocated, and the line that says why it ended.

Standard library only. Prefixes, function names and verbosity differ by tag; what is missing stays empty.
"""

import re
import signal
from pathlib import Path
from typing import NamedTuple

from bot.bench.plan import Json

#: Bounded, so that no line of a log to come makes a number that is none (`1.2.3`, a thousand digits).
_NUMBER = r"\d{1,12}(?:\.\d{1,6})?"
_BUFFER = re.compile(
    r"(\S{1,60})\s{1,9}(model|KV|RS|compute|output|LoRA)\s+buffer size\s*=\s*" rf"({_NUMBER})\s*MiB", re.ASCII
)
_OFFLOADED = re.compile(r"offloaded (\d{1,6})/(\d{1,6}) layers to GPU", re.ASCII)
_DEVICE = re.compile(r"Device \d+: ([^,]+), compute capability ([\d.]+)")
_ROW = re.compile(r"\|\s+-\s+(.+?)\s*\|(.*)\|")
_COLUMNS = ("total", "free", "self", "model", "context", "compute", "unaccounted")
_HOST_COLUMNS = _COLUMNS[2:6]

#: Status and the pattern of the line that decides it, most telling first. Of facts/llamacpp §2.2, §2.4.
_DECISIVE: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (status, re.compile(pattern, re.IGNORECASE))
    for status, pattern in (
        (
            "refused_flag",
            r"error: (invalid|unknown) argument|the argument has been removed|error while handling argument"
            r"|error: invalid parameter for argument",
        ),
        ("port_taken", r"couldn't bind|address already in use"),
        ("no_space", r"no space left on device"),
        (
            "out_of_memory",
            r"^(?!.*mlock).*(out of memory|bad_alloc|cannot allocate memory"
            r"|(failed|unable) to allocate .*buffer|alloc_tensor_range: failed to allocate)",
        ),
        (
            "bad_model",
            r"invalid magic|failed to (open|read|load) (gguf|model)|failed to load model|error loading model"
            r"|unknown model architecture|exiting due to model loading error",
        ),
    )
)
_LONGEST_LINE = 2000
_ALWAYS = ("out_of_memory", "no_space")
_CRASH = re.compile(r"GGML_ASSERT|CUDA error|terminate called|what\(\):|illegal instruction|error", re.I)
_NO_GPU = re.compile(r"no usable GPU found|failed to initialize CUDA", re.IGNORECASE)


class End(NamedTuple):
    """How a server ended: a status of `records.LaunchStatus` and the line of the log that says so."""

    status: str
    detail: str


def classify(text: str, exit_code: int, *, loading: bool) -> End:
    """Why a server that was not asked to stop has ended. `exit_code` is negative for a signal.

    A death by SIGKILL that nobody here sent is the kernel's: out of memory.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    patterns = _DECISIVE if loading else [item for item in _DECISIVE if item[0] in _ALWAYS]
    for status, pattern in patterns:
        if line := next((line for line in lines if pattern.search(line)), None):
            return End(status, line)
    if exit_code in (-signal.SIGKILL, 128 + signal.SIGKILL):
        return End("out_of_memory", ending(exit_code))
    line = next((line for line in lines if _CRASH.search(line)), lines[-1] if lines else "")
    detail = f"{ending(exit_code)}: {line}" if line else ending(exit_code)
    return End("crashed_loading" if loading else "crashed_serving", detail)


def deserves_another_start(status: str, detail: str) -> bool:
    """Whether a death while loading tells nothing: the port was taken, or no cause is in the log.

    A signal is no cause: b9601 dies of SIGSEGV after the line that says which allocation failed.
    """
    return status == "port_taken" or (status == "crashed_loading" and not _CRASH.search(detail))


def ending(exit_code: int) -> str:
    """`SIGSEGV`, `exit 1`: an exit code in words that need no translation; a shell's 128+n is signal n."""
    number = -exit_code if exit_code < 0 else exit_code - 128
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"exit {exit_code}"


def server_facts(text: str) -> Json:
    """Buffers (MiB), offloaded layers, devices and the memory table, as `records.ServerFacts` has them.

    Of several sets (a dry load by `--fit` prints its own) the last one counts.
    """
    offloaded = _OFFLOADED.findall(text)
    return {
        "buffers": _buffers(text),
        "breakdown": _breakdown(text),
        "offloaded": [int(part) for part in offloaded[-1]] if offloaded else None,
        "devices": [
            f"{name.strip()} (cc {capability})" for name, capability in sorted(set(_DEVICE.findall(text)))
        ],
    }


def on_cpu_only(text: str) -> bool:
    """Whether the server says that it found no GPU, or put every buffer into the host's memory.

    A CUDA build without a usable GPU runs on, exit code 0, at the CPU's speed.
    """
    devices = [key.partition(".")[0] for key in _buffers(text)]
    only_host = bool(devices) and all("CPU" in name or name.endswith("_Host") for name in devices)
    return bool(_NO_GPU.search(text)) or only_host


def _buffers(text: str) -> dict[str, float]:
    sizes: dict[str, float] = {}
    beyond_model = False
    for device, kind, size in _BUFFER.findall(text):
        if kind == "model" and beyond_model:
            sizes, beyond_model = {}, False
        beyond_model |= kind != "model"
        key = f"{device}.{kind}"
        sizes[key] = round(sizes.get(key, 0.0) + float(size), 2)
    return sizes


def _breakdown(text: str) -> dict[str, dict[str, float]]:
    start = text.rfind("memory breakdown [MiB]")
    if start < 0:
        return {}
    rows = {}
    for name, cells in _ROW.findall(text[start:]):
        numbers = [float(cell) for cell in re.findall(rf"-?{_NUMBER}", cells, re.ASCII)]
        columns = _COLUMNS if len(numbers) == len(_COLUMNS) else _HOST_COLUMNS
        rows[name] = dict(zip(columns, numbers, strict=False))
    return rows


def tail(text: str, *, lines: int = 60, characters: int = 8000) -> str:
    """The end of a log, bounded in lines and characters."""
    return "\n".join(text.splitlines()[-lines:])[-characters:]


def read(path: Path, *, most_bytes: int = 16 * 2**20) -> str:
    """A log's text, of an endless one the last `most_bytes`, long lines cut; empty where there is none."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - most_bytes))
            text = file.read().decode(errors="replace")
    except OSError:
        return ""
    return "\n".join(line[:_LONGEST_LINE] for line in text.splitlines())
