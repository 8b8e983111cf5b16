"""Makes a record fit to be published: no home paths, host name, GPU UUID or private folder in any string."""

import getpass
import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bot.records import Run

_HOME = re.compile(r"(?<![\w.])(?:/home/[^/\s'\"]+|/root|/Users/[^/\s'\"]+)(?=/|$|[\s'\"])")
#: Shorter host names are also words; a hash in their place would destroy texts and hide nothing.
_SHORTEST_NAME = 5


def public(run: Run, replacements: Mapping[str, str]) -> Run:
    """The run with each key of `replacements` (longest first) and every private name replaced."""
    table = {**private_names(), **replacements}
    ordered = sorted((item for item in table.items() if item[0]), key=lambda item: -len(item[0]))
    return Run.model_validate(_scrub(run.model_dump(mode="json", by_alias=True), ordered))


def private_names() -> dict[str, str]:
    """What names this machine and its user, with what stands in its place."""
    names = {str(Path.home()): "~"}
    host = socket.gethostname()
    if len(host) >= _SHORTEST_NAME:
        names[host] = "HOST"
    user = _user()
    if len(user) >= _SHORTEST_NAME:
        names[f"/{user}/"] = "/USER/"
    return names


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


def _scrub(data: Any, table: list[tuple[str, str]]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(data, str):
        return _text(data, table)
    if isinstance(data, list):
        return [_scrub(item, table) for item in data]
    if isinstance(data, dict):
        return {key: _scrub(value, table) for key, value in data.items()}
    return data


def _text(text: str, table: list[tuple[str, str]]) -> str:
    for private, shown in table:
        text = text.replace(private, shown)
    return _HOME.sub("~", text)
