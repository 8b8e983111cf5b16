"""What upstream's users and developers said since: open issues that name a tag, and commits taken back."""

from typing import Literal

from bot.records.base import Record
from bot.records.changelog import Undone


class Trouble(Record):
    """An open issue upstream that names something of this run; naming is all that is known of it.

    `why`: it names the `head` tag, a `newer` one, or the pull request (`pr`) of a highlight; `names` is that
    tag, or the number. `title` is data from outside. `backends` as its form lists them; `elsewhere`: they are
    all other backends than this run's.
    """

    number: int
    title: str
    url: str
    why: Literal["head", "newer", "pr"]
    names: str
    created: str
    labels: tuple[str, ...] = ()
    backends: tuple[str, ...] = ()
    elsewhere: bool = False


class UpstreamTrouble(Record):
    """One look at upstream's open issues, at `looked_up_at` (ISO 8601, UTC). Strongest first.

    `answered`: False where GitHub gave no answer, so that nothing is known. `complete`: whether every issue
    since the base was seen; else there may be more.
    """

    looked_up_at: str
    answered: bool = True
    complete: bool = True
    items: tuple[Trouble, ...] = ()


class Recheck(Record):
    """A later look at a report that stands: at `at` (ISO 8601, UTC), upstream's newest tag was `newest`.

    `undone`: what the report names and upstream has reverted since.
    """

    at: str
    newest: str
    undone: tuple[Undone, ...] = ()
