"""The Python packages: all there, and no other package in the place of NVML's bindings."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from bot.doctor.finding import Finding, missing, ok, warning
from bot.gpu import bindings
from bot.records import Backend

if TYPE_CHECKING:
    from bot.doctor.case import Case

_PROJECT = "llama-release-bot"


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
    wrapper = found.bindings.get(bindings.WRAPPER)
    if bindings.is_foreign(found.bindings) or not found.is_current:
        names = ", ".join(f"{name} {version}" for name, version in sorted(found.bindings.items()))
        tell = missing if backend == "cuda" else warning
        return tell("packages", "clash", names=names)
    if wrapper is not None:
        return warning("packages", "wrapper", version=wrapper)
    return ok("packages", version=found.bindings.get(bindings.OURS, "?"))


def look() -> Packages:
    """The packages of this interpreter."""
    absent = tuple(name for name in _requirements() if _version(name) is None)
    return Packages(absent, bindings.installed(), is_current=bindings.is_current())


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
