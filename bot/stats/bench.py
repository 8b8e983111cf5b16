"""llama-bench's raw samples as a rate with its error. Its own mean and deviation are not used.

The mean holds the slow first repetition (llama.cpp#21282), and the printed deviation was wrong for a while
(llama.cpp#24951).
"""

from collections.abc import Sequence
from statistics import median

from bot.stats.pairs import median_error

#: One warm-up is not enough for captured CUDA graphs (facts/llamacpp 3.2).
_DROPPED = 1


def rate(samples_ns: Sequence[float], tokens: int) -> tuple[float, float] | None:
    """Tokens per second, from the median after the first sample, and its standard error.

    The error is 0 where only one sample is left. None without a sample of any length.
    """
    kept = list(samples_ns[_DROPPED:] or samples_ns)
    if not kept or min(kept) <= 0:
        return None
    value = tokens * 1e9 / median(kept)
    return value, median_error([tokens * 1e9 / sample for sample in kept]) or 0.0
