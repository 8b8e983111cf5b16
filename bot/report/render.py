"""From a record to Markdown files: the comment in all languages, and one file per language.

No clock, no environment: the same record, layout and catalogs give the same bytes anywhere.
"""

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.records import Run
from bot.report import conclusion, details, evidence, numbers, phrases, trouble
from bot.report.budget import Block, fit
from bot.report.changed import changed
from bot.report.changelog import Changelog
from bot.report.charts import chart_images, chart_pictures
from bot.report.markdown import BUDGET, code, escape, fence
from bot.report.noise import noise_facts, noise_warning
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.words import Words, catalog, layout

if TYPE_CHECKING:
    from jinja2 import Template

_LAYOUT = "report.md.j2"
#: Lines of a failed build's or server's log that are shown.
_TAIL_LINES = 20


def render(
    run: Run,
    *,
    languages: tuple[str, ...] = (),
    folder: Path | None = None,
    listens: bool = False,
) -> dict[str, str]:
    """File name -> text: `report.md` (the comment), and `report.<language>.md` for each language.

    `languages`: the first is open in the comment; default: the record's. `folder`: other templates.
    `listens`: the comment will stand where the bot answers `/bench help`.
    """
    story = tell(run)
    spoken = tuple(catalog(tag, folder) for tag in languages or run.languages)
    files = {"report.md": document(Speech(story, spoken, listens), folder=folder)}
    for words in spoken:
        switch = _switch(spoken, words) if len(spoken) > 1 else ""
        files[f"report.{words.language}.md"] = document(
            Speech(story, (words,)), switch=switch, pictures=chart_images(run, words), folder=folder
        )
    return files


def document(
    speech: Speech,
    *,
    switch: str = "",
    pictures: Sequence[str] = (),
    images: str | None = None,
    budget: int = BUDGET,
    folder: Path | None = None,
) -> str:
    """One Markdown document; over the budget whole blocks are left out, each named.

    `pictures` are for a file that lies beside them. `images` is the address of the folder with the pictures
    that a comment shows; without one it shows none.
    """
    blocks: list[Block] = []

    def block(name: str, caller: Callable[[], str]) -> str:
        if text := caller().strip("\n"):
            blocks.append(Block(name, text))
        return ""

    shown = chart_pictures(speech.run, speech.words, images) if images else ()
    _layout(folder).render(block=block, switch=switch, pictures=pictures, charts=shown, **_tools(speech))
    return fit(blocks, lambda names: _left_out(speech, names), budget, images)[0]


def _left_out(speech: Speech, names: Sequence[str]) -> str:
    def say(words: Words) -> str:
        items = phrases.listing(words, (words.text(f"block-{name}") for name in names))
        return words.text("left-out", items=items)

    return f"<sub>{speech.join(say, ' · ')}</sub>"


def _switch(spoken: Sequence[Words], here: Words) -> str:
    def one(words: Words) -> str:
        name = words.text("language-name")
        return f"**{name}**" if words is here else f"[{name}](report.{words.language}.md)"

    return " | ".join(one(words) for words in spoken)


@cache
def _layout(folder: Path | None) -> "Template":
    from jinja2 import Environment, StrictUndefined  # noqa: PLC0415 - costs 37 ms, --help needs none

    environment = Environment(
        autoescape=False,  # noqa: S701 - this is Markdown: `escape`, `code` and `fence` are its escapes
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.from_string(layout(_LAYOUT, folder))


def _tools(speech: Speech) -> dict[str, Any]:
    """What the layout may use."""
    story = speech.story
    return {
        "run": story.run,
        "story": story,
        "speech": speech,
        "changelog": Changelog(story),
        "both": speech.both,
        "each": speech.each,
        "label": speech.label,
        "coded": speech.coded,
        "escape": escape,
        "code": code,
        "fence": fence,
        "tail": lambda text: fence("\n".join(text.splitlines()[-_TAIL_LINES:])),
        "cell": _cell,
        "numbers": numbers,
        "details": details,
        "trouble": trouble,
        "evidence": evidence,
        "symbols": phrases.SYMBOLS,
        "headline": lambda words, short=False: conclusion.headline(words, story, short=short),
        "sentences": lambda words: conclusion.sentences(words, story),
        "todo": lambda words: conclusion.todo(words, story),
        "notes": lambda words: [
            *(phrases.note(words, note, story.run) for note in story.notes),
            *noise_warning(words, story.run),
        ],
        "noise": lambda: _side_by_side(speech, lambda words: noise_facts(words, story.run)),
        "changed": lambda words: changed(words, story.run),
        "name_of": phrases.coded,
        **_columns(story.run),
    }


def _side_by_side(speech: Speech, say: Callable[[Words], list[str]]) -> list[str]:
    """The same sentences in every language, each beside its translation."""
    return [" · ".join(dict.fromkeys(parts)) for parts in zip(*map(say, speech.words), strict=True)]


def _cell(text: str) -> str:
    """A cell that does not break between a number and its unit or sign."""
    return text.replace(" ", "\N{NO-BREAK SPACE}")


def _columns(run: Run) -> dict[str, str]:
    """The heads of the two sides' columns; both sides of a self-test have the same tag."""
    base, head = escape(run.pair.base.name), escape(run.pair.head.name)
    return (
        {"base": f"{base} A", "head": f"{head} B"} if run.pair.is_self_test else {"base": base, "head": head}
    )
