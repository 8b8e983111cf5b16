"""Which of a release's files are for this machine. Pure.

Upstream names them `llama-b11026-bin-ubuntu-cuda-12.8-x64.tar.gz` (`.zip` before b7486), with CUDA's own
libraries in `cudart-llama-…` beside it. Linux archives with CUDA exist from about b11000 on.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.build.cuda import driver_needed, toolkit_problem
from bot.build.programs import numbers
from bot.errors import usage

Variant = Literal["cpu", "vulkan", "cuda"]

#: As `uname -m` says it -> as the files are named.
_MACHINES = {"x86_64": "x64", "aarch64": "arm64"}
_NAME = re.compile(
    r"(?P<runtime>cudart-)?llama-(?:(?P<tag>[A-Za-z0-9.]+)-)?bin-ubuntu-"
    r"(?:(?P<variant>cuda|vulkan)-)?(?:(?P<cuda>\d+(?:\.\d+)+)-)?(?P<machine>x64|arm64)\.(?:tar\.gz|zip)"
)


@dataclass(frozen=True)
class Asset:
    """One file of a release; `sha256` is None where GitHub knows none (files from before June 2025)."""

    name: str
    url: str
    size: int
    sha256: str | None = None


@dataclass(frozen=True)
class Needs:
    """What the files must fit: `machine` as `uname -m` says; for cuda the driver, the compute capability."""

    machine: str
    variant: Variant
    driver: str | None = None
    capability: str | None = None


@dataclass(frozen=True)
class Chosen:
    """The files to unpack into one folder, the programs first; `cuda` is the toolkit they were made with."""

    files: tuple[Asset, ...]
    cuda: str | None = None


def choose(tag: str, assets: Sequence[Asset], needs: Needs) -> Chosen:
    """The files of release `tag` for this machine; of several CUDA versions the newest that fits.

    Raises BotError (exit 2): `archive-none` names what there is for Linux, `archive-cuda-unfit` the CUDA
    versions that this driver or GPU cannot use.
    """
    machine = _MACHINES.get(needs.machine, needs.machine)
    named = [(asset, found) for asset in assets if (found := _NAME.fullmatch(asset.name))]
    programs = [
        (asset, found)
        for asset, found in named
        if not found["runtime"] and found["tag"] == tag and found["machine"] == machine
    ]
    fit = [item for item in programs if (item[1]["variant"] or "cpu") == needs.variant]
    if not fit:
        there = ", ".join(asset.name for asset in assets if "-ubuntu-" in asset.name) or "-"
        raise usage("archive-none", tag=tag, variant=needs.variant, machine=machine, names=there)
    if needs.variant != "cuda":
        return Chosen((fit[0][0],))
    asset, found = _newest_that_fits(tag, fit, needs)
    runtime = (item for item, other in named if _is_runtime_of(other, found))
    return Chosen((asset, *list(runtime)[:1]), found["cuda"])


Named = tuple[Asset, "re.Match[str]"]


def _newest_that_fits(tag: str, found: Iterable[Named], needs: Needs) -> Named:
    ordered = sorted(found, key=lambda item: numbers(item[1]["cuda"] or "0"), reverse=True)
    for item in ordered:
        version = item[1]["cuda"] or ""
        is_old = needs.driver and driver_needed(version, needs.driver)
        if not is_old and not toolkit_problem(version, needs.capability):
            return item
    versions = ", ".join(item[1]["cuda"] or "?" for item in ordered)
    raise usage(
        "archive-cuda-unfit",
        tag=tag,
        versions=versions,
        driver=needs.driver or "?",
        capability=needs.capability or "?",
    )


def _is_runtime_of(other: "re.Match[str]", programs: "re.Match[str]") -> bool:
    same = all(other[key] == programs[key] for key in ("variant", "cuda", "machine"))
    return bool(other["runtime"]) and same and other["tag"] in (None, programs["tag"])
