"""The catalogs: every sentence for a reader, by language. The one place of this room that reads files, once.

A language is one file `templates/locales/<tag>.ftl` (Fluent). What it lacks is said in English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.errors import BotError
from bot.resources import templates

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

FALLBACK = "en"
#: One message with its lines: those that follow are indented, closed by a brace, or empty.
_ENTRY = re.compile(r"^(-?[a-zA-Z][\w-]*) *=.*(?:\n(?:[ \t}].*|(?=\n)))*", re.MULTILINE)
_REFERENCE = re.compile(r"\{\s*(-?[a-zA-Z][\w-]*)")


@dataclass(frozen=True, eq=False)
class Catalog:
    """The messages of one file. Each is parsed when it is first asked for, with those that it refers to:
    a report needs one in five, and reading all of them would be a third of the time it takes.
    """

    language: str
    entries: dict[str, str]
    _known: set[str] = field(default_factory=set)

    @cached_property
    def bundle(self) -> FluentBundle:
        """Fluent's own, holding what was asked for so far."""
        from fluent.runtime import FluentBundle  # noqa: PLC0415 - costs 60 ms, --help needs none

        return FluentBundle([self.language], use_isolating=False)

    def text(self, message: str, values: dict[str, Any]) -> str | None:
        """The message as its reader reads it; None where there is no such message."""
        if message not in self.entries:
            return None
        self._learn(message)
        found = self.bundle.get_message(message)
        return str(self.bundle.format_pattern(found.value, values)[0]) if found.value else None

    def _learn(self, message: str) -> None:
        if message in self._known or message not in self.entries:
            return
        from fluent.runtime import FluentResource  # noqa: PLC0415 - as above

        self._known.add(message)
        self.bundle.add_resource(FluentResource(self.entries[message]))
        for reference in _REFERENCE.findall(self.entries[message]):
            self._learn(reference)


@dataclass(frozen=True, eq=False)
class Words:
    """One language. `catalogs` are asked in order; the last is English."""

    language: str
    catalogs: tuple[Catalog, ...]

    def has(self, message: str) -> bool:
        """Whether any of the catalogs knows this message."""
        return any(message in catalog.entries for catalog in self.catalogs)

    def text(self, message: str, **args: str | int | float) -> str:
        """The sentence; numbers to print come formatted, as strings. An unknown message gives its own id.

        Whole numbers serve to choose a plural too, and are printed plainly: 8080, never 8,080.
        """
        values = {name: _plain(value) for name, value in args.items()}
        texts = (catalog.text(message, values) for catalog in self.catalogs)
        return next((text for text in texts if text is not None), message)

    def error(self, error: BotError) -> str:
        """What is wrong and what to do about it; the code and its values where no sentence is known."""
        message = f"error-{error.code}"
        return self.text(message, **error.values) if self.has(message) else str(error)


@cache
def catalog(language: str, folder: Path | None = None) -> Words:
    """The words of a language (BCP 47 tag); an unknown one speaks English. `folder`: other catalogs."""
    own = _read(language, folder) if language in languages(folder) else None
    english = _read(FALLBACK, folder)
    return Words(language, (english,) if own is None or own is english else (own, english))


@cache
def languages(folder: Path | None = None) -> tuple[str, ...]:
    """Every language there is a file for, sorted by tag."""
    return tuple(sorted(path.stem for path in _locales(folder).glob("*.ftl")))


@cache
def layout(name: str, folder: Path | None = None) -> str:
    """The text of one template, e.g. `report.md.j2`."""
    return ((folder or templates()) / name).read_text(encoding="utf-8")


@cache
def _read(language: str, folder: Path | None) -> Catalog:
    text = (_locales(folder) / f"{language}.ftl").read_text(encoding="utf-8")
    return Catalog(language, {found[1]: found[0] for found in _ENTRY.finditer(text)})


def _locales(folder: Path | None) -> Path:
    return (folder or templates()) / "locales"


def _plain(value: str | int | float) -> Any:  # noqa: ANN401 - a Fluent type
    if isinstance(value, (str, bool)) or not isinstance(value, int):
        return str(value)
    from fluent.runtime.types import fluent_number  # noqa: PLC0415 - as above

    return fluent_number(value, useGrouping=False)
