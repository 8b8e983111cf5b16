"""The pictures of a run: every round of every metric, and memory over a launch.

Made from the record alone by matplotlib; the same record, catalogs and matplotlib give the same bytes
anywhere. matplotlib is imported only while drawing (it costs half a second).
"""

import logging
from collections.abc import Mapping, Sequence
from html import escape as quote

from bot.records import Run
from bot.report.charts.curves import MemoryStory, memory_story
from bot.report.charts.points import RoundsStory, rounds_story
from bot.report.charts.themes import dark, light
from bot.report.markdown import escape
from bot.report.words import Words

ROUNDS, MEMORY = "rounds.svg", "memory.svg"
_ALT = {ROUNDS: "chart-rounds", MEMORY: "chart-memory"}


def charts(run: Run, words: Sequence[Words]) -> dict[str, str]:
    """File name -> SVG with its labels in all of `words`; only what there is something to draw for."""
    rounds, memory = rounds_story(run), memory_story(run)
    if rounds is None and memory is None:
        return {}
    # What it says of its caches and fonts, no reader of a report can mend.
    logging.getLogger("matplotlib").setLevel(logging.ERROR)
    from bot.report.charts.sheet import defaults  # noqa: PLC0415 - matplotlib

    with defaults():
        drawn = (_rounds(rounds, words), _memory(memory, words))
    return {name: text for name, text in zip(_ALT, drawn, strict=True) if text}


def themed(drawn: Mapping[str, str]) -> dict[str, str]:
    """What `chart_pictures` shows: each picture for light and for dark pages."""
    made = {_themed(name, "light"): light(text) for name, text in drawn.items()}
    return made | {_themed(name, "dark"): dark(text) for name, text in drawn.items()}


def chart_names(run: Run) -> tuple[str, ...]:
    """The files that `charts` would make, without drawing them."""
    names = ((ROUNDS, rounds_story(run)), (MEMORY, memory_story(run)))
    return tuple(name for name, story in names if story is not None)


def chart_images(run: Run, words: Words) -> tuple[str, ...]:
    """Markdown of each picture, for a file that lies beside the folder `charts` (never for a comment)."""
    return tuple(f"![{escape(words.text(_ALT[name]))}](charts/{name})" for name in chart_names(run))


def chart_pictures(run: Run, words: Sequence[Words], address: str) -> tuple[str, ...]:
    """HTML of each picture, for a comment: the files of `themed` lie in the folder at `address`.

    GitHub shows what lies at `https://github.com/OWNER/REPO/blob/BRANCH/PATH?raw=true` to whoever may read
    that repository, also a private one (docs.github.com, "Basic writing and formatting syntax", Images);
    `picture` follows the theme that the reader chose there.
    """
    return tuple(_picture(name, words, address) for name in chart_names(run))


def _picture(name: str, words: Sequence[Words], address: str) -> str:
    said = quote(" / ".join(dict.fromkeys(tag.text(_ALT[name]) for tag in words)))
    at = {theme: quote(f"{address}/{_themed(name, theme)}?raw=true") for theme in ("light", "dark")}
    source = f'<source media="(prefers-color-scheme: dark)" srcset="{at["dark"]}">'
    return f'<picture>{source}<img alt="{said}" src="{at["light"]}"></picture>'


def _themed(name: str, theme: str) -> str:
    return name.replace(".", f"-{theme}.")


def _rounds(story: RoundsStory | None, words: Sequence[Words]) -> str | None:
    from bot.report.charts.rounds import draw_rounds  # noqa: PLC0415 - matplotlib

    return draw_rounds(story, words) if story else None


def _memory(story: MemoryStory | None, words: Sequence[Words]) -> str | None:
    from bot.report.charts.memory import draw_memory  # noqa: PLC0415 - matplotlib

    return draw_memory(story, words) if story else None
