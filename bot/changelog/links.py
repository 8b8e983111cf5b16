"""Commits that belong together: revert pairs that cancel out, reverts of older work, follow-ups."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.changelog.classify import Reading

_FOLLOWS = re.compile(
    r"(?:follow[- ]?up\s+(?:of|to|for)|review comments? (?:of|from|on)|continu\w+ (?:of|from)|"
    r"(?:build|ci)\S* after|cont(?:inue)?\b)\D{0,20}#?(\d{3,7})",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][a-z0-9_]{3,}")
_COMMON_WORDS = frozenset(
    {"with", "from", "into", "when", "where", "that", "this", "some", "more", "only", "support", "model"}
    | {"models", "server", "common", "llama", "ggml", "cuda", "mtmd", "args", "handling", "option"}
    | {"update", "remove", "refactor", "clean", "default", "missing"}
)
#: Types that may be the second half of earlier work; a fix or a speed-up is worth its own line.
_FOLLOWER_TYPES = frozenset({"refactor", "other", "build", "feature"})


@dataclass(frozen=True)
class Links:
    """Indices into the range. `cancelled` come in pairs; `leader` maps a follow-up to its first commit;
    `older` maps a revert to nothing in the range."""

    cancelled: frozenset[int]
    pairs: tuple[tuple[int, int], ...]
    older: tuple[int, ...]
    leader: Mapping[int, int]


def link(readings: Sequence[Reading]) -> Links:
    """Find the links of one range. A revert of a revert restores the first commit."""
    pairs, older = _reverts(readings)
    cancelled = frozenset(index for pair in pairs for index in pair)
    rest = [reading for reading in readings if reading.index not in cancelled]
    return Links(cancelled, tuple(pairs), tuple(older), _followups(rest))


def _reverts(readings: Sequence[Reading]) -> tuple[list[tuple[int, int]], list[int]]:
    pairs: list[tuple[int, int]] = []
    older: list[int] = []
    gone: set[int] = set()
    for reading in reversed(readings):
        if reading.parsed.revert is None or reading.index in gone:
            continue
        target = _target(reading, readings[: reading.index], gone)
        if target is not None:
            pairs.append((target, reading.index))
            gone |= {target, reading.index}
        elif reading.parsed.revert.is_named:
            older.append(reading.index)
    return pairs[::-1], older[::-1]


def _target(reading: Reading, earlier: Sequence[Reading], gone: set[int]) -> int | None:
    revert = reading.parsed.revert
    assert revert is not None
    for candidate in reversed(earlier):
        if candidate.index in gone:
            continue
        by_sha = revert.sha is not None and candidate.commit.sha.startswith(revert.sha)
        by_pr = revert.pr is not None and candidate.parsed.pr == revert.pr
        if by_sha or by_pr:
            return candidate.index
    return None


def _followups(readings: Sequence[Reading]) -> dict[int, int]:
    leader: dict[int, int] = {}
    first_of_pr: dict[int, int] = {}
    rare = _rare_words(readings)
    by_area: dict[str, list[Reading]] = {}
    for reading in readings:
        found = _leader(reading, first_of_pr, by_area.get(reading.area, ()), rare)
        if found is not None:
            leader[reading.index] = leader.get(found, found)
        if reading.parsed.pr is not None:
            first_of_pr.setdefault(reading.parsed.pr, reading.index)
        by_area.setdefault(reading.area, []).append(reading)
    return leader


def _leader(
    reading: Reading, prs: Mapping[int, int], before: Iterable[Reading], rare: Mapping[int, frozenset[str]]
) -> int | None:
    pr = reading.parsed.pr
    if pr is not None and pr in prs:
        return prs[pr]
    said = _FOLLOWS.search(f"{reading.parsed.text}\n{reading.commit.body[:2000]}")
    if said and int(said.group(1)) in prs:
        return prs[int(said.group(1))]
    if reading.type not in _FOLLOWER_TYPES:
        return None
    return _continued(reading, before, rare)


def _continued(reading: Reading, before: Iterable[Reading], rare: Mapping[int, frozenset[str]]) -> int | None:
    """Same area, a shared file, and a word that no other subject of the range uses."""
    paths = set(reading.code_paths)
    for earlier in before:
        shared = rare[earlier.index] & rare[reading.index]
        if shared and paths & set(earlier.code_paths):
            return earlier.index
    return None


def _rare_words(readings: Sequence[Reading]) -> dict[int, frozenset[str]]:
    words = {item.index: frozenset(_WORD.findall(item.parsed.text.lower())) for item in readings}
    counted = Counter(word for found in words.values() for word in found)
    return {
        index: frozenset(word for word in found if counted[word] == 2 and word not in _COMMON_WORDS)
        for index, found in words.items()
    }
