"""What the validation found, as the one line that a user reads."""

import difflib

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.config.checks import Problem
from bot.config.commands import CommandsConfig
from bot.config.document import Document, Loc
from bot.config.fields import listed
from bot.config.github import GithubConfig
from bot.config.models import MachineConfig, PresetConfig, ProfileConfig, ScenarioConfig, UpstreamConfig
from bot.config.settings import Settings
from bot.config.sources import SourcesConfig
from bot.config.syntax import one_line
from bot.config.watch import MachineEntry, WatchConfig
from bot.errors import BotError, usage

#: pydantic's own error types and the sentence (`error-config-<code>`) for each.
CODES = {
    "missing": "missing-key",
    "extra_forbidden": "unknown-key",
    "model_type": "section",
    "dict_type": "section",
    "tuple_type": "list",
    "list_type": "list",
    "too_short": "empty-section",
}
#: Which problem to name first; all others stand between these.
URGENCY = {"unknown-key-near": 0, "unknown-key": 0, "missing-key": 2}
#: The section that stands at a path; `*` is any name.
SECTIONS: dict[tuple[str, ...], type[BaseModel]] = {
    (): Settings,
    ("upstream",): UpstreamConfig,
    ("sources",): SourcesConfig,
    ("machine",): MachineConfig,
    ("github",): GithubConfig,
    ("github", "*"): CommandsConfig,
    ("watch",): WatchConfig,
    ("watch", "machines", "*"): MachineEntry,
    ("profiles", "*"): ProfileConfig,
    ("profiles", "*", "scenarios", "*"): ScenarioConfig,
    ("presets", "*"): PresetConfig,
}


def first(document: Document, found: list[Problem]) -> BotError:
    """The error for what to mend first: a mistyped key (it may be the missing one), then by line."""
    chosen = min(found, key=lambda item: (URGENCY.get(item.code, 1), document.line(item.loc)))
    kind, shown = document.found(chosen.loc)
    if chosen.found is not None:
        kind, shown = "value", one_line(chosen.found)
    return usage(
        f"config-{chosen.code}",
        file=str(document.path),
        line=str(document.line(chosen.loc)),
        key=_dotted(chosen.loc),
        kind=kind,
        found=shown,
        **chosen.args,
    )


def from_validation(error: ValidationError) -> list[Problem]:
    """The problems of one validation."""
    return [_problem(item) for item in error.errors(include_url=False)]


def _problem(item: ErrorDetails) -> Problem:
    loc, code = item["loc"], item["type"]
    context = {str(name): str(value) for name, value in item.get("ctx", {}).items()}
    if loc and loc[-1] == "[key]":
        return Problem(loc[:-1], code, context, str(loc[-2]))
    if code == "extra_forbidden":
        return _unknown_key(loc)
    found = context.pop("found", None)
    if code in CODES:
        return Problem(loc, CODES[code], {"name": str(loc[-1])} if loc else {}, found)
    # Our own types have no underscore; a type of pydantic's that is not foreseen gets the general sentence.
    return Problem(loc, "value", {}, found) if "_" in code else Problem(loc, code, context, found)


def _unknown_key(loc: Loc) -> Problem:
    known = _keys(loc[:-1])
    nearest = difflib.get_close_matches(str(loc[-1]), known, n=1)
    if nearest:
        return Problem(loc, "unknown-key-near", {"nearest": nearest[0], "allowed": listed(known)})
    return Problem(loc, "unknown-key", {"allowed": listed(known)})


def _keys(loc: Loc) -> tuple[str, ...]:
    """The keys that the section at `loc` may have, as they are written in the file."""
    pattern = tuple("*" if index in (1, 3) else str(step) for index, step in enumerate(loc))
    return tuple(field.alias or name for name, field in SECTIONS[pattern].model_fields.items())


def _dotted(loc: Loc) -> str:
    parts = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in loc]
    return "".join(parts).removeprefix(".")
