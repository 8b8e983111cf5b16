"""Which numbers stand in the table above the fold: each thing that is said once, what moved first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from bot.records import Comparison, MemoryComparison, Outcome, Run
from bot.report import numbers
from bot.report.verdict import is_comparable

RowKind = Literal["ttft", "prefill", "decode", "vram", "ram"]
Symbol = Literal["faster", "slower", "within", "unresolved", "memory"]

#: Below this many prompt tokens a user feels the TTFT, and the prefill rate is mostly noise.
_SHORT_PROMPT = 256
_SYMBOLS: dict[Outcome, Symbol] = {
    "improvement": "faster",
    "regression": "slower",
    "within": "within",
    "inconclusive": "unresolved",
}
_ORDER: dict[Symbol, int] = {"slower": 0, "faster": 1, "within": 2, "unresolved": 2, "memory": 3}


@dataclass(frozen=True)
class Row:
    """One line of the table, formatted. `scenario` is None where the row stands for all of them.

    `symbol` follows the effect (faster, slower), `change` the metric's own unit. `metric` is the
    comparison's id, None for memory.
    """

    kind: RowKind
    scenario: str | None
    base: str
    head: str
    change: str
    symbol: Symbol
    moved: bool
    metric: str | None = None


def table(run: Run) -> tuple[Row, ...]:
    """The rows of a run, moved ones first; memory last."""
    judged = is_comparable(run)
    metrics = [_row(item, alone, judged) for item, alone in _representatives(run.comparisons, run)]
    rows = sorted(metrics, key=lambda row: _ORDER[row.symbol])
    return (*rows, *((memory_row(run.memory, judged),) if run.memory else ()))


def metric_rows(run: Run) -> tuple[Row, ...]:
    """Every measured metric as a row, in the profile's order."""
    judged = is_comparable(run)
    return tuple(_row(item, False, judged) for item in run.comparisons if item.rounds)


def memory_row(memory: MemoryComparison, judged: bool = True) -> Row:
    """The peak of both sides, in MiB."""
    change = numbers.mib_change(memory.base_mib, memory.head_mib)
    return Row(
        kind="vram" if memory.source == "nvml" else "ram",
        scenario=None,
        base=numbers.mib(memory.base_mib),
        head=numbers.mib(memory.head_mib),
        change=numbers.signed(str(change)),
        symbol="memory",
        moved=judged and memory.outcome != "same",
    )


def _row(item: Comparison, alone: bool, judged: bool) -> Row:
    base, head = numbers.sides(item)
    symbol = _SYMBOLS[item.outcome] if judged else "unresolved"
    return Row(
        kind=item.kind,
        scenario=None if alone else item.scenario,
        base=base,
        head=head,
        change=numbers.percent(item.change),
        symbol=symbol,
        moved=symbol in ("faster", "slower"),
        metric=item.metric,
    )


def _representatives(items: Sequence[Comparison], run: Run) -> list[tuple[Comparison, bool]]:
    """(comparison, whether it stands for every scenario) of what is shown."""
    measured = [item for item in items if item.rounds]
    lengths = {scenario.name: scenario.prompt_tokens for scenario in run.profile.scenarios}
    margin = run.profile.margin
    shown: list[tuple[Comparison, bool]] = []
    prompts = [item for item in measured if item.kind != "decode"]
    for name in dict.fromkeys(item.scenario for item in prompts):
        first = "ttft" if lengths.get(name, 0) < _SHORT_PROMPT else "prefill"
        own = sorted((item for item in prompts if item.scenario == name), key=lambda item: item.kind != first)
        shown += [(item, False) for item in _once(own, margin)]
    decodes = _once([item for item in measured if item.kind == "decode"], margin)
    return shown + [(item, len(decodes) == 1) for item in decodes]


def _once(items: Iterable[Comparison], margin: float) -> list[Comparison]:
    """One of those that say the same: the primary one where there is one, else the first."""
    groups: dict[str, list[Comparison]] = {}
    for item in items:
        groups.setdefault(_saying(item, margin), []).append(item)
    return [next((item for item in group if item.primary), group[0]) for group in groups.values()]


def _saying(item: Comparison, margin: float) -> str:
    """What a metric says; one that looks changed but is open says it alone."""
    is_suspicious = item.outcome == "inconclusive" and abs(item.change) >= margin
    return item.metric if is_suspicious else item.outcome
