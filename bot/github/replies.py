"""Which reactions and comments answer a command, as data in the order to do them. Pure.

The executor puts `Marker(key).line` before a text. Reactions are on the
asking comment and cost nothing when repeated.
"""

import hashlib
from collections.abc import Sequence
from typing import Literal

from bot.github.commands import Command
from bot.github.events import Place
from bot.github.wording import Job, Progress, Voice
from bot.records import Reason, Record

Content = Literal["eyes", "rocket", "-1", "confused"]
#: GraphQL's names, for comments in discussions.
GRAPHQL: dict[Content, str] = {
    "eyes": "EYES",
    "rocket": "ROCKET",
    "-1": "THUMBS_DOWN",
    "confused": "CONFUSED",
}
#: Refusals that say no to the person or the code; the others did not understand the line.
DENIALS = frozenset(
    [
        "not-permitted",
        "unknown-commit",
        "untrusted-off",
        "untrusted-not-admin",
        "untrusted-time",
        "untrusted-late",
    ]
)


class React(Record):
    """A reaction on the asking comment."""

    kind: Literal["react"] = "react"
    content: Content


class Write(Record):
    """A comment of ours in the thread, found again by its key.

    `once`: nothing is done where one with this key is there; `replace`: that one is edited.
    """

    kind: Literal["write"] = "write"
    key: str
    text: str
    mode: Literal["once", "replace"]


class Minimise(Record):
    """The reports that earlier `/bench` comments of this thread got for the same pair and machine are marked
    as outdated: `marker.key_of(pair, machine, ID)` for the id of every comment but `keep`, the asking one.

    What GitHub forbids here is a warning, no failure.
    """

    kind: Literal["minimise"] = "minimise"
    keep: int


Act = React | Write | Minimise


def acknowledge() -> tuple[Act, ...]:
    """The first write for a command that will be worked on, before anything slow."""
    return (React(content="eyes"),)


def refuse(voice: Voice, command: Command, place: Place) -> tuple[Act, ...]:
    """The reaction and the answer to a refused command.

    Who may not ask is told so once per thread, however often they comment: more would be noise that a
    stranger can make the bot produce.
    """
    reason = command.reason
    assert reason is not None
    key = f"answer:{place.comment_id}"
    if reason.code == "not-permitted":
        login = str(reason.args["login"]).lower()
        key = f"refusal:{hashlib.sha256(login.encode()).hexdigest()[:16]}"
    content: Content = "-1" if reason.code in DENIALS else "confused"
    return React(content=content), Write(key=key, text=voice.refused(reason), mode="once")


def progress(voice: Voice, state: Progress, place: Place) -> tuple[Act, ...]:
    """The one progress comment of a request, posted or edited in place (an edit notifies nobody)."""
    return (Write(key=progress_key(place), text=voice.progress(state), mode="replace"),)


def finish(voice: Voice, line: str, report: str, place: Place) -> tuple[Act, ...]:
    """After the report was posted as a comment of its own at the address `report`."""
    return (
        Write(key=progress_key(place), text=voice.finished(line, report), mode="replace"),
        Minimise(keep=place.comment_id),
        React(content="rocket"),
    )


def fail(voice: Voice, line: str, reason: Reason, place: Place, log: str | None = None) -> tuple[Act, ...]:
    """Where no report came of it: `run-failed`, `run-cancelled`, `run-timeout`, `run-lost` or `post-failed`.

    A build that fails is a report, and no failure in this sense.
    """
    return (
        Write(key=progress_key(place), text=voice.failed(line, reason, log), mode="replace"),
        React(content="-1" if reason.code == "run-cancelled" else "confused"),
    )


def help_text(voice: Voice, place: Place) -> tuple[Act, ...]:
    """The answer to `/bench help`."""
    return (_answer(voice.help(), place),)


def status(voice: Voice, jobs: Sequence[Job], place: Place) -> tuple[Act, ...]:
    """The answer to `/bench status`."""
    return (_answer(voice.status(jobs), place),)


def answer(voice: Voice, outcome: Reason, place: Place) -> tuple[Act, ...]:
    """The answer to `cancel` and `retry`: `cancelled` and `retried` with `id`, `unknown-id` with `id`,
    `nothing-to-cancel`, `nothing-to-retry`, `several-runs` with `ids`."""
    done = outcome.code in ("cancelled", "retried")
    return _answer(voice.answered(outcome), place), React(content="rocket" if done else "confused")


def progress_key(place: Place) -> str:
    """The key of a request's progress comment."""
    return f"progress:{place.comment_id}"


def _answer(text: str, place: Place) -> Write:
    return Write(key=f"answer:{place.comment_id}", text=text, mode="once")
