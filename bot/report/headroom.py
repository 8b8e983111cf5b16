"""What GPU memory buys, in what people turn: `-ngl`, `-c`, `--n-cpu-moe`. Computed from the server's own log.

Formulas over the model's header fail on hybrid and sliding-window models, so nothing here uses them.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bot.records import Launch, MemoryComparison, Profile, Run, ServerFacts
from bot.report import numbers

#: Fewer tokens of context than this are not worth turning `-c` for.
_FEWEST_TOKENS = 1000
_SOME_EXPERTS = ("--n-cpu-moe", "-ncmoe")
_ALL_EXPERTS = frozenset({"--cpu-moe", "-cmoe"})
#: With these, a mean over the buffers says nothing of one layer: tensors placed by hand, a second model.
_UNEVEN = frozenset(
    {"-ot", "--override-tensor", "-ts", "--tensor-split", "-md", "--model-draft", "--spec-draft-model"}
)


@dataclass(frozen=True)
class Turn:
    """One flag and what to set it to (`52`), or by how much to change it (`+12k`)."""

    flag: str
    value: str
    relative: bool = False


@dataclass(frozen=True)
class Costs:
    """GPU memory of one step of each flag, MiB; None where the log does not tell.

    `layer` is the mean over the layers on the GPU, with their share of the KV cache; `experts` the mean of
    one layer's experts that lie in host memory.
    """

    token: float | None
    layer: float | None
    experts: float | None


@dataclass(frozen=True)
class Headroom:
    """Formatted: MiB left on head and the reserve kept; what the rest buys, or must be given up for it."""

    source: str
    mib: str
    reserve: str
    turns: tuple[Turn, ...]
    below: bool


def headroom(run: Run) -> Headroom | None:
    """The head's headroom; None where memory was not compared."""
    memory = run.memory
    if memory is None:
        return None
    free = memory.head_headroom_mib - run.profile.reserve_mib
    return Headroom(
        source=memory.source,
        mib=numbers.mib(memory.head_headroom_mib),
        reserve=numbers.mib(run.profile.reserve_mib),
        turns=tuple(_turns(run, free)) if memory.source == "nvml" else (),
        below=free < 0,
    )


def lost(run: Run, memory: MemoryComparison) -> tuple[Turn, ...]:
    """What the additional use of head amounts to, as context given up; empty where it needs no more."""
    each = costs(run).token
    change = memory.head_mib - memory.base_mib
    if memory.source != "nvml" or memory.outcome != "more" or each is None:
        return ()
    thousands = round(change / each / 1000)
    return (Turn("-c", f"{numbers.MINUS}{thousands}k", relative=True),) if thousands else ()


def costs(run: Run) -> Costs:
    """From the log of head's first valid launch."""
    launch = _told_by(run)
    if launch is None:
        return Costs(None, None, None)
    facts, profile = launch.facts, run.profile
    even = _UNEVEN.isdisjoint(profile.flags)
    return Costs(
        token=kv_mib_per_token(facts),
        layer=layer_mib(facts) if even and _layers_in_host_memory(profile) is None else None,
        experts=experts_mib(facts, profile) if even else None,
    )


def kv_mib_per_token(facts: ServerFacts) -> float | None:
    """GPU share of the KV buffers per token of context."""
    size = _on_gpu(facts, "KV")
    context = facts.props.get("n_ctx") or facts.props.get("default_generation_settings.n_ctx")
    if not size or not isinstance(context, int) or isinstance(context, bool) or context <= 0:
        return None
    return size / context


def layer_mib(facts: ServerFacts) -> float | None:
    """Mean size of the layers on the GPU, with what the context keeps for them; None unless some are left."""
    size = _on_gpu(facts, "model")
    if facts.offloaded is None or not size or not 0 < facts.offloaded[0] < facts.offloaded[1]:
        return None
    return (size + _on_gpu(facts, "KV") + _on_gpu(facts, "RS")) / facts.offloaded[0]


def experts_mib(facts: ServerFacts, profile: Profile) -> float | None:
    """Mean size of one layer's experts in host memory: what of the file is not on the GPU, per such layer.

    A little too much, because that part holds the token embeddings too; mapped host buffers would tell less,
    as the log prints the whole range of the file for them.
    """
    layers, size = _layers_in_host_memory(profile), _on_gpu(facts, "model")
    if not layers or not size or facts.offloaded is None or facts.offloaded[0] != facts.offloaded[1]:
        return None
    rest = profile.model.size_mib - size
    return rest / layers if rest > 0 else None


def _turns(run: Run, free: float) -> Iterator[Turn]:
    """Each flag alone would use up what is free, or (negative) give back what is missing."""
    each, launch = costs(run), _told_by(run)
    if each.layer and launch and launch.facts.offloaded:
        now, most = launch.facts.offloaded
        yield from _layers("-ngl", now, now + math.floor(free / each.layer), most)
    held = _layers_in_host_memory(run.profile)
    if each.experts and held:
        most = run.profile.model.layers or held
        yield from _layers(_SOME_EXPERTS[0], held, held - math.floor(free / each.experts), most)
    if each.token:
        yield from _context(free, each.token)


def _layers(flag: str, now: int, wanted: int, most: int) -> Iterator[Turn]:
    new = min(most, max(0, wanted))
    if new != now:
        yield Turn(flag, str(new))


def _context(free: float, each: float) -> Iterator[Turn]:
    tokens = abs(free) / each
    if free < 0:
        yield Turn("-c", f"{numbers.MINUS}{math.ceil(round(tokens) / 1000)}k", relative=True)
    elif tokens >= _FEWEST_TOKENS:
        yield Turn("-c", f"+{numbers.tokens(tokens)}", relative=True)


def _told_by(run: Run) -> Launch | None:
    return next((item for item in run.launches("head") if item.is_valid), None)


def _on_gpu(facts: ServerFacts, kind: str) -> float:
    return sum(
        mib
        for name, mib in facts.buffers.items()
        if name.endswith(f".{kind}") and name.startswith("CUDA") and not name.startswith("CUDA_Host")
    )


def _layers_in_host_memory(profile: Profile) -> int | None:
    """How many layers' experts stay in host memory; None where no flag says so."""
    if not _ALL_EXPERTS.isdisjoint(profile.flags):
        return profile.model.layers or 0
    for flag, value in zip(profile.flags, profile.flags[1:], strict=False):
        if flag in _SOME_EXPERTS and value.isdecimal():
            return int(value)
    return None
