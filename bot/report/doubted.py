"""What speaks against an upgrade, in words: the issues and reverts that the reasons of `doubts` count."""

from collections.abc import Sequence

from bot.records import Run, Trouble
from bot.report.doubts import bearing
from bot.report.markdown import code, escape, link
from bot.report.words import Words

#: Issues that a sentence names; all of them stand in the fold.
_NAMED = 3


def told(words: Words, run: Run) -> dict[str, str | int]:
    """The arguments of those reasons: links to issues by what they name, and what was reverted since."""
    named = {
        name: _few(words, [item for item in bearing(run) if item.why == why])
        for name, why in (("issues", "head"), ("pulls", "pr"), ("newer", "newer"))
    }
    return {**named, "reverted": _reverted(words, run)}


def number(item: Trouble) -> str:
    """The issue's number as a link that leaves no trace there."""
    return link(f"#{item.number}", item.url)


def _few(words: Words, items: Sequence[Trouble]) -> str:
    """The latest of them; the sentence itself says how many there are."""
    return words.text("list-separator").join(number(item) for item in items[:_NAMED])


def _reverted(words: Words, run: Run) -> str:
    found = run.recheck.undone if run.recheck else ()
    said = (
        words.text(
            "reverted-item",
            text=escape(item.credit.texts.get(words.language, item.credit.text)),
            where=_where(run, item.by_sha, item.by_pr),
        )
        for item in found
    )
    return words.text("list-separator").join(said)


def _where(run: Run, sha: str, pull: int | None) -> str:
    web = run.pair.web
    if web is None:
        return code(sha[:9])
    return link(f"#{pull}", f"{web}/pull/{pull}") if pull else link(code(sha[:9]), f"{web}/commit/{sha}")
