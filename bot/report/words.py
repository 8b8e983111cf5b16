"""The catalogs: every sentence for a reader, by language. The one place of this room that reads files, once.

A language is one file `templates/locales/<tag>.ftl` (Fluent). What it lacks is said in English.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.errors import BotError
from bot.resources import templates

if TYPE_CHECKING:
    from fluent.runtime import FluentBundle

FALLBACK = "en"


@dataclass(frozen=True, eq=False)
class Words:
    """One language. `bundles` are asked in order; the last is English."""

    language: str
    bundles: tuple[FluentBundle, ...]

    def has(self, message: str) -> bool:
        """Whether any of the catalogs knows this message."""
        return any(bundle.has_message(message) for bundle in self.bundles)

    def text(self, message: str, **args: str | int | float) -> str:
        """The sentence; numbers to print come formatted, as strings. An unknown message gives its own id.

        Whole numbers serve to choose a plural too, and are printed plainly: 8080, never 8,080.
        """
        values = {name: _plain(value) for name, value in args.items()}
        for bundle in self.bundles:
            if bundle.has_message(message):
                found = bundle.get_message(message)
                return str(bundle.format_pattern(found.value, values)[0]) if found.value else message
        return message

    def error(self, error: BotError) -> str:
        """What is wrong and what to do about it; the code and its values where no sentence is known."""
        message = f"error-{error.code}"
        return self.text(message, **error.values) if self.has(message) else str(error)


@cache
def catalog(language: str, folder: Path | None = None) -> Words:
    """The words of a language (BCP 47 tag); an unknown one speaks English. `folder`: other catalogs."""
    own = _bundle(language, folder) if language in languages(folder) else None
    english = _bundle(FALLBACK, folder)
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
def _bundle(language: str, folder: Path | None) -> FluentBundle:
    from fluent.runtime import FluentBundle, FluentResource  # noqa: PLC0415 - costs 60 ms, --help needs none

    bundle = FluentBundle([language], use_isolating=False)
    text = (_locales(folder) / f"{language}.ftl").read_text(encoding="utf-8")
    bundle.add_resource(FluentResource(text))
    return bundle


def _locales(folder: Path | None) -> Path:
    return (folder or templates()) / "locales"


def _plain(value: str | int | float) -> Any:  # noqa: ANN401 - a Fluent type
    if isinstance(value, (str, bool)) or not isinstance(value, int):
        return str(value)
    from fluent.runtime.types import fluent_number  # noqa: PLC0415 - as above

    return fluent_number(value, useGrouping=False)
