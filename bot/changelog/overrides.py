"""A maintainer's corrections, by pull request: another line, another type, or no line at all.

They are the only way by which anything that the commit does not say enters a report.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from bot.changelog.classify import Reading
from bot.changelog.tables import tables

_KEYS = frozenset({"text", "type", "hide"})
_LONGEST = 300


@dataclass(frozen=True)
class Override:
    """`text` by language tag; `type` a key of `type-<key>`, empty where the rules decide."""

    text: Mapping[str, str] = field(default_factory=dict)
    type: str = ""
    hide: bool = False


def read_overrides(data: Mapping[str, Any]) -> dict[int, Override]:
    """The content of an overrides file (docs/changelog.md), by pull request.

    Raises ValueError with the place of the first mistake (`24411.type`).
    """
    found = {}
    for number, row in data.items():
        if not number.isdecimal() or not isinstance(row, dict):
            raise ValueError(number)
        found[int(number)] = _one(number, row)
    return found


def _one(number: str, row: Mapping[str, Any]) -> Override:
    unknown = sorted(set(row) - _KEYS)
    if unknown:
        raise ValueError(f"{number}.{unknown[0]}")
    text, kind, hide = row.get("text", {}), row.get("type", ""), row.get("hide", False)
    if not isinstance(text, dict):
        raise ValueError(f"{number}.text")
    for language, line in text.items():
        if not isinstance(line, str) or not line.strip() or len(line) > _LONGEST:
            raise ValueError(f"{number}.text.{language}")
    if kind and (not isinstance(kind, str) or kind not in tables().type_points):
        raise ValueError(f"{number}.type")
    if not isinstance(hide, bool):
        raise ValueError(f"{number}.hide")
    return Override({language: " ".join(line.split()) for language, line in text.items()}, kind, hide)


def retyped(readings: Sequence[Reading], overrides: Mapping[int, Override]) -> tuple[Reading, ...]:
    """The readings with the types that overrides give."""
    return tuple(_retyped(item, overrides.get(item.parsed.pr or -1)) for item in readings)


def _retyped(reading: Reading, override: Override | None) -> Reading:
    return replace(reading, given_type=override.type) if override and override.type else reading
