"""Where a report goes: `issue:`, `discussion:`, `release:` and `file:`, and where none may go."""

import re
from dataclasses import dataclass
from pathlib import Path

from bot.errors import usage
from bot.github.errors import refused

#: llama.cpp's own organisation forbids posts of bots (its CONTRIBUTING.md).
UPSTREAM_OWNERS = frozenset({"ggml-org"})
_REPO = r"(?P<repo>[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}(?![\w.-]))[\w.-]{1,100})"
_SHAPES = (
    ("issue", re.compile(rf"issue:{_REPO}#(?P<number>[1-9][0-9]{{0,9}})", re.ASCII)),
    ("discussion", re.compile(rf"discussion:{_REPO}#(?P<number>[1-9][0-9]{{0,9}})", re.ASCII)),
    ("category", re.compile(rf"discussion:{_REPO}/(?P<name>[\w-]{{1,100}})")),
    ("release", re.compile(rf"release:{_REPO}@(?P<name>[^\s~^:?*\[\\#]{{1,200}})")),
)
_PREFIXES = ("issue:", "discussion:", "release:", "file:")


@dataclass(frozen=True)
class IssueTarget:
    """An issue or pull request."""

    repo: str
    number: int

    def __str__(self) -> str:
        return f"issue:{self.repo}#{self.number}"


@dataclass(frozen=True)
class DiscussionTarget:
    """An existing discussion, which gets a comment. `reply_to` is the node id of the comment that it answers.

    That may be a reply itself: there is one level of them.
    """

    repo: str
    number: int
    reply_to: str | None = None

    def __str__(self) -> str:
        return f"discussion:{self.repo}#{self.number}"


@dataclass(frozen=True)
class CategoryTarget:
    """A category of discussions, which gets a new discussion."""

    repo: str
    slug: str

    def __str__(self) -> str:
        return f"discussion:{self.repo}/{self.slug}"


@dataclass(frozen=True)
class ReleaseTarget:
    """A release, whose text gets a section."""

    repo: str
    tag: str

    def __str__(self) -> str:
        return f"release:{self.repo}@{self.tag}"


@dataclass(frozen=True)
class FileTarget:
    """A file of this machine."""

    path: Path

    def __str__(self) -> str:
        return f"file:{self.path}"


GithubTarget = IssueTarget | DiscussionTarget | CategoryTarget | ReleaseTarget
Target = GithubTarget | FileTarget


def looks_like_target(text: str) -> bool:
    """Whether it starts as a target does."""
    return text.startswith(_PREFIXES)


def parse(text: str) -> Target:
    """The target that the text names. Raises BotError (exit 2) for anything else."""
    if text.startswith("file:") and len(text) > len("file:") and "\0" not in text:
        return FileTarget(Path(text.removeprefix("file:")).expanduser())
    for kind, shape in _SHAPES:
        if match := shape.fullmatch(text):
            return _target(kind, match.groupdict())
    raise usage("bad-target", found=text)


def _target(kind: str, parts: dict[str, str]) -> Target:
    repo = parts["repo"]
    if kind == "issue":
        return IssueTarget(repo, int(parts["number"]))
    if kind == "discussion":
        return DiscussionTarget(repo, int(parts["number"]))
    return CategoryTarget(repo, parts["name"]) if kind == "category" else ReleaseTarget(repo, parts["name"])


def forbid_upstream(repo: str, *, allowed: bool) -> None:
    """Raise BotError (exit 5) for a repository (`owner/name`, as GitHub resolves it) of upstream's."""
    if not allowed and repo.split("/", maxsplit=1)[0].casefold() in UPSTREAM_OWNERS:
        raise refused("upstream", repo)
