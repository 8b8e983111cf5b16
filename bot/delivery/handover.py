"""What one job of a workflow hands to the next: a plan, as JSON in a job's outputs.

It is made by the gate, which runs no code of upstream's, and is what `finish` believes; nothing of it comes
from the machine with the GPU.
"""

from typing import Literal

from pydantic import Field

from bot.github.events import Place
from bot.records import Record, Undone
from bot.watch.jobs import Job, Silence
from bot.watch.state import Moved, Posted
from bot.watch.trouble import OpenIssues


class Request(Record):
    """Who asked where, by which line of the grammar."""

    place: Place
    login: str
    line: str


class Again(Record):
    """A report to look over once more: what it names and upstream has reverted up to its `newest` tag."""

    posted: Posted
    newest: str
    undone: tuple[Undone, ...] = ()


class Plan(Record):
    """What is to be done. `listed`: release tags to remember, where there is a reason to write at all.

    `issues`: upstream's open ones, looked up for the jobs and for the reports in `again`.
    """

    kind: Literal["watch", "command"]
    jobs: tuple[Job, ...] = ()
    request: Request | None = None
    silences: tuple[Silence, ...] = ()
    moved: tuple[Moved, ...] = ()
    listed: dict[str, str] = Field(default_factory=dict)
    digest: bool = False
    issues: OpenIssues | None = None
    again: tuple[Again, ...] = ()

    @property
    def has_work(self) -> bool:
        """Whether the post job has anything to do; False for an idle poll, which writes nothing."""
        return bool(self.jobs or self.moved or self.digest or self.again)
