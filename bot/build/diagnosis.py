"""From a build log to its cause: the first error and what stands around it, matched against `diagnosis.toml`.

Any log is read in bounded memory: lines are clipped, only a window after the first error is kept. The rules
of the table are tried on that window alone, so that a second error of another job never names the cause of
the first.
"""

import re
import tomllib
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from bot.build import log_search
from bot.records import BuildFailure, FailureClass

Stage = Literal["source", "configure", "compile", "smoke", "identity"]

_TABLE = Path(__file__).with_name("diagnosis.toml")
#: A line longer than this (a compiler's command, a binary file) is cut.
_LINE = 400
#: One error of CMake's compiler test quotes a whole inner build log, of nvcc with all that it would call.
_WINDOW = 400
_BEFORE, _HEAD, _AFTER, _TAIL = 2, 4, 10, 25

_ERROR = re.compile(
    r"(?:^|[\s:])(?:fatal |internal compiler |catastrophic )?error(?: #\d+)?\s?:|^\s*#error|"
    r"^CMake Error|^nvcc fatal|^ptxas fatal|^ninja: (?:error|fatal)|\bdied due to signal|\bKilled\b|"
    r"undefined reference to|cannot find -l|No space left on device|error while loading shared libraries|"
    r"version `?GLIBC\S* not found|CUDA driver version is insufficient",
    re.IGNORECASE,
)
_FAILED = re.compile(r"^FAILED: ")
#: Where one error's output ends: ninja prints each job's output in one piece.
_END = re.compile(r"^\[\d+/\d+\] |^FAILED: |^ninja: build stopped")
_CMAKE_END = re.compile(r"^CMake Error|^-- Configuring incomplete")


#: What no log says: the builder finds it out.
_BY_BUILDER = (
    "unknown",
    "illegal-instruction",
    "wrong-commit",
    "no-version",
    "timed-out",
    "binaries-missing",
    "foreign-library",
)


@dataclass(frozen=True)
class Diagnosis:
    """Why a log ends in failure. `cause` names `cause-<cause>` and `advice-<cause>` in the catalogs."""

    kind: FailureClass
    cause: str
    excerpt: str
    tail: str

    def at(self, stage: Stage) -> BuildFailure:
        """As the record keeps it."""
        return BuildFailure(
            stage=stage, kind=self.kind, cause=self.cause, excerpt=self.excerpt, tail=self.tail
        )


@dataclass(frozen=True)
class _Rule:
    cause: str
    kind: FailureClass
    pattern: re.Pattern[str]
    general: bool


def diagnose(lines: Iterable[str]) -> Diagnosis:
    """The cause of the first error in `lines`; "unknown" with the right excerpt where no rule fits."""
    every = iter([_clean(line) for line in lines])
    before: deque[str] = deque(maxlen=_BEFORE)
    read: list[str] = []
    for line in every:
        read.append(line)
        if _starts(line):
            rest = list(every)
            window = _window([line, *rest])
            return _judged(before, window, [*read, *rest])
        if line:
            before.append(line)
    return _judged(before, [], read)


def diagnose_file(path: Path) -> Diagnosis:
    """As `diagnose`, from a log of any bytes and any length, in bounded memory. Raises OSError.

    What surrounds the error is looked for near it: of lines beyond some thousand bytes less is shown.
    """
    with path.open("rb") as file:
        start = log_search.first(file, lambda line: _starts(_clean(line)))
        tail = [_clean(line) for line in log_search.last(file)]
        if start is None:
            return _judged(tail, [], tail)
        before = [_clean(line) for line in log_search.before(file, start)]
        window = _window(_clean(line) for line in log_search.lines(file, start))
    return _judged(before, window, tail)


def causes() -> tuple[str, ...]:
    """Every cause that a diagnosis can name, the builder's own included."""
    return tuple(dict.fromkeys((*(rule.cause for rule in _rules()), *_BY_BUILDER)))


def _window(lines: Iterable[str]) -> list[str]:
    """The first error's own lines; the first of them is where it begins."""
    window: list[str] = []
    for line in lines:
        if window and (len(window) >= _WINDOW or _ends(line, window[0])):
            break
        window.append(line)
    return window


def _judged(before: Iterable[str], window: list[str], every: Sequence[str]) -> Diagnosis:
    """`before` are the lines above the window, `every` those whose last ones are the tail."""
    rule, index = _match(window)
    above = list(before)[-_BEFORE:]
    return Diagnosis(
        rule.kind if rule else "unknown",
        rule.cause if rule else "unknown",
        "\n".join(_excerpt(above, window, index)),
        "\n".join([line for line in every if line][-_TAIL:]),
    )


def _starts(line: str) -> bool:
    """Whether an error begins here."""
    return _FAILED.match(line) is not None or _ERROR.search(line) is not None


def _ends(line: str, first: str) -> bool:
    """Whether `line` belongs to the next error no more. A job's own CMake errors stay with the job."""
    by_cmake = first.startswith("CMake Error") and _CMAKE_END.match(line) is not None
    return by_cmake or _END.match(line) is not None


def _match(window: list[str]) -> tuple[_Rule | None, int]:
    """The first line that a specific rule knows, else the first that a general one knows; and its index."""
    for general in (False, True):
        rules = [rule for rule in _rules() if rule.general is general]
        for index in _diagnostics(window):
            rule = next((rule for rule in rules if rule.pattern.search(window[index])), None)
            if rule:
                return rule, index
    return None, next((index for index in _diagnostics(window) if _ERROR.search(window[index])), 0)


def _diagnostics(window: list[str]) -> Iterator[int]:
    """All lines but the command that ninja prints after FAILED: it may contain anything."""
    command = 1 if window and _FAILED.match(window[0]) else None
    return (index for index in range(len(window)) if index != command)


def _excerpt(before: list[str], window: list[str], decisive: int) -> list[str]:
    """The first lines of the error, the decisive line, and a few around both."""
    if not window:
        return []
    near = range(decisive - _BEFORE, decisive + _AFTER)
    chosen = (window[index] for index in _diagnostics(window) if index < _HEAD or index in near)
    return [line for line in (*before, *chosen) if line]


def _clean(raw: str) -> str:
    """Clipped, without terminal colours and other control characters."""
    text = _ESCAPES.sub("", raw[:_LINE].rstrip())
    return (
        "".join(char for char in text if char.isprintable() or char == "\t")
        if not text.isprintable()
        else text
    )


_ESCAPES = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")


@cache
def _rules() -> tuple[_Rule, ...]:
    rows = tomllib.loads(_TABLE.read_text("utf-8"))["cause"]
    return tuple(
        _Rule(row["code"], row["class"], re.compile(row["pattern"]), row.get("general", False))
        for row in rows
    )
