"""The tables of docs/measuring.md, made from the figures."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.power.busy import MARGIN, Busy
from benchmarks.power.figures import HELD, NO_PAIRS, OWN_K, RULE, Figures, by_rule, meets

BEGIN, END = "<!-- decision-power: begin -->", "<!-- decision-power: end -->"
OWN = (
    "machine",
    "launches",
    "GPU min",
    "nothing dropped",
    "any false call",
    "all shown equal",
    "any from pairs",
    "−1 / −2 / −3 / −5 % called slower",
    "true −3 % called equal",
)
PEERS = (
    "rule",
    "launches",
    "GPU min",
    "any false call: " + " / ".join(machine.name for machine in HELD),
    "−3 / −5 % found, typical",
    "true −3 % called equal: typical / noisy",
    "as reliable",
)
VARIANTS = (
    "machine",
    "rule",
    "launches",
    "GPU min",
    "any false call",
    "all shown equal",
    "−5 % found",
    "true −3 % called equal",
)
ON_BUSY = (
    f"busy machine, margin {MARGIN:.0%}: rounds",
    "rule",
    "any false call",
    "−10 / −15 / −25 / −50 % found",
    "−15 % called equal",
)


def page(found: Sequence[Figures], on_busy: Sequence[Busy], reports: int, seed: int) -> str:
    """Everything between the markers."""
    error = 100 * (0.01 * 0.99 / reports) ** 0.5
    return "\n".join(
        [
            f"N = {reports} reports per cell, seed {seed}, nine metrics a report, K = 5, margin 3 %;",
            f"percentages are of reports (standard error at 1 %: {error:.2f} points). Noise model:",
            "`benchmarks/power/machines.py`.",
            "",
            *_table(OWN, map(_own, (item for item in found if item.rule == RULE))),
            "",
            *_table(PEERS, _peers(found, reports)),
            "",
            *_table(VARIANTS, _variants(found)),
            "",
            *_table(ON_BUSY, map(_busy, on_busy)),
        ]
    )


def write(path: Path, text: str) -> None:
    """Put the text between the markers. Raises ValueError where the file has none."""
    before, _, rest = path.read_text(encoding="utf-8").partition(BEGIN)
    _, mark, after = rest.partition(END)
    if not mark:
        raise ValueError(f"no markers in {path}")
    path.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


def _table(head: Sequence[str], lines: Iterator[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    yield from (f"| {' | '.join(line)} |" for line in lines)


def _own(item: Figures) -> Sequence[str]:
    return (
        item.machine,
        f"{item.launches:.1f}",
        f"{item.minutes:.1f}",
        f"{item.undropped:.1f}",
        _percent(item.called),
        _percent(item.all_within),
        _percent(item.fell_back),
        " / ".join(_percent(item.slower[change]) for change in (-0.01, -0.02, -0.03, -0.05)),
        _percent(item.missed[-0.03]),
    )


def _peers(found: Sequence[Figures], reports: int) -> Iterator[Sequence[str]]:
    rules = by_rule([item for item in found if item.rule not in (NO_PAIRS, OWN_K)])
    for (name, launches), on in sorted(rules.items(), key=lambda item: item[0][0] == RULE):
        typical, noisy = on["typical"], on["noisy"]
        cells = (
            name,
            f"{launches:g}" if launches else f"{typical.launches:.1f}",
            f"{typical.minutes:.1f}",
            " / ".join(_percent(on[machine.name].called) for machine in HELD),
            f"{_percent(typical.slower[-0.03])} / {_percent(typical.slower[-0.05])}",
            f"{_percent(typical.missed[-0.03])} / {_percent(noisy.missed[-0.03])}",
            "yes" if meets(on, reports) else "no",
        )
        yield cells if launches else [f"**{cell}**" for cell in cells]


def _variants(found: Sequence[Figures]) -> Iterator[Sequence[str]]:
    for item in found:
        if item.rule in (NO_PAIRS, OWN_K):
            yield (
                item.machine,
                item.rule,
                f"{item.launches:.1f}",
                f"{item.minutes:.1f}",
                _percent(item.called),
                _percent(item.all_within),
                _percent(item.slower[-0.05]),
                _percent(item.missed[-0.03]),
            )


def _busy(item: Busy) -> Sequence[str]:
    return (
        str(item.rounds),
        "as on a busy machine" if item.strict else "as on any machine",
        _percent(item.called),
        " / ".join(_percent(item.found[change]) for change in (-0.10, -0.15, -0.25, -0.50)),
        _percent(item.missed[-0.15]),
    )


def _percent(value: float) -> str:
    return f"{value:.2f}" if 0 < value < 1 else f"{value:.1f}" if value < 99.95 else "100"
