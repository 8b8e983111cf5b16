"""The pictures of a run: every round of every metric, and memory over a launch.

Made from the record alone by matplotlib; the same record, catalogs and matplotlib give the same bytes
anywhere. matplotlib is imported only while drawing (it costs half a second).
"""

from collections.abc import Callable, Sequence

from bot.records import Run
from bot.report.charts.curves import MemoryStory, memory_story
from bot.report.charts.points import RoundsStory, rounds_story
from bot.report.markdown import escape
from bot.report.words import Words

ROUNDS, MEMORY = "rounds.svg", "memory.svg"
_ALT = {ROUNDS: "chart-rounds", MEMORY: "chart-memory"}


def charts(run: Run, words: Sequence[Words]) -> dict[str, str]:
    """File name -> SVG with its labels in all of `words`; only what there is something to draw for."""
    drawings = [*_rounds(rounds_story(run), words), *_memory(memory_story(run), words)]
    if not drawings:
        return {}
    from bot.report.charts.sheet import defaults  # noqa: PLC0415 - matplotlib

    with defaults():
        return {name: draw() for name, draw in drawings}


def chart_names(run: Run) -> tuple[str, ...]:
    """The files that `charts` would make, without drawing them."""
    names = ((ROUNDS, rounds_story(run)), (MEMORY, memory_story(run)))
    return tuple(name for name, story in names if story is not None)


def chart_images(run: Run, words: Words) -> tuple[str, ...]:
    """Markdown of each picture, for a file that lies beside the folder `charts` (never for a comment)."""
    return tuple(f"![{escape(words.text(_ALT[name]))}](charts/{name})" for name in chart_names(run))


Drawing = tuple[str, Callable[[], str]]


def _rounds(story: RoundsStory | None, words: Sequence[Words]) -> list[Drawing]:
    def draw() -> str:
        from bot.report.charts.rounds import draw_rounds  # noqa: PLC0415 - matplotlib

        assert story is not None
        return draw_rounds(story, words)

    return [(ROUNDS, draw)] if story else []


def _memory(story: MemoryStory | None, words: Sequence[Words]) -> list[Drawing]:
    def draw() -> str:
        from bot.report.charts.memory import draw_memory  # noqa: PLC0415 - matplotlib

        assert story is not None
        return draw_memory(story, words)

    return [(MEMORY, draw)] if story else []
