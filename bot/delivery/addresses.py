"""The addresses of phone services, from where the settings say that they are kept."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.config.notify import AddressSource
from bot.errors import usage


@dataclass(frozen=True)
class Address:
    """One address: line `line` of its source. The text is a secret."""

    source: AddressSource
    line: int
    text: str = field(repr=False)

    @property
    def name(self) -> str:
        """Which one it is, without saying it."""
        return f"{self.source}#{self.line}"


def read_addresses(source: AddressSource) -> Iterator[Address]:
    """Every address, one a line; empty lines and lines that begin with `#` are none.

    Raises BotError (exit 2) where there is none at all.
    """
    found = False
    for number, line in enumerate(_text(source).splitlines(), start=1):
        text = line.strip()
        if text and not text.startswith("#"):
            found = True
            yield Address(source, number, text)
    if not found:
        raise usage("notify-unset", source=str(source))


def _text(source: AddressSource) -> str:
    if source.variable:
        return os.environ.get(source.variable, "")
    try:
        return source.path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""
