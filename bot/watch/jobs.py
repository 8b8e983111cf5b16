"""One run that is to be done, and why for another subject none is. Pure."""

import re

from bot.records import Record
from bot.watch.state import Subject

#: A job's id becomes a file name, an artifact's name and part of an address.
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class Job(Record):
    """One run to do. `base` and `head` are tags, or full commit ids; `labels` choose the runner.

    `minutes`: how long the workflow lets it run.
    """

    id: str
    machine: str
    labels: tuple[str, ...]
    profile: str
    preset: str = ""
    base: str
    base_sha: str
    head: str
    head_sha: str
    minutes: int

    @property
    def subject(self) -> Subject:
        """Whose run it is."""
        return Subject(machine=self.machine, profile=self.profile)

    @property
    def pair(self) -> str:
        """BASE..HEAD in full commit ids."""
        return f"{self.base_sha}..{self.head_sha}"


class Silence(Record):
    """A subject for which nothing is done now: `watch-<code>` in the catalogs.

    Codes: `watch-seen` (no newer tag), `watch-young`, `watch-early` (cadence), `watch-few` (cadence in
    tags), `watch-quiet` (nothing that matters), `watch-capped`.
    """

    subject: Subject
    code: str
    base: str | None = None
    head: str | None = None
    commits: int | None = None
