"""What is never a line: noise, other backends and platforms, housekeeping. The reason is a code."""

from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading, largest, matches
from bot.changelog.tables import tables

_PLATFORM = "platform"
_BACKEND_SHARE = 0.7
_SPARED_SHARE = 0.1


def drop_reason(reading: Reading, facts: Circumstances) -> str | None:
    """Why a commit is no line whatever its score; None where it may become one.

    Security and announced ends of support are told whatever the backend.
    """
    if reading.type == "security" or is_pinned(reading):
        return None
    noise = _noise(reading)
    if noise:
        return noise
    if _is_other_backend(reading, facts):
        return "backend"
    for test in tables().drops:
        if matches(test, reading):
            return test.key
    for test in tables().platforms:
        if test.key not in facts.platforms and matches(test, reading):
            return _PLATFORM
    return None


def _noise(reading: Reading) -> str | None:
    areas = tables().areas
    if reading.parsed.is_sync:
        return "vendor"
    if not reading.sizes:
        return reading.area if areas[reading.area].kind == "noise" else None
    if areas[reading.area].kind == "noise":
        return reading.area
    return None if reading.code else largest(reading.sizes)


def _is_other_backend(reading: Reading, facts: Circumstances) -> bool:
    """By area, or by most lines; spared where a real part lies in this backend or in `src/`."""
    areas = tables().areas
    own = {facts.backend}
    foreign = areas[reading.area].kind == "backend" and reading.area not in own
    if not reading.code:
        return foreign
    total = sum(reading.code.values())
    other = sum(size for key, size in reading.code.items() if areas[key].kind == "backend" and key not in own)
    here = sum(size for key, size in reading.code.items() if key in own or _is_core(key))
    if foreign:
        return here < _SPARED_SHARE * total or reading.area in {"hip", "musa"}
    return other > _BACKEND_SHARE * total and here < 1


def _is_core(key: str) -> bool:
    return key in {"core", "kv", "sampling", "vocab", "model"}


def is_pinned(reading: Reading) -> bool:
    """Whether the commit announces an end of support."""
    return any(matches(test, reading) for test in tables().pins)
