"""The kinds of values in config.yml: each checks itself, names its problem and describes itself to editors.

A problem is a `PydanticCustomError` whose type names the sentence `error-config-<type>` of the catalogs and
whose context holds the sentence's variables (all text).
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from pydantic import GetJsonSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from bot import resources
from bot.config import units
from bot.config.problem import problem
from bot.config.server_flags import with_paths
from bot.flags import split_flags

Json = dict[str, Any]
TEXTS: Json = {"type": "array", "items": {"type": "string"}}
ARGUMENTS: Json = {"type": "array", "items": {"type": ["string", "number"]}}

NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
SCENARIO = r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}"
ARCHITECTURE = r"[1-9][0-9]{1,2}[af]?"
_UUID = r"(GPU|MIG)-[0-9A-Fa-f-]{8,}"
GPU = rf"auto|{_UUID}(, *{_UUID})*"
URL = r"(https?|ssh|git|file)://\S+|git@\S+:\S+|/.*"
TAG = r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*"
BUILTIN_PROMPTS = ("chat", "document", "coding")


@dataclass(frozen=True)
class Kind:
    """How a value of the file becomes a setting, and the schema that editors see."""

    read: Callable[[object, ValidationInfo], object]
    schema: Json = field(hash=False)

    def __get_pydantic_core_schema__(self, source: object, handler: object) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self.read)

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> Json:
        return dict(self.schema)


def whole(low: int, high: int) -> Kind:
    """An integer from `low` to `high`."""

    def read(value: object, _: ValidationInfo) -> object:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise problem("integer", low=str(low), high=str(high))
        return value

    return Kind(read, {"type": "integer", "minimum": low, "maximum": high})


def _switch(value: object, _: ValidationInfo) -> object:
    if not isinstance(value, bool):
        raise problem("choice", allowed=listed(("true", "false")))
    return value


def one_of(*allowed: str | int) -> Kind:
    """One of a few values."""

    def read(value: object, _: ValidationInfo) -> object:
        if isinstance(value, bool) or value not in allowed:
            raise problem("choice", allowed=listed(allowed))
        return value

    return Kind(read, {"enum": list(allowed)})


def matching(pattern: str, code: str, *examples: str) -> Kind:
    """A text that the pattern describes wholly, else the problem `code`."""

    def read(value: object, _: ValidationInfo) -> object:
        if not isinstance(value, str) or not re.fullmatch(pattern, value):
            raise problem(code)
        return value

    return Kind(
        read,
        {"type": "string", "pattern": f"^({pattern})$", **({"examples": list(examples)} if examples else {})},
    )


def listed(items: Iterable[object]) -> str:
    """Values side by side in a notation that needs no language."""
    return " | ".join(str(item) for item in items)


def distinct(values: tuple[str, ...]) -> tuple[str, ...]:
    """A validator: nothing is listed twice."""
    repeated = next((item for item in values if values.count(item) > 1), None)
    if repeated is not None:
        raise problem("repeated", found=repeated)
    return values


def languages() -> tuple[str, ...]:
    """The languages that have a catalog, as BCP 47 tags."""
    return tuple(sorted(file.stem for file in (resources.templates() / "locales").glob("*.ftl")))


def prompt_file(name: str) -> Path:
    """The text of a built-in prompt."""
    return resources.templates() / "prompts" / f"{name}.txt"


def _language(value: object, _: ValidationInfo) -> object:
    known = languages()
    if value not in known:
        raise problem("language", allowed=listed(known))
    return value


def read_path(value: object, info: ValidationInfo) -> Path:
    """The path with `~` expanded, relative to the folder of the configuration file."""
    if isinstance(value, Path):
        return value
    if not isinstance(value, str) or not value.strip() or "\0" in value:
        raise problem("path")
    try:
        path = Path(value).expanduser()
    except RuntimeError:
        raise problem("home") from None
    return _folder(info) / path


def _folder(info: ValidationInfo) -> Path:
    return Path((info.context or {}).get("folder", ""))


def _prompt(value: object, info: ValidationInfo) -> Path:
    if isinstance(value, str) and value in BUILTIN_PROMPTS:
        return prompt_file(value)
    try:
        path = read_path(value, info)
        if path.read_text(encoding="utf-8").strip():
            return path
    except (PydanticCustomError, OSError, UnicodeDecodeError):
        pass
    raise problem("prompt", allowed=listed(BUILTIN_PROMPTS))


def _flags(value: object, info: ValidationInfo) -> tuple[str, ...]:
    """The arguments of one line of flags (in shell quoting) or of a list, numbers as text."""
    if isinstance(value, str):
        try:
            value = list(split_flags(value))
        except ValueError:
            raise problem("quoting") from None
    if not isinstance(value, list) or not all(_is_argument(item) for item in value):
        raise problem("flags")
    try:
        return tuple(with_paths([str(item) for item in value], _folder(info)))
    except RuntimeError:
        raise problem("home") from None


def _is_argument(item: object) -> bool:
    return isinstance(item, str | int | float) and not isinstance(item, bool)


def _commands(value: object, _: ValidationInfo) -> tuple[tuple[str, ...], ...]:
    if not isinstance(value, list) or not all(_is_command(item) for item in value):
        raise problem("commands")
    return tuple(tuple(str(item) for item in command) for command in value)


def _is_command(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(_is_argument(item) for item in value)


def _names(value: object, _: ValidationInfo) -> tuple[str, ...]:
    """One name or a list of names."""
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list | tuple) or not value or not all(isinstance(item, str) for item in value):
        raise problem("names")
    return distinct(tuple(value))


def _kept(value: object, info: ValidationInfo) -> tuple[str, ...]:
    """`all`, `primary` or a list of names."""
    if isinstance(value, str) and value in ("all", "primary"):
        return (value,)
    if not isinstance(value, list | tuple):
        raise problem("kept")
    return _names(value, info)


def _architectures(value: object, _: ValidationInfo) -> tuple[str, ...]:
    """A list; YAML reads `86` as a number."""
    texts = [str(item) for item in value if _is_argument(item)] if isinstance(value, list) else []
    if not texts or len(texts) != len(value) or not all(re.fullmatch(ARCHITECTURE, text) for text in texts):  # type: ignore[arg-type]
        raise problem("architectures")
    return distinct(tuple(texts))


Name = Annotated[str, matching(NAME, "name")]
ScenarioName = Annotated[str, matching(SCENARIO, "scenario-name")]
Architectures = Annotated[
    tuple[str, ...],
    Kind(
        _architectures,
        {
            "type": "array",
            "minItems": 1,
            "items": {"anyOf": [{"type": "integer"}, {"type": "string", "pattern": f"^{ARCHITECTURE}$"}]},
            "examples": [[86, "120a"]],
        },
    ),
]
GpuId = Annotated[str, matching(GPU, "gpu", "auto")]
Url = Annotated[str, matching(URL, "url", "https://github.com/ggml-org/llama.cpp")]
Switch = Annotated[bool, Kind(_switch, {"type": "boolean"})]
Language = Annotated[
    str, Kind(_language, {"type": "string", "pattern": f"^{TAG}$", "examples": ["zh-Hans", "en"]})
]
FilePath = Annotated[Path, Kind(read_path, {"type": "string", "minLength": 1})]
Prompt = Annotated[Path, Kind(_prompt, {"type": "string", "minLength": 1, "examples": list(BUILTIN_PROMPTS)})]
Flags = Annotated[tuple[str, ...], Kind(_flags, {"anyOf": [{"type": "string"}, ARGUMENTS]})]
Commands = Annotated[
    tuple[tuple[str, ...], ...], Kind(_commands, {"type": "array", "items": {**ARGUMENTS, "minItems": 1}})
]
Names = Annotated[tuple[str, ...], Kind(_names, {"anyOf": [{"type": "string"}, {**TEXTS, "minItems": 1}]})]
Kept = Annotated[
    tuple[str, ...], Kind(_kept, {"anyOf": [{"enum": ["all", "primary"]}, {**TEXTS, "minItems": 1}]})
]
Duration = Annotated[
    int,
    Kind(
        lambda value, _: units.seconds(value),
        {"type": "string", "pattern": units.DURATION_TEXT, "examples": ["45m", "90s", "1h30m"]},
    ),
]
Fraction = Annotated[
    float,
    Kind(
        lambda value, _: units.fraction(value),
        {
            "anyOf": [
                {"type": "string", "pattern": units.PERCENT_TEXT},
                {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": units.LARGEST},
            ],
            "examples": ["3%", 0.03],
        },
    ),
]
