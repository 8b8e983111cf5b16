"""How each side was built, or why it was not."""

from typing import Literal

from bot.records.base import Backend, Reason, Record, Side


class Tool(Record):
    """A program that took part: compiler, cmake, ninja, ccache, nvcc."""

    name: str
    version: str
    path: str


FailureClass = Literal["code", "environment", "configuration", "resource", "network", "unknown"]


class BuildFailure(Record):
    """Why a build failed. `cause` names `cause-<cause>` and `advice-<cause>` in the catalogs."""

    stage: Literal["source", "configure", "compile", "smoke", "identity"]
    kind: FailureClass
    cause: str
    excerpt: str
    tail: str


BuildSource = Literal["build", "archive", "path"]


class Build(Record):
    """One side's binaries: where they came from and how they were made.

    `source`: compiled here, unpacked from a release archive of upstream (`archives`: its files' SHA-256), or
    the user's own binaries. `isolation`: what compiling it was shut off from, as far as it was compiled by a
    program that tells. `toolkits` says of each CUDA toolkit that was seen why it was taken or not. `stages`
    holds the seconds of source, configure, compile and identity when it was made (`seconds` is what this run
    spent on it), `units` how its compiler calls went: "hit" in the compiler cache, "miss", or "other" (not
    cacheable).
    """

    side: Side
    tag: str
    sha: str
    key: str
    backend: Backend
    source: BuildSource = "build"
    options: dict[str, str] = {}
    native: bool = True
    tools: tuple[Tool, ...] = ()
    toolkits: tuple[Reason, ...] = ()
    commands: tuple[tuple[str, ...], ...] = ()
    status: Literal["ok", "failed"] = "ok"
    cached: bool = False
    seconds: float = 0.0
    stages: dict[str, float] = {}
    units: dict[str, int] = {}
    version: str | None = None
    binaries: dict[str, str] = {}
    failure: BuildFailure | None = None
    isolation: tuple[str, ...] = ()
    archives: dict[str, str] = {}
