"""The short texts of a conversation about `/bench`, in every language. Pure; sentences come from catalogs.

No line of these texts starts with the command itself, so that the bot can never answer itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from bot.records import Reason, Record
from bot.report.markdown import code, fence, link
from bot.report.words import Words

FORMS = """\
/bench [HEAD [BASE]] [profile=NAME] [preset=NAME] [machine=NAME]
/bench BASE..HEAD    [profile=NAME] [preset=NAME] [machine=NAME]
/bench self          [profile=NAME] [preset=NAME] [machine=NAME]
/bench status
/bench cancel [ID]
/bench retry [ID]
/bench help

HEAD, BASE: b9602, 0123456789abcdef0123456789abcdef01234567"""
#: Reasons that are answered with the forms.
FORM_CODES = frozenset(
    [
        "too-long",
        "odd-characters",
        "too-many-words",
        "needless-option",
        "bad-id",
        "bad-range",
        "not-a-full-id",
        "unknown-word",
        "unknown-option",
        "repeated-option",
        "bad-value",
    ]
)
Stage = Literal["accepted", "queued", "running", "building", "measuring", "writing"]


class Estimate(Record):
    """When the report can be expected, in whole minutes, and from how many earlier runs that is known."""

    minutes: int
    runs: int


class Progress(Record):
    """Where a request stands. `line`: `Command.line()`; `log`: address of the log.

    `place`: among what its machine has to do, from 1; what runs there counts. None where it need not wait.
    """

    line: str
    stage: Stage
    place: int | None = None
    estimate: Estimate | None = None
    log: str | None = None


class Job(Record):
    """One entry of `/bench status`. `place` is None for a run that has begun."""

    id: str
    line: str
    stage: Stage
    place: int | None = None
    log: str | None = None


def estimate(durations_s: Sequence[float], ahead: int = 0, begun_s: Sequence[float] = ()) -> Estimate | None:
    """When a report can be expected: the median of earlier runs of this machine and profile (seconds each),
    for each run that waits ahead and for this one, and what is left of it for those that began `begun_s` ago.

    None without history.
    """
    if not durations_s:
        return None
    usual = median(durations_s)
    seconds = usual * (ahead + 1) + sum(max(0.0, usual - item) for item in begun_s)
    return Estimate(minutes=max(1, round(seconds / 60)), runs=len(durations_s))


@dataclass(frozen=True)
class Voice:
    """The languages of a conversation, in order; short texts say the same in each, one line per language."""

    languages: tuple[Words, ...]

    def refused(self, reason: Reason) -> str:
        """Why a command is refused, the nearest right one, and the forms where the form was wrong."""
        args = {name: str(value) for name, value in reason.args.items()}
        if reason.code == "not-permitted":
            return self._not_permitted(args)
        found = code(args.get("found", "")) or code("…")
        parts = [
            self._each(f"command-{reason.code}", found=found, sha=code(args.get("sha", "")[:12])),
            self._each("command-nearest", line=code(args["nearest"])) if args.get("nearest") else "",
            fence(FORMS) if reason.code in FORM_CODES else "",
        ]
        return "\n\n".join(part for part in parts if part)

    def why(self, reason: Reason) -> str:
        """Why a command is ignored or refused, for a terminal: one line per language."""
        found = str(reason.args.get("found", "")) or "…"
        sha, allow = str(reason.args.get("sha", "")), str(reason.args.get("allow", ""))
        said = self._each(f"command-{reason.code}", found=found, sha=sha, allow=allow)
        near = str(reason.args.get("nearest", ""))
        return f"{said}\n{self._each('command-nearest', line=near)}" if near else said

    def help(self) -> str:
        """The forms, and what each is for."""
        return f"{fence(FORMS)}\n\n{self._each('command-help')}"

    def progress(self, progress: Progress) -> str:
        """The one comment that is edited while a request is worked on."""
        lines = [self._progress(words, progress) for words in self.languages]
        return "\n".join([code(progress.line), "", *lines])

    def finished(self, line: str, report: str) -> str:
        """What the progress comment shrinks to: a link to the report."""
        said = [link(words.text("command-report"), report) for words in self.languages]
        return f"{code(line)}: {' · '.join(said)}"

    def failed(self, line: str, reason: Reason, log: str | None) -> str:
        """What the progress comment says where no report came of it."""
        lines = [
            _joined(words, words.text(f"command-{reason.code}", **reason.args), *_log(words, log))
            for words in self.languages
        ]
        return "\n".join([code(line), "", *lines])

    def answered(self, outcome: Reason) -> str:
        """What became of `cancel` or `retry`."""
        args = {name: code(str(value)) for name, value in outcome.args.items()}
        return self._each(f"command-{outcome.code}", **args)

    def status(self, jobs: Sequence[Job]) -> str:
        """What runs and what waits, in order."""
        return "\n".join(self._job(job) for job in jobs) if jobs else self._each("command-idle")

    def _not_permitted(self, args: dict[str, str]) -> str:
        named = [code(name) for key in ("users", "teams") for name in args.get(key, "").split(", ") if name]
        lines = []
        for words in self.languages:
            who = words.text("command-not-permitted", allow=args["allow"])
            names = words.text("list-separator").join(named)
            also = words.text("command-permitted-too", names=names) if named else ""
            lines.append(_joined(words, who, also, words.text("command-permitted-how")))
        return "\n".join([f"@{args['login']}", "", *lines])

    def _progress(self, words: Words, progress: Progress) -> str:
        parts = [words.text(f"command-stage-{progress.stage}", place=progress.place or 0)]
        if progress.estimate:
            found = progress.estimate
            parts.append(words.text("command-estimate", minutes=found.minutes, runs=found.runs))
        return _joined(words, *parts, *_log(words, progress.log))

    def _job(self, job: Job) -> str:
        said = [words.text(f"command-stage-{job.stage}", place=job.place or 0) for words in self.languages]
        logs = _log(self.languages[0], job.log)
        return " ".join([f"- {code(job.id)} {code(job.line)}:", " · ".join(said), *logs])

    def _each(self, message: str, **args: str | int) -> str:
        return "\n".join(words.text(message, **args) for words in self.languages)


def _joined(words: Words, *sentences: str) -> str:
    return words.text("sentence-separator").join(sentence for sentence in sentences if sentence)


def _log(words: Words, address: str | None) -> list[str]:
    return [link(words.text("command-log"), address)] if address else []
