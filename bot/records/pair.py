"""What is compared: two tags and what lies between them."""

from typing import Literal

from bot.records.base import Record


class Tag(Record):
    """A release tag, resolved. `number` is None for anything but `bN`."""

    name: str
    sha: str
    number: int | None = None


class Pair(Record):
    """Base and head of one run.

    `ancestor` is None where the source holds no history between the two.
    `web` is the address of the repository's pages, None where commits must not be linked.
    """

    base: Tag
    head: Tag
    ancestor: bool | None = None
    skipped: tuple[str, ...] = ()
    commits: int | None = None
    web: str | None = None

    @property
    def is_self_test(self) -> bool:
        """Whether both sides are the same commit (an A/A run)."""
        return self.base.sha == self.head.sha


class FileChange(Record):
    """One path of a commit or tree diff; line counts are None where blobs were not read."""

    path: str
    added: int | None = None
    deleted: int | None = None


class Commit(Record):
    """One commit between base and head, newest last."""

    sha: str
    subject: str
    body: str = ""
    files: tuple[FileChange, ...] = ()
    pr: int | None = None


class AreaChange(Record):
    """How much of one area (a key of `bot/changelog/areas.toml`) differs between the trees."""

    area: str
    files: int
    added: int
    deleted: int


class Changes(Record):
    """What changed: commit by commit, or (`trees`) only by area where the source has no commit texts."""

    source: Literal["commits", "trees"]
    commits: tuple[Commit, ...] = ()
    areas: tuple[AreaChange, ...] = ()
