"""What llama-perplexity is told and what it prints: its estimate, its error, each chunk's share. Pure."""

import math
import re
from dataclasses import dataclass
from pathlib import Path

from bot.bench.conditions import Capabilities, server_arguments
from bot.flags import canonical, parse
from bot.records import Backend

#: Tokens of a chunk; llama-perplexity judges the second half of each.
CHUNK = 512
_NUMBER = r"(-?(?:[\d.]+(?:e[+-]?\d+)?|nan|inf))"
_FINAL = re.compile(rf"Final estimate: PPL\s*=\s*{_NUMBER}\s*\+/-\s*{_NUMBER}", re.IGNORECASE)
_RUNNING = re.compile(rf"\[\d+\]{_NUMBER},", re.IGNORECASE)
_CHUNKS = re.compile(r"over (\d+) chunks")
#: Of the user's flags, what is not this program's: its context is the chunk, its streams are the chunks.
_OURS = frozenset({"--ctx-size", "--parallel"})


@dataclass(frozen=True)
class Estimate:
    """Perplexity, its standard error, the running estimate after each chunk; nan and inf as they are."""

    perplexity: float
    error: float
    running: tuple[float, ...]

    @property
    def is_finite(self) -> bool:
        """Whether all of it is numbers."""
        return all(map(math.isfinite, (self.perplexity, self.error, *self.running)))


def arguments(
    caps: Capabilities, *, model: str, passage: Path, flags: tuple[str, ...], backend: Backend, threads: int
) -> tuple[str, ...]:
    """The server's own conditions as far as this program knows them, over the passage."""
    kept = tuple(
        word
        for name, values in parse(flags)
        if canonical(name) not in _OURS and caps.spelling(name)
        for word in (name, *values)
    )
    ours = (*kept, "-c", str(CHUNK))
    words = server_arguments(caps, model=model, flags=ours, backend=backend, threads=threads)
    return (*words, "-f", str(passage))


def read(stdout: str, stderr: str) -> Estimate | None:
    """The estimate, wherever this era prints it; None where the output is not whole.

    Its log is written by a thread, and one process in six of b9601 ends well without its last lines. A build
    that computes nan prints no estimate either; its running ones tell.
    """
    running = tuple(map(float, _RUNNING.findall(stdout) or _RUNNING.findall(stderr)))
    chunks = _CHUNKS.search(stderr) or _CHUNKS.search(stdout)
    if not running or (chunks and len(running) < int(chunks[1])):
        return None
    if final := _FINAL.search(stderr) or _FINAL.search(stdout):
        return Estimate(float(final[1]), float(final[2]), running)
    return None if math.isfinite(running[-1]) else Estimate(running[-1], math.nan, running)
