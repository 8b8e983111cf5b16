"""A child's streams in bounded memory: the end of each is kept, lines are passed on as they come."""

import os
import re
from codecs import getincrementaldecoder
from collections.abc import Callable
from typing import IO

CHUNK = 1 << 16
#: A line longer than this many characters is passed on in pieces.
LINE_LIMIT = 1 << 16

OnLine = Callable[[str], None]
OnBytes = Callable[[bytes], object]


class Tail:
    """The last `limit` bytes of what was added."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray()

    def add(self, data: bytes) -> None:
        """Append, and drop from the front once twice the limit is held (so that dropping is rare)."""
        self._data += data
        if len(self._data) > 2 * self._limit:
            del self._data[: len(self._data) - self._limit]

    def text(self) -> str:
        """What is kept, decoded; U+FFFD for what is not UTF-8."""
        return self._data[max(len(self._data) - self._limit, 0) :].decode(errors="replace")


class Lines:
    r"""Cuts bytes into lines at \n, \r and \r\n, the moment that their end is seen."""

    def __init__(self, on_line: OnLine) -> None:
        self._on_line = on_line
        self._decoder = getincrementaldecoder("utf-8")(errors="replace")
        self._rest = ""
        self._after_return = False

    def add(self, data: bytes, *, final: bool = False) -> None:
        """Pass on the lines that end in `data`; with `final` also what is left without an end."""
        text = self._decoder.decode(data, final)
        if not text and not final:
            return
        if self._after_return:
            text = text.removeprefix("\n")
        self._after_return = text.endswith("\r")
        *whole, self._rest = re.split(r"\r\n|\r|\n", self._rest + text)
        if self._rest and (final or len(self._rest) > LINE_LIMIT):
            whole, self._rest = [*whole, self._rest], ""
        for line in whole:
            self._on_line(line)


class Reader:
    """One output stream of a child, passed on to several takers."""

    def __init__(self, pipe: IO[bytes], *takers: OnBytes) -> None:
        os.set_blocking(pipe.fileno(), False)
        self.pipe = pipe
        self._takers = takers

    def step(self) -> bool:
        """Pass on what is there; whether there may be more. Raises BlockingIOError when nothing is there."""
        data = os.read(self.pipe.fileno(), CHUNK)
        for take in self._takers if data else ():
            take(data)
        return bool(data)

    def drain(self) -> None:
        """Pass on all that is there, without waiting for a writer that will not come."""
        try:
            while self.step():
                pass
        except BlockingIOError:
            return


class Writer:
    """The input of a child, written as it takes it."""

    def __init__(self, pipe: IO[bytes], data: bytes) -> None:
        os.set_blocking(pipe.fileno(), False)
        self.pipe = pipe
        self._left = memoryview(data)

    def step(self) -> bool:
        """Write what fits; whether there is more. The stream ends with the data, or when nobody reads it."""
        try:
            self._left = self._left[os.write(self.pipe.fileno(), self._left[:CHUNK]) :]
        except BrokenPipeError:
            self._left = self._left[:0]
        if not self._left:
            self.pipe.close()
        return bool(self._left)
