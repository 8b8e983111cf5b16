"""The changelog for programs (JSON, a contract) and for a terminal; every sentence from the catalogs."""

from collections.abc import Iterator
from typing import Any

from bot.pipeline.changes import Answer
from bot.records import Highlight, Suspect, Theme
from bot.report.markdown import clean
from bot.report.words import Words, catalog


def facts(answer: Answer) -> dict[str, Any]:
    """What `changelog --json` prints (docs/architecture.md)."""
    found = answer.found
    spoken = [catalog(language) for language in answer.languages]
    return {
        "highlights": [_highlight(item, spoken) for item in found.items],
        "themes": [_theme(item, spoken) for item in found.themes],
        "accounted": found.accounted,
        "suspects": {
            metric: [
                {"sha": item.sha, "reason": {words.language: reason(words, item) for words in spoken}}
                for item in items
            ]
            for metric, items in found.suspects.items()
        },
    }


def lines(answer: Answer, words: Words) -> Iterator[str]:
    """The changelog as text, line by line, without a character that could move the cursor."""
    return (clean(line) for line in _lines(answer, words))


def told(words: Words, item: Highlight | Suspect, kind: str) -> str:
    """One commit in one language: its line, or labels and the original subject in quotes."""
    line = item.texts.get(words.language)
    if line:
        return line
    area = words.text(f"area-{item.area}")
    return words.text("changelog-quoted", kind=words.text(f"type-{kind}"), area=area, text=item.text)


def said(words: Words, item: Highlight | Suspect) -> str:
    """One commit within a sentence: its line, or the original subject in quotes."""
    return item.texts.get(words.language) or words.text("changelog-quote", text=item.text)


def reason(words: Words, item: Suspect) -> str:
    """Why a commit is suspected, worded as what it is: a guess."""
    return words.text("changelog-suspected", reasons=_because(words, item))


def _because(words: Words, item: Suspect) -> str:
    return words.text("list-separator").join(words.text(name) for name in item.reasons)


def theme(words: Words, item: Theme) -> str:
    """Several commits as one line: how many of what, and the best of them."""
    exemplars = words.text("list-separator").join(said(words, one) for one in item.exemplars)
    return words.text(
        "changelog-theme",
        kind=words.text(f"type-{item.type}"),
        area=words.text(f"area-{item.area}"),
        count=item.count,
        items=exemplars,
    )


def _highlight(item: Highlight, spoken: list[Words]) -> dict[str, Any]:
    return {
        "sha": item.sha,
        "pr": item.pr,
        "area": item.area,
        "type": item.type,
        "needs": list(item.needs),
        "applies": item.applies,
        "text": {words.language: clean(told(words, item, item.type)) for words in spoken},
    }


def _theme(item: Theme, spoken: list[Words]) -> dict[str, Any]:
    return {
        "area": item.area,
        "type": item.type,
        "count": item.count,
        "exemplars": [one.sha for one in item.exemplars],
        "text": {words.language: clean(theme(words, item)) for words in spoken},
    }


def _lines(answer: Answer, words: Words) -> Iterator[str]:
    found = answer.found
    total = sum(found.accounted.values())
    yield words.text("changelog-head", base=answer.base, head=answer.head, count=total)
    yield ""
    here = [item for item in found.items if item.applies != "no"]
    yield from (f"- {_line(words, item)}" for item in here)
    if not here:
        yield words.text("changelog-nothing")
    yield from _elsewhere(answer, words)
    if found.themes:
        yield from ("", words.text("changelog-themes"))
        yield from (f"- {theme(words, item)}" for item in found.themes)
    yield from ("", _accounted(answer, words), "")
    for metric, items in found.suspects.items():
        yield from _suspects(words, words.text(f"metric-{metric}"), items)


def _elsewhere(answer: Answer, words: Words) -> Iterator[str]:
    items = [item for item in answer.found.items if item.applies == "no"]
    if items:
        yield from ("", words.text("changelog-elsewhere"))
        yield from (f"- {_line(words, item)}" for item in items)


def _line(words: Words, item: Highlight) -> str:
    text = told(words, item, item.type)
    notes = [*item.touches, *(item.why if item.applies != "yes" else ())]
    why = words.text("list-separator").join(words.text(note.code, **note.args) for note in notes)
    if not why and item.applies == "unknown":
        why = words.text("applies-unknown")
    where = f"#{item.pr}" if item.pr else item.sha[:9]
    return words.text("changelog-line", text=text, where=where, why=why, has_why="yes" if why else "no")


def _accounted(answer: Answer, words: Words) -> str:
    counts = (f"{words.text(f'accounted-{key}')} {count}" for key, count in answer.found.accounted.items())
    return words.text("changelog-accounted", items=words.text("list-separator").join(counts))


def _suspects(words: Words, metric: str, items: tuple[Suspect, ...]) -> Iterator[str]:
    if not items:
        yield words.text("changelog-no-suspects", metric=metric)
        return
    yield words.text("changelog-suspects", metric=metric)
    for item in items:
        line = words.text(
            "changelog-line",
            text=said(words, item),
            where=f"#{item.pr}" if item.pr else item.sha[:9],
            why=_because(words, item),
            has_why="yes",
        )
        yield f"- {line}"
