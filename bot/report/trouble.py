"""Upstream's open issues in words: those that name this tag, a change that is told, or a newer tag."""

from dataclasses import dataclass

from bot.records import Run, Trouble
from bot.report.doubted import number
from bot.report.markdown import code, escape
from bot.report.speech import Speech
from bot.report.words import Words

#: Issues of one group that are named; the rest is counted.
_SHOWN = 8


@dataclass(frozen=True)
class Group:
    """Issues that name the same kind of thing: a heading and a line each, `more` of them only counted."""

    heading: str
    lines: tuple[str, ...]
    more: int


def summary(speech: Speech) -> str:
    """The fold's own line; empty where there is nothing to unfold."""
    found = speech.run.upstream_trouble
    if found is None or not (found.items or not found.answered):
        return ""
    message = "fold-trouble" if found.answered else "fold-trouble-unknown"
    return speech.each(message, count=len(found.items))


def groups(speech: Speech) -> tuple[Group, ...]:
    """What was found, by what it names; issues about other backends last."""
    found = speech.run.upstream_trouble
    kinds: dict[str, list[Trouble]] = {}
    for item in found.items if found else ():
        kinds.setdefault("elsewhere" if item.elsewhere else item.why, []).append(item)
    return tuple(
        Group(
            heading=speech.each(f"trouble-{kind}", tag=escape(speech.run.pair.head.name)),
            lines=tuple(_line(item, kind) for item in items[:_SHOWN]),
            more=max(0, len(items) - _SHOWN),
        )
        for kind, items in kinds.items()
    )


def remarks(words: Words, run: Run) -> list[str]:
    """How it was looked up, and how far that goes."""
    found = run.upstream_trouble
    if found is None:
        return []
    time = found.looked_up_at.replace("T", " ").replace("+00:00", " UTC")
    if not found.answered:
        return [words.text("trouble-unanswered", time=time)]
    partial = [] if found.complete else [words.text("trouble-partial")]
    return [words.text("trouble-caution", time=time), *partial]


def rechecked(words: Words, run: Run) -> list[str]:
    """When the report was looked over again; nothing before that."""
    found = run.recheck
    if found is None:
        return []
    return [words.text("rechecked", date=found.at[:10], newest=escape(found.newest))]


def _line(item: Trouble, kind: str) -> str:
    names = f"#{item.names}" if item.why == "pr" else item.names
    parts = [f"{number(item)} {escape(item.title)}", item.created[:10]]
    parts += [code(names)] if kind != "head" else []
    parts += [escape(", ".join(item.backends))] if item.backends else []
    return " · ".join(part for part in parts if part)
