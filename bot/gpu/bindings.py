"""Which package answers to `import pynvml`: three carry that module, and the last one installed wins."""

from collections.abc import Mapping
from importlib import metadata

from bot.errors import environment

OURS, FORK, WRAPPER = "nvidia-ml-py", "nvidia-ml-py3", "pynvml"
#: Below 12, `pynvml` brings bindings of its own; from then on it only wraps nvidia-ml-py, and warns.
_WRAPPER_SINCE = 12


def installed() -> dict[str, str]:
    """Versions of all packages here that bring the module."""
    found = {name: _version(name) for name in (OURS, FORK, WRAPPER)}
    return {name: version for name, version in found.items() if version is not None}


def is_foreign(bindings: Mapping[str, str]) -> bool:
    """Whether one of them overwrites nvidia-ml-py with old bindings (nvitop#44, vllm#12904)."""
    wrapper = bindings.get(WRAPPER)
    return FORK in bindings or (wrapper is not None and _major(wrapper) < _WRAPPER_SINCE)


def is_current() -> bool:
    """Whether the imported module is a recent nvidia-ml-py: it knows memory with its reserve."""
    import pynvml  # noqa: PLC0415 - a broken one must not hide what else there is to say

    return hasattr(pynvml, "nvmlMemory_v2")


def check(bindings: Mapping[str, str] | None = None, *, current: bool | None = None) -> None:
    """Raises BotError (exit 4) where another package has taken the module's place."""
    found = installed() if bindings is None else bindings
    if is_foreign(found) or not (is_current() if current is None else current):
        raise environment("nvml-clash", names=", ".join(f"{name} {found[name]}" for name in sorted(found)))


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _major(version: str) -> int:
    first = version.partition(".")[0]
    return int(first) if first.isdigit() else 0
