"""The rules as data: `*.toml` beside this module, read once and compiled. The only reading in this room."""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar

Kind = Literal["code", "backend", "noise"]
Row = Mapping[str, Any]
Rule = TypeVar("Rule")


@dataclass(frozen=True)
class Area:
    """One area: what its files are called, what subjects call it, how much it matters (points)."""

    key: str
    kind: Kind
    weight: float
    paths: re.Pattern[str]
    scopes: frozenset[str]
    generic: bool = False


@dataclass(frozen=True)
class Test:
    """A condition on a commit; what is None or empty is not asked.

    Patterns are written in lower case and see lower-cased text: ten times faster than ignoring case.
    `cased` rules see the text as written and ignore case but where they say `(?-i:...)`.
    `subject` and `unless` look at scope and text, `body` at the body, `path` at any code path, `paths`
    at every code path. `public` is the number of changed lines in public headers, `lines` in code.
    `when` names a condition of the profile (`partial-offload`).
    """

    key: str
    points: float = 0.0
    subject: re.Pattern[str] | None = None
    unless: re.Pattern[str] | None = None
    body: re.Pattern[str] | None = None
    path: re.Pattern[str] | None = None
    paths: re.Pattern[str] | None = None
    areas: frozenset[str] = frozenset()
    types: frozenset[str] = frozenset()
    public: int = 0
    lines: int = 0
    when: str = ""
    cased: bool = False


@dataclass(frozen=True)
class Metric:
    """What may move one metric: points by area and by word, and the score a suspect needs."""

    key: str
    floor: float
    areas: Mapping[str, float]
    words: tuple[Test, ...]


@dataclass(frozen=True)
class Flag:
    """One flag of llama-server: its spellings, and a pattern of what else a subject calls it."""

    names: tuple[str, ...]
    words: str = ""


@dataclass(frozen=True)
class Pick:
    """How lines are chosen: the score a line needs, how many, and the cost of one more of the same kind.

    Above `themes_above` commits worth a line, `themes` groups of them stand beside the lines; of breaking
    changes `breaking` come first. What does not apply shares one line, which up to `beside` more commits of
    the same area, kind and need may join, from `beside_floor` on.
    """

    floor: float
    most: int
    beside: int
    beside_floor: float
    same_area: float
    same_kind: float
    unmet: float
    size_per_decade: float
    size_most: float
    breaking: int
    themes_above: int
    themes: int


@dataclass(frozen=True)
class Tables:
    """Everything the room knows as data."""

    areas: Mapping[str, Area]
    scopes: Mapping[str, str]
    topics: tuple[Test, ...]
    types: tuple[Test, ...]
    type_points: Mapping[str, float]
    severities: tuple[Test, ...]
    drops: tuple[Test, ...]
    platforms: tuple[Test, ...]
    bonuses: tuple[Test, ...]
    needs: tuple[Test, ...]
    families: Mapping[str, re.Pattern[str]]
    names: Mapping[str, str]
    certain: frozenset[str]
    lower_names: frozenset[str]
    flags: tuple[Flag, ...]
    models: tuple[tuple[re.Pattern[str], str], ...]
    pins: tuple[Test, ...]
    pick: Pick
    metrics: Mapping[str, Metric]


@cache
def tables() -> Tables:
    """The shipped rules, compiled once per process."""
    areas = {row["key"]: _area(row) for row in _read("areas")["area"]}
    rules, needs = _read("rules"), _read("needs")
    metrics = _read("suspects")["metric"]
    return Tables(
        areas=areas,
        scopes={scope: area.key for area in areas.values() for scope in area.scopes},
        topics=_tests(rules["topic"]),
        types=_tests(rules["type"]),
        type_points=rules["points"],
        severities=_tests(rules["severity"]),
        drops=_tests(rules["drop"]),
        platforms=_tests(rules["platform"]),
        bonuses=_tests(rules["bonus"]),
        needs=_tests(needs["need"]),
        families={key: _lower(text) for key, text in needs["family"].items()},
        names=needs["name"],
        certain=frozenset(needs["certain"]),
        lower_names=frozenset(rules["names"]["lower"]),
        flags=tuple(Flag(tuple(row["names"]), row.get("words", "")) for row in _read("flags")["flag"]),
        models=tuple((_lower(text), key) for text, key in needs["model_name"].items()),
        pins=_tests(rules["pin"]),
        pick=Pick(**rules["pick"]),
        metrics={row["key"]: _metric(row) for row in metrics},
    )


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((Path(__file__).parent / f"{name}.toml").read_text(encoding="utf-8"))


def _lower(text: str) -> re.Pattern[str]:
    if re.search(r"(?<!\\)[A-Z]", text):
        raise ValueError(f"a pattern in capitals never matches: {text}")
    return re.compile(text)


def _any_case(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


def _area(row: Row) -> Area:
    return Area(
        key=row["key"],
        kind=row["kind"],
        weight=row["weight"],
        paths=re.compile("|".join(f"(?:{path})" for path in row["paths"])),
        scopes=frozenset(row["scopes"]),
        generic=row.get("generic", False),
    )


_TEXT_PATTERNS = ("subject", "unless", "body")
_PATH_PATTERNS = ("path", "paths")
_KEYS = frozenset(field.name for field in fields(Test))


def _test(row: Row) -> Test:
    unknown = set(row) - _KEYS
    if unknown:
        raise ValueError(f"{row['key']}: unknown {sorted(unknown)}")
    ready: dict[str, Any] = dict(row)
    read = _any_case if row.get("cased") else _lower
    for name in _TEXT_PATTERNS:
        if name in row:
            ready[name] = read(row[name])
    for name in _PATH_PATTERNS:
        if name in row:
            ready[name] = re.compile(row[name])
    for name in ("areas", "types"):
        ready[name] = frozenset(row.get(name, ()))
    return Test(**ready)


def _tests(rows: list[Row]) -> tuple[Test, ...]:
    return tuple(_test(row) for row in rows)


def _metric(row: Row) -> Metric:
    return Metric(row["key"], row["floor"], row["areas"], _tests(row["word"]))
