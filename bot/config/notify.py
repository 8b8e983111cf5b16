"""The setting `notify` of config.yml: where the addresses of phone services are kept, never the addresses."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import ValidationInfo

from bot.config.fields import Kind, distinct, read_path
from bot.config.models import Section
from bot.config.problem import problem

VARIABLE = r"[A-Za-z_][A-Za-z0-9_]{0,99}"
SOURCE = rf"env:{VARIABLE}|file:\S.*"


class AddressSource(Section):
    """A variable of the environment, or a file: addresses of services, one a line. They hold tokens."""

    variable: str = ""
    path: Path = Path()

    def __str__(self) -> str:
        """As in the settings."""
        return f"env:{self.variable}" if self.variable else f"file:{self.path}"


def _sources(value: object, info: ValidationInfo) -> tuple[AddressSource, ...]:
    """One source or a list. What stands there instead is most likely an address: it is not repeated."""
    given = [value] if isinstance(value, str) else value
    if not isinstance(given, list | tuple) or not all(_is_source(item) for item in given):
        raise problem("notify", found="…")
    distinct(tuple(map(str, given)))
    return tuple(item if isinstance(item, AddressSource) else _source(item, info) for item in given)


def _is_source(item: object) -> bool:
    return isinstance(item, AddressSource) or (isinstance(item, str) and bool(re.fullmatch(SOURCE, item)))


def _source(text: str, info: ValidationInfo) -> AddressSource:
    kind, _, name = text.partition(":")
    return AddressSource(variable=name) if kind == "env" else AddressSource(path=read_path(name, info))


_ONE = {"type": "string", "pattern": f"^({SOURCE})$"}
Sources = Annotated[
    tuple[AddressSource, ...],
    Kind(
        _sources,
        {
            "anyOf": [_ONE, {"type": "array", "items": _ONE}],
            "examples": [["env:LLAMA_RELEASE_BOT_PHONE"], ["file:~/.config/llama-release-bot/phone"]],
        },
    ),
]
