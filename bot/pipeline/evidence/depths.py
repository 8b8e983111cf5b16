"""How deep a context the memory of this machine holds, from what the rounds have seen."""

from bot.records import Run, ServerFacts
from bot.report.costs import kv_mib_per_token
from bot.stats.memory import compare_memory


def room_for(run: Run, tokens: int) -> bool:
    """Whether a context of so many tokens fits beside the model on both sides.

    Where the log or NVML does not tell, it is tried: what runs out of memory is a result too.
    """
    facts = _facts(run)
    size = context_of(run)
    if facts is None or size is None or tokens <= size:
        return True
    each, memory = kv_mib_per_token(facts), compare_memory(run.valid_rounds)
    if each is None or memory is None or memory.source != "nvml":
        return True
    return (tokens - size) * each <= min(memory.base_headroom_mib, memory.head_headroom_mib)


def context_of(run: Run) -> int | None:
    """Tokens of context that the measured servers had; None where they do not say."""
    facts = _facts(run)
    size = facts.props.get("n_ctx") if facts else None
    return size if isinstance(size, int) and not isinstance(size, bool) else None


def _facts(run: Run) -> ServerFacts | None:
    return next((item.facts for item in run.launches("head") if item.is_valid), None)
