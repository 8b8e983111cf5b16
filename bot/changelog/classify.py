"""One commit read: its area (paths first, subject second), type, severity and needs; by rules as data."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from bot.changelog.areas import area_of, lines, sizes
from bot.changelog.parse import Parsed, parse
from bot.changelog.tables import Test, tables
from bot.records import Commit

_PUBLIC = re.compile(r"include/|common/common\.h|(?:^|/)llama\.h$")
_MODEL_FILE = re.compile(r"src/models/([\w.-]+)\.(?:cpp|h)$")
_SHARED_MODEL_FILES = frozenset(
    {"models", "delta-net-base", "graph-context-mamba", "mamba-base", "rwkv6-base"}
)
_COUNTED = 40
_BODY = 4000
_SPREAD = 3
#: Backends that live in the files of another one.
_LODGERS = {"hip": "cuda", "musa": "cuda"}


@dataclass(frozen=True)
class Reading:
    """A commit with what is known of it from its text and paths alone (no profile yet).

    `sizes` holds changed lines by area; `code` those that are not noise (tests, docs, CI, ...).
    `given_type` is a maintainer's correction.
    """

    index: int
    commit: Commit
    parsed: Parsed
    sizes: Mapping[str, int]
    given_type: str = ""

    @cached_property
    def code(self) -> dict[str, int]:
        """Changed lines by area, without noise."""
        areas = tables().areas
        return {key: size for key, size in self.sizes.items() if areas[key].kind != "noise"}

    @cached_property
    def code_paths(self) -> tuple[str, ...]:
        """Paths of the code files, at most the first 400."""
        areas = tables().areas
        files = self.commit.files[:400]
        return tuple(file.path for file in files if areas[area_of(file.path)].kind != "noise")

    @cached_property
    def text(self) -> str:
        """Scopes and text in lower case, as rules see them."""
        return self.parsed.full.lower()

    @cached_property
    def body(self) -> str:
        """The start of the body in lower case."""
        return self.commit.body[:_BODY].lower()

    @cached_property
    def area(self) -> str:
        """The one area the commit is told under."""
        return _area(self)

    @cached_property
    def type(self) -> str:
        """The key of `type-<key>`."""
        return self.given_type or _type(self)

    @cached_property
    def severity(self) -> str | None:
        """`security`, `crash` or `corruption` where the words say so."""
        return next((test.key for test in tables().severities if matches(test, self)), None)

    @cached_property
    def needs(self) -> tuple[str, ...]:
        """What must be in use for the commit to act; alternatives are joined by `|` after the colon."""
        return _needs(self)

    @property
    def public_lines(self) -> int:
        """Changed lines of public headers; a file without counts is taken for a large change."""
        return sum(
            lines(file) if file.added is not None else _COUNTED
            for file in self.commit.files
            if _PUBLIC.search(file.path)
        )


def read(commits: Sequence[Commit]) -> tuple[Reading, ...]:
    """Read a range, oldest first."""
    return tuple(
        Reading(index, commit, parse(commit), sizes(commit.files)) for index, commit in enumerate(commits)
    )


def matches(test: Test, reading: Reading) -> bool:
    """Whether a rule holds for a commit. `areas` are asked of the resolved area."""
    if not _says(test, reading):
        return False
    if test.body and not test.body.search(reading.body):
        return False
    if test.areas and reading.area not in test.areas:
        return False
    if test.types and reading.type not in test.types:
        return False
    return _sized(test, reading) and _on_paths(test, reading)


def _says(test: Test, reading: Reading) -> bool:
    text = reading.parsed.full if test.cased else reading.text
    if test.subject and not test.subject.search(text):
        return False
    return not (test.unless and test.unless.search(text))


def _sized(test: Test, reading: Reading) -> bool:
    if test.public and reading.public_lines < test.public:
        return False
    return not test.lines or sum(reading.code.values()) >= test.lines


def _on_paths(test: Test, reading: Reading) -> bool:
    if test.path and not any(test.path.search(path) for path in reading.code_paths):
        return not reading.commit.files
    if test.paths:
        return bool(reading.code_paths) and all(test.paths.search(path) for path in reading.code_paths)
    return True


def _area(reading: Reading) -> str:
    named = _named(reading.parsed)
    if not reading.sizes:
        return _by_words(reading) or next(iter(named), "other")
    if not reading.code:
        return largest(reading.sizes)
    return _by_scope(reading, named) or _by_words(reading) or _by_paths(reading, named)


def _named(parsed: Parsed) -> list[str]:
    """The areas that the scopes name, in their order."""
    scopes = tables().scopes
    return [scopes[scope] for scope in parsed.scopes if scope in scopes]


def _by_scope(reading: Reading, named: Iterable[str]) -> str | None:
    """A scope is believed unless it is generic, noise, or a backend that no path belongs to."""
    areas = tables().areas
    only_backends = all(areas[key].kind == "backend" for key in reading.code)
    for key in named:
        area = areas[key]
        if area.generic or (area.kind == "noise" and key != "ui"):
            continue
        lodging = _LODGERS.get(key) in reading.code
        if key in reading.sizes or lodging or (area.kind == "code" and not only_backends):
            return key
    return None


def _by_words(reading: Reading) -> str | None:
    areas = tables().areas
    if reading.code and all(areas[key].kind == "backend" for key in reading.code):
        return None
    for test in tables().topics:
        if _says(test, reading) and _on_paths(test, reading):
            return test.key
    return None


def _by_paths(reading: Reading, named: Sequence[str]) -> str:
    only_backends = all(tables().areas[key].kind == "backend" for key in reading.code)
    for key in named:
        spread = key in reading.code or (len(reading.code) >= _SPREAD and not only_backends)
        if tables().areas[key].generic and spread and not _is_concentrated(reading):
            return key
    return largest(reading.code)


def _is_concentrated(reading: Reading) -> bool:
    return max(reading.code.values()) >= 0.7 * sum(reading.code.values())


def largest(sized: Mapping[str, int]) -> str:
    """The area with most lines; of equals the one that stands first in the table."""
    order = list(tables().areas)
    return max(sized.items(), key=lambda item: (item[1], -order.index(item[0])))[0]


def _type(reading: Reading) -> str:
    if not reading.code and reading.sizes:
        return "other"
    kind = reading.parsed.kind
    if kind == "revert":
        return "revert"
    for test in tables().types:
        if kind in tables().type_points and test.key not in {"security", "breaking", kind}:
            continue
        if _type_matches(test, reading):
            return test.key
    return kind if kind and kind in tables().type_points else "other"


def _type_matches(test: Test, reading: Reading) -> bool:
    return not test.types and matches(test, reading)


def _needs(reading: Reading) -> tuple[str, ...]:
    found = [test.key for test in tables().needs if matches(test, reading)]
    if tables().areas[reading.area].kind == "backend":
        found.insert(0, f"backend:{reading.area}")
    if reading.area == "mm" and "mmproj" not in found:
        found.append("mmproj")
    if reading.area == "speculative" and not any(key.startswith("spec:") for key in found):
        found.append("spec:draft")
    named = _models(reading)
    if named:
        found = [key for key in found if not key.startswith("model:")] + [f"model:{named}"]
    return _joined(found)


def _models(reading: Reading) -> str | None:
    """The model files changed, `a|b`, where the commit changes nothing but models and their tables."""
    names = {
        match.group(1).removesuffix("-iswa")
        for path in reading.code_paths
        if (match := _MODEL_FILE.search(path))
    }
    names -= _SHARED_MODEL_FILES
    rest = set(reading.code) - {"model", "build", "vocab"}
    if names and len(names) <= 4 and (not rest or reading.area == "model"):
        return "|".join(sorted(names))
    return None


def _joined(keys: Sequence[str]) -> tuple[str, ...]:
    """GPU generations named together are alternatives: one of them is enough."""
    grouped: Counter[str] = Counter(keys)
    gpus = [key.removeprefix("gpu:") for key in grouped if key.startswith("gpu:")]
    rest = [key for key in grouped if not key.startswith("gpu:")]
    return (*rest, f"gpu:{'|'.join(gpus)}") if gpus else tuple(rest)
