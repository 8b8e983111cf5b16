"""What a phone is told of a report: its first lines as plain text, and where it stands. Pure."""

from collections.abc import Sequence

from bot.records import Run
from bot.report.conclusion import headline
from bot.report.markdown import plain
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.words import catalog

_CUT = "…"


def first_lines(run: Run) -> tuple[str, ...]:
    """The verdict in every language, in order; in a single one, then under which conditions."""
    story, spoken = tell(run), tuple(catalog(tag) for tag in run.languages)
    said = [headline(words, story, short=number > 0) for number, words in enumerate(spoken)]
    if len(said) == 1:
        said.append(Speech(story, spoken).conditions())
    return tuple(plain(line) for line in said)


def fitted(lines: Sequence[str], address: str, most: int) -> str:
    """Lines and address in at most `most` bytes of UTF-8 (some services count bytes, none counts more).

    Lines go from the end, then the rest of the first one; the address goes last, as it is of no use cut.
    """
    kept = list(lines)
    while len(kept) > 1 and _size([*kept, address]) > most:
        kept.pop()
    if _size([*kept, address]) <= most:
        return _joined([*kept, address])
    room = most - _size([address]) - (1 if address else 0)
    if room < len(kept[0].encode()) // 4:
        address, room = "", most
    return _joined([_cut(kept[0], room), address])


def _cut(line: str, most: int) -> str:
    return line.encode()[: max(0, most - len(_CUT.encode()))].decode(errors="ignore").rstrip() + _CUT


def _size(lines: Sequence[str]) -> int:
    return len(_joined(lines).encode())


def _joined(lines: Sequence[str]) -> str:
    return "\n".join(line for line in lines if line)
