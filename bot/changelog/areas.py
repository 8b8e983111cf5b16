"""Paths → areas: for one file, for a commit, and for a whole tree diff without commit texts."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from bot.changelog.tables import tables
from bot.records import AreaChange, FileChange


@lru_cache(maxsize=20_000)
def area_of(path: str) -> str:
    """The area a file belongs to, in the layouts of 2024 and 2026; `other` where none fits."""
    for area in tables().areas.values():
        if area.paths.match(path):
            return area.key
    return "other"


def lines(change: FileChange) -> int:
    """Changed lines of one file; 1 where the source did not count them, so that the file still counts."""
    return max(1, (change.added or 0) + (change.deleted or 0))


def sizes(files: Iterable[FileChange]) -> Counter[str]:
    """Changed lines by area."""
    total: Counter[str] = Counter()
    for change in files:
        total[area_of(change.path)] += lines(change)
    return total


def by_area(files: Sequence[FileChange]) -> tuple[AreaChange, ...]:
    """How much of each area differs: the most changed first, other backends and noise behind all others."""
    members: dict[str, list[FileChange]] = {}
    for change in files:
        members.setdefault(area_of(change.path), []).append(change)
    return tuple(sorted((_total(area, group) for area, group in members.items()), key=_relevance))


def _total(area: str, group: Sequence[FileChange]) -> AreaChange:
    return AreaChange(
        area=area,
        files=len(group),
        added=sum(change.added or 0 for change in group),
        deleted=sum(change.deleted or 0 for change in group),
    )


def _relevance(change: AreaChange) -> tuple[bool, int, int, str]:
    area = tables().areas[change.area]
    is_aside = area.kind == "noise" or (area.kind == "backend" and not area.weight)
    return is_aside, -(change.added + change.deleted), -change.files, change.area
