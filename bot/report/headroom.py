"""What GPU memory buys, in what people turn: `-ngl`, `-c`, `--n-cpu-moe`. Computed; where tried, proven."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from bot.records import MemoryComparison, Probe, Run
from bot.report import numbers
from bot.report.costs import SOME_EXPERTS, context_of, costs, layers_in_host_memory, told_by

#: Fewer tokens of context than this are not worth turning `-c` for.
_FEWEST_TOKENS = 1000
#: Servers pad the context to a multiple of 256; whole steps of this are whole in every era.
_CONTEXT_STEP = 1024


@dataclass(frozen=True)
class Turn:
    """One flag and what to set it to (`52`), or by how much to change it (`+12k`)."""

    flag: str
    value: str
    relative: bool = False


@dataclass(frozen=True)
class Candidate:
    """A flag that the memory left could change: its value in the run, and its value at other steps.

    Steps count memory, + takes more. `computed` would use up what is free above the reserve, or (negative)
    give back what is missing; `least` and `most` are the ends of the flag.
    """

    flag: str
    measured: int
    unit: int
    computed: int
    least: int
    most: int

    def value(self, step: int) -> int:
        """The flag's value at that step."""
        return self.measured + self.unit * step


@dataclass(frozen=True)
class Headroom:
    """Formatted: MiB left on head and the reserve kept; what the rest buys, or must be given up for it.

    `proven` was tried by starting the server there, `turns` are computed only.
    """

    source: str
    mib: str
    reserve: str
    turns: tuple[Turn, ...]
    below: bool
    proven: tuple[Turn, ...] = ()


def headroom(run: Run) -> Headroom | None:
    """The head's headroom; None where memory was not compared."""
    memory = run.memory
    if memory is None:
        return None
    free = memory.head_headroom_mib - run.profile.reserve_mib
    tried = {probe.flag for probe in run.probes if _is_told(probe)}
    return Headroom(
        source=memory.source,
        mib=numbers.mib(memory.head_headroom_mib),
        reserve=numbers.mib(run.profile.reserve_mib),
        turns=tuple(turn for turn in _turns(run, free) if turn.flag not in tried),
        below=free < 0,
        proven=tuple(Turn(probe.flag, str(probe.proven)) for probe in run.probes if probe.proven is not None),
    )


def candidates(run: Run) -> tuple[Candidate, ...]:
    """What there is to prove where memory was compared; nothing for host memory, which has no reserve."""
    memory = run.memory
    if memory is None or memory.source != "nvml":
        return ()
    free = memory.head_headroom_mib - run.profile.reserve_mib
    return tuple(item for item in (*_layers(run, free), *_context(run, free)) if item.computed)


def lost(run: Run, memory: MemoryComparison) -> tuple[Turn, ...]:
    """What the additional use of head amounts to, as context given up; empty where it needs no more."""
    each = costs(run).token
    change = memory.head_mib - memory.base_mib
    if memory.source != "nvml" or memory.outcome != "more" or each is None:
        return ()
    thousands = round(change / each / 1000)
    return (Turn("-c", f"{numbers.MINUS}{thousands}k", relative=True),) if thousands else ()


def _is_told(probe: Probe) -> bool:
    """Whether the tries say more than the computation does: a search that ran out of time may not."""
    return probe.proven is not None or not probe.cut_short


def _turns(run: Run, free: float) -> Iterator[Turn]:
    """Each flag alone would use up what is free, or give back what is missing."""
    if run.memory is None or run.memory.source != "nvml":
        return
    for item in _layers(run, free):
        if item.computed:
            yield Turn(item.flag, str(item.value(item.computed)))
    each, launch = costs(run).token, told_by(run)
    if each:
        now = context_of(launch.facts) if launch else None
        yield from _tokens(free, each, _longer(run, now or 0))


def _longer(run: Run, now: int) -> int | None:
    """Tokens of context beyond `now` that the model was trained for; None where its header does not say."""
    trained = run.profile.model.context
    return None if trained is None else max(0, trained - now)


def _layers(run: Run, free: float) -> Iterator[Candidate]:
    each, launch = costs(run), told_by(run)
    if each.layer and launch and launch.facts.offloaded:
        now, most = launch.facts.offloaded
        yield _candidate("-ngl", now, 1, math.floor(free / each.layer), least=-now, most=most - now)
    held = layers_in_host_memory(run.profile)
    if each.experts and held:
        least = held - max(held, run.profile.model.layers or held)
        yield _candidate(SOME_EXPERTS[0], held, -1, math.floor(free / each.experts), least=least, most=held)


def _context(run: Run, free: float) -> Iterator[Candidate]:
    each, launch = costs(run).token, told_by(run)
    now = context_of(launch.facts) if launch else None
    if each and now:
        steps = math.floor(free / each / _CONTEXT_STEP)
        longer = _longer(run, now)
        most = max(steps, 0) if longer is None else longer // _CONTEXT_STEP
        least = 1 - now // _CONTEXT_STEP
        yield _candidate("-c", now, _CONTEXT_STEP, steps, least=least, most=most)


def _candidate(flag: str, measured: int, unit: int, steps: int, *, least: int, most: int) -> Candidate:
    return Candidate(flag, measured, unit, min(most, max(least, steps)), least, most)


def _tokens(free: float, each: float, longer: int | None) -> Iterator[Turn]:
    tokens = abs(free) / each
    if free >= 0 and longer is not None:
        tokens = min(tokens, longer)
    if free < 0:
        yield Turn("-c", f"{numbers.MINUS}{math.ceil(round(tokens) / 1000)}k", relative=True)
    elif tokens >= _FEWEST_TOKENS:
        yield Turn("-c", f"+{numbers.tokens(tokens)}", relative=True)
