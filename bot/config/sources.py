"""The section `sources` of config.yml: where each side's binaries come from."""

import json
import re
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, ValidationInfo

from bot.config.fields import Kind, read_path
from bot.config.github import API, ApiUrl
from bot.config.models import Section
from bot.config.problem import problem
from bot.errors import usage
from bot.records import BuildSource

SHAPE = r"build|archive(:vulkan)?|path:\S.*"
ALLOWED = "build | archive | archive:vulkan | path:FOLDER"
_GITHUB = re.compile(
    r"(?:https?://|git@|ssh://git@)(?P<host>[^/:]+)[/:](?P<slug>[\w.-]+/[\w.-]+?)(?:\.git)?/?"
)


class Source(Section):
    """Where one side's binaries come from; `folder` is that of `path`, `variant` that of `archive`."""

    kind: BuildSource = "build"
    variant: Literal["", "vulkan"] = ""
    folder: Path = Path()

    def __str__(self) -> str:
        """As in the settings."""
        rest = str(self.folder) if self.kind == "path" else self.variant
        return ":".join(filter(None, (self.kind, rest)))


BUILD = Source()


def _read(value: object, info: ValidationInfo) -> Source:
    if isinstance(value, Source):
        return value
    if not isinstance(value, str) or not re.fullmatch(SHAPE, value):
        raise problem("source", allowed=ALLOWED)
    kind, _, rest = value.partition(":")
    if kind == "path":
        return Source(kind="path", folder=read_path(rest, info))
    return Source(kind="archive", variant="vulkan" if rest else "") if kind == "archive" else BUILD


def parse(text: str, option: str) -> Source:
    """From the command line: folders are relative to the working one. BotError (exit 2) names `option`."""
    try:
        return SourcesConfig.model_validate_json(json.dumps({"base": text})).base
    except ValueError:
        raise usage("bad-source", option=option, found=text, allowed=ALLOWED) from None


_EXAMPLES = ["build", "archive", "path:~/llama.cpp/build/bin"]
SourceText = Annotated[
    Source, Kind(_read, {"type": "string", "pattern": f"^({SHAPE})$", "examples": _EXAMPLES})
]


class SourcesConfig(Section):
    """Where each side's binaries come from. Speed is compared only where both come from the same."""

    base: SourceText = Field(
        BUILD,
        description="`build` here, upstream's release `archive`, or your own binaries (`path:FOLDER`).",
        json_schema_extra={"default": "build"},
    )
    head: SourceText = Field(BUILD, description="As `base`.", json_schema_extra={"default": "build"})
    releases: ApiUrl | None = Field(
        None,
        description="The repository with the releases at GitHub's REST API, "
        f"such as {API}/repos/ggml-org/llama.cpp. Default: that of `upstream.url`.",
    )

    def api(self, upstream: str) -> str | None:
        """The repository's address at the REST API; None where `upstream` is none at GitHub."""
        found = _GITHUB.fullmatch(upstream)
        if self.releases or not found:
            return self.releases
        host = found["host"].removeprefix("www.")
        return f"{API if host == 'github.com' else f'https://{host}/api/v3'}/repos/{found['slug']}"
