"""Each line in each language: a correction, a translation that explains every word, or nothing.

Where `texts` lacks a language, a reader gets the labels (type · area) and the original subject in quotes.
"""

from collections.abc import Mapping, Sequence

from bot.changelog.lexicon import Lexicon
from bot.changelog.overrides import Override
from bot.changelog.tables import tables
from bot.changelog.translate import translate
from bot.changelog.typography import raise_first
from bot.records import Credit, Highlight, Highlights, Suspect, Theme

#: The language of the subjects.
SOURCE = "en"


def worded(
    found: Highlights, lexicons: Mapping[str, Lexicon], overrides: Mapping[int, Override] | None = None
) -> Highlights:
    """The highlights with `texts` made anew, for lines, exemplars of themes and suspects alike."""
    given = overrides or {}

    def texts(item: Highlight | Suspect | Credit) -> dict[str, str]:
        override = given.get(item.pr if item.pr is not None else -1)
        return phrase(item.text, item.area, lexicons) | dict(override.text if override else {})

    def line(item: Highlight) -> Highlight:
        return item.model_copy(update={"texts": texts(item)})

    def theme(item: Theme) -> Theme:
        return item.model_copy(update={"exemplars": tuple(map(line, item.exemplars))})

    def named(items: Sequence[Suspect]) -> tuple[Suspect, ...]:
        return tuple(item.model_copy(update={"texts": texts(item)}) for item in items)

    return found.model_copy(
        update={
            "items": tuple(map(line, found.items)),
            "themes": tuple(map(theme, found.themes)),
            "suspects": {metric: named(items) for metric, items in found.suspects.items()},
        }
    )


def phrase(text: str, area: str, lexicons: Mapping[str, Lexicon]) -> dict[str, str]:
    """One subject's text (without prefix and numbers) by language; English always, others where complete."""
    said = {SOURCE: english(text)}
    for language, lexicon in lexicons.items():
        line = translate(text, lexicon, area)
        if line is not None:
            said[language] = line
    return said


def english(text: str) -> str:
    """The subject's text as a line: first letter raised, but for names; no full stop, no double blank."""
    line = " ".join(text.split())
    if line.endswith(".") and not line.endswith(".."):
        line = line[:-1]
    return raise_first(line, tables().lower_names)
