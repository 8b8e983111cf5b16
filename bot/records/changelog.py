"""What changed, for this profile: highlights, suspects, and what was credited before."""

from typing import Literal

from bot.records.base import Reason, Record


class Highlight(Record):
    """One line of the changelog: a commit worth telling, and whether it can act on this profile.

    `area`, `type` and `applies` name `area-<key>`, `type-<key>` and `applies-<key>` in the catalogs.
    `needs` are conditions such as `spec:mtp` or `np>1`; `why` are those that do not hold (`applies` = no)
    or that nobody knows (unknown), as messages `need-...`. `text` is the subject without prefix and
    numbers, as written: data from outside, never markup. `followups` are SHAs told with it.
    `texts` holds the line by language where one could be made; elsewhere a reader gets labels and `text`.
    `touches` says which of the profile's own flags it removes or changes, as messages `touch-...`.
    """

    sha: str
    pr: int | None = None
    area: str
    type: str
    severity: Literal["security", "crash", "corruption"] | None = None
    needs: tuple[str, ...] = ()
    applies: Literal["yes", "no", "unknown"]
    why: tuple[Reason, ...] = ()
    text: str
    texts: dict[str, str] = {}
    score: float
    followups: tuple[str, ...] = ()
    touches: tuple[Reason, ...] = ()


class Theme(Record):
    """Commits of one kind in one area, where there are too many for a line each.

    `area` and `type` as in `Highlight`; `exemplars` are the best one or two of `count`.
    """

    area: str
    type: str
    count: int
    exemplars: tuple[Highlight, ...]
    shas: tuple[str, ...]


class RevertLink(Record):
    """A commit that undoes another. `in_range`: both lie between base and head and cancel out."""

    sha: str
    target_sha: str | None = None
    target_pr: int | None = None
    in_range: bool


class Suspect(Record):
    """A commit that may be related to a metric that moved: by paths and words, never bisected.

    `reasons` are ids of messages: `area-...` first, then `suspect-...`.
    """

    sha: str
    pr: int | None = None
    area: str
    text: str
    texts: dict[str, str] = {}
    reasons: tuple[str, ...]
    score: float


class Credit(Record):
    """A commit that an earlier report named: as a highlight, or as a suspect of `metric`.

    `tag` is that report's head. `text` and `texts` as in `Highlight`.
    """

    sha: str
    pr: int | None = None
    tag: str
    role: Literal["highlight", "suspect"]
    metric: str | None = None
    area: str
    text: str
    texts: dict[str, str] = {}


class Undone(Record):
    """A commit that was credited and has been reverted since, up to `tag`, by `by_sha`."""

    credit: Credit
    tag: str
    by_sha: str
    by_pr: int | None = None


class Highlights(Record):
    """The changelog of a range, best line first.

    Every commit has one reason: `reasons` by SHA, `accounted` counted (`accounted-<key>` in the
    catalogs); the counts sum to the number of commits. `suspects` are by metric, where one moved.
    `themes` stand for the commits that apply or may, where more than twelve are worth a line.
    `worth` says what of the range acts on this profile: messages `worth-...`, each with its count.
    """

    items: tuple[Highlight, ...] = ()
    accounted: dict[str, int] = {}
    reasons: dict[str, str] = {}
    reverts: tuple[RevertLink, ...] = ()
    suspects: dict[str, tuple[Suspect, ...]] = {}
    themes: tuple[Theme, ...] = ()
    worth: tuple[Reason, ...] = ()
    undone: tuple[Undone, ...] = ()
