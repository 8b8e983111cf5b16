"""What the memory that is left buys, in the unit that people turn: tokens of context."""

from dataclasses import dataclass

from bot.records import MemoryComparison, Run, ServerFacts
from bot.report import numbers


@dataclass(frozen=True)
class Headroom:
    """Formatted: MiB left on head, the reserve kept, tokens of context that fit beside it (None: unknown)."""

    source: str
    mib: str
    reserve: str
    context: str | None


def headroom(run: Run) -> Headroom | None:
    """The head's headroom; None where memory was not compared."""
    if run.memory is None:
        return None
    return Headroom(
        source=run.memory.source,
        mib=numbers.mib(run.memory.head_headroom_mib),
        reserve=numbers.mib(run.profile.reserve_mib),
        context=_context(run, run.memory),
    )


def kv_mib_per_token(facts: ServerFacts) -> float | None:
    """GPU share of the KV buffers per token of context, from the server's own log.

    Formulas over the model's header fail on hybrid and sliding-window models.
    """
    size = sum(
        mib
        for name, mib in facts.buffers.items()
        if name.endswith(".KV") and name.startswith("CUDA") and not name.startswith("CUDA_Host")
    )
    context = facts.props.get("n_ctx") or facts.props.get("default_generation_settings.n_ctx")
    if not size or not isinstance(context, int) or isinstance(context, bool) or context <= 0:
        return None
    return size / context


def _context(run: Run, memory: MemoryComparison) -> str | None:
    if memory.source != "nvml":
        return None
    launch = next((item for item in run.launches("head") if item.is_valid), None)
    each = kv_mib_per_token(launch.facts) if launch else None
    free = memory.head_headroom_mib - run.profile.reserve_mib
    if each is None or free <= 0 or free / each < 1000:
        return None
    return numbers.tokens(free / each)
