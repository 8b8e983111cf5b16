"""Makes a record fit to be published: no home paths, host name, GPU UUID or private folder in any string."""

import getpass
import re
import socket
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bot.records import Run

_HOME = re.compile(r"(?<![\w.])(?:/home/[^/\s'\"]+|/root|/Users/[^/\s'\"]+)(?=/|$|[\s'\"])")
#: Shorter host names are also words; a hash in their place would destroy texts and hide nothing.
_SHORTEST_NAME = 5


def public(run: Run, replacements: Mapping[str, str]) -> Run:
    """The run with each key of `replacements` (longest first) and every private name replaced."""
    scrub = _scrubber({**private_names(), **replacements})
    return Run.model_validate(_scrubbed(run.model_dump(mode="json", by_alias=True), scrub))


def private_names() -> dict[str, str]:
    """What names this machine, its user and where this program lies, with what stands in its place."""
    names = {str(Path.home()): "~", str(Path(__file__).parents[1]): "llama-release-bot"}
    if sys.prefix != sys.base_prefix:
        names[sys.prefix] = "venv"
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


def _scrubber(table: Mapping[str, str]) -> Callable[[str], str]:
    private = sorted(filter(None, table), key=len, reverse=True)
    any_of_them = re.compile("|".join(_pattern(name) for name in private))

    def scrub(text: str) -> str:
        return _HOME.sub("~", any_of_them.sub(lambda found: table[found[0]], text))

    return scrub


def _pattern(name: str) -> str:
    """A path is no part of a longer name: /app is not the beginning of /apples."""
    is_path = name.startswith("/") and not name.endswith("/")
    return re.escape(name) + (r"(?![\w-])" if is_path else "")


def _scrubbed(data: Any, scrub: Callable[[str], str]) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(data, str):
        return scrub(data)
    if isinstance(data, list):
        return [_scrubbed(item, scrub) for item in data]
    if isinstance(data, dict):
        return {key: _scrubbed(value, scrub) for key, value in data.items()}
    return data
