"""The few lines of a log that matter, found without looking at each of its millions.

A log is searched as bytes, in pieces, for the literal texts that an error can begin with; only the lines that
hold one are read as text.
"""

import os
import re
from collections.abc import Callable, Iterator
from typing import IO

#: Bytes of a line that are kept; the rest of a longer one is skipped.
LONGEST = 1600
_PIECE = 1 << 18
#: Where the lines before an error and the last lines of a log are looked for.
_BEFORE, _END = 1 << 16, 1 << 18
#: Each begins with a literal text, so that `re` searches for that; "-Werror" stands in every command.
_HINTS = tuple(
    re.compile(hint)
    for hint in (
        rb"rror(?:(?: #\d+)?\s?:| at | in | while |\n)",
        rb"RROR(?: #\d+)?\s?:",
        rb"#error",
        rb"FAILED: ",
        rb"nvcc fatal",
        rb"ptxas fatal",
        rb"ninja: fatal",
        rb"illed",
        rb"died due to signal",
        rb"ndefined reference to",
        rb"annot find -l",
        rb"o space left on device",
        rb"GLIBC",
        rb"CUDA driver version",
    )
)


def first(file: IO[bytes], begins: Callable[[str], bool]) -> int | None:
    """Where the first line starts for which `begins` is true, an offset in bytes; None without one.

    `begins` sees only lines that hold one of the texts an error can begin with.
    """
    for block, offset_of in _blocks(file):
        for start in _candidates(block):
            if begins(text(block[start : start + LONGEST].partition(b"\n")[0])):
                return offset_of(start)
    return None


def lines(file: IO[bytes], start: int = 0) -> Iterator[str]:
    """The lines from an offset on, each at most `LONGEST` bytes of it."""
    file.seek(start)
    is_new = True
    while piece := file.readline(LONGEST):
        if is_new:
            yield text(piece)
        is_new = piece.endswith(b"\n")


def before(file: IO[bytes], end: int) -> list[str]:
    """The lines that end where `end` is, as far as they lie near."""
    return _between(file, max(0, end - _BEFORE), end)


def last(file: IO[bytes]) -> list[str]:
    """The lines at the log's end that hold anything."""
    end = file.seek(0, os.SEEK_END)
    return _between(file, max(0, end - _END), end)


def text(line: bytes) -> str:
    """Bytes as text; what is no UTF-8 becomes U+FFFD."""
    return line.decode("utf-8", "replace")


def _between(file: IO[bytes], start: int, end: int) -> list[str]:
    """The first line may be the rest of one: without it, unless it is all there is."""
    file.seek(start)
    found = re.findall(rb"[^\n]+", file.read(end - start))
    whole = found[1:] if start and len(found) > 1 else found
    return [text(line[:LONGEST]) for line in whole]


def _blocks(file: IO[bytes]) -> Iterator[tuple[bytes, Callable[[int], int]]]:
    """Pieces that begin and end with a line, and where an index of such a line's start lies in the file."""
    rest, rest_at, piece_at = b"", 0, 0
    while piece := file.read(_PIECE):
        cut = piece.rfind(b"\n") + 1
        if cut:
            yield rest + piece[:cut], _offsets(rest_at, piece_at - len(rest))
            rest, rest_at = piece[cut:][:LONGEST], piece_at + cut
        else:
            rest = (rest + piece[:LONGEST])[:LONGEST]
        piece_at += len(piece)
    if rest:
        yield rest, _offsets(rest_at, rest_at)


def _offsets(first_line: int, others: int) -> Callable[[int], int]:
    return lambda index: others + index if index else first_line


def _candidates(block: bytes) -> Iterator[int]:
    """Where lines start that hold a hint, in order. Each hint is searched for once, from its last hit on."""
    size, place = len(block), 0
    hits = [-1] * len(_HINTS)
    while place < size:
        for index, hint in enumerate(_HINTS):
            if hits[index] < place:
                found = hint.search(block, place)
                hits[index] = found.start() if found else size
        hit = min(hits)
        if hit == size:
            return
        yield block.rfind(b"\n", 0, hit) + 1
        place = block.find(b"\n", hit) + 1 or size
