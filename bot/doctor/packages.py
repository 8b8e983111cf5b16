"""The Python packages: all there, and no other package in the place of NVML's bindings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from bot.doctor.finding import Finding, missing, ok, warning
from bot.records import Backend

if TYPE_CHECKING:
    from bot.doctor.case import Case

_PROJECT = "llama-release-bot"
OURS, FORK, WRAPPER = "nvidia-ml-py", "nvidia-ml-py3", "pynvml"
#: Below 12, `pynvml` brings bindings of its own; from then on it only wraps nvidia-ml-py, and warns.
_WRAPPER_SINCE = 12


@dataclass(frozen=True)
class Packages:
    """`absent`: requirements that are not installed. `bindings`: versions of all that bring `pynvml`.

    `is_current`: the module `pynvml` that is imported is a recent nvidia-ml-py.
    """

    absent: tuple[str, ...]
    bindings: Mapping[str, str]
    is_current: bool


def packages(case: "Case") -> Iterator[Finding]:
    """What is installed here."""
    yield judge(look(), case.backend)


def judge(found: Packages, backend: Backend) -> Finding:
    """The bindings matter to a run on a GPU; elsewhere a clash is only worth knowing."""
    if found.absent:
        return missing("packages", "missing", names=", ".join(found.absent))
    wrapper = found.bindings.get(WRAPPER)
    is_foreign = FORK in found.bindings or (wrapper is not None and _major(wrapper) < _WRAPPER_SINCE)
    if is_foreign or not found.is_current:
        names = ", ".join(f"{name} {version}" for name, version in sorted(found.bindings.items()))
        tell = missing if backend == "cuda" else warning
        return tell("packages", "clash", names=names)
    if wrapper is not None:
        return warning("packages", "wrapper", version=wrapper)
    return ok("packages", version=found.bindings.get(OURS, "?"))


def look() -> Packages:
    """The packages of this interpreter."""
    import pynvml  # noqa: PLC0415 - a broken one must not hide the other checks

    bindings = {name: version for name in (OURS, FORK, WRAPPER) if (version := _version(name)) is not None}
    absent = tuple(name for name in _requirements() if _version(name) is None)
    return Packages(absent, bindings, is_current=hasattr(pynvml, "nvmlMemory_v2"))


def _requirements() -> Iterator[str]:
    """Names of what this program needs; nothing where it was never installed."""
    try:
        wanted = metadata.requires(_PROJECT) or []
    except metadata.PackageNotFoundError:
        return
    for item in wanted:
        if "extra ==" not in item and (name := re.match(r"[\w.-]+", item)):
            yield name[0]


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _major(version: str) -> int:
    first = version.partition(".")[0]
    return int(first) if first.isdigit() else 0
