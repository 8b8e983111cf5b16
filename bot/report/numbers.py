"""Numbers as printed: once, here, the same in every language."""

import math
from decimal import Decimal

from bot.records import Comparison, MetricKind

MINUS = "\N{MINUS SIGN}"
#: More digits than this help no calculator.
_MOST_DIGITS = 10
_GIB = 1024


def signed(text: str) -> str:
    """A formatted number with its sign: a real minus, a plus, nothing for zero."""
    if not text.strip("-0."):
        return text.lstrip("-")
    return MINUS + text[1:] if text.startswith("-") else f"+{text}"


def percent(ratio: float) -> str:
    """A change in percent, one decimal: 0.0048 -> +0.5%."""
    return f"{signed(f'{ratio * 100:.1f}')}%"


def share(ratio: float) -> str:
    """A ratio without a sign, no digit more than needed: 0.03 -> 3%, 0.968 -> 96.8%."""
    return f"{ratio * 100:.1f}".removesuffix(".0") + "%"


def spread(log_sd: float) -> str:
    """A standard deviation of log-ratios in percent, two digits: 0.0051 -> 0.51%."""
    return f"{log_sd * 100:.2f}%"


def fine_change(ratio: float) -> str:
    """A small change in percent, two decimals: 0.00031 -> +0.03%."""
    return f"{signed(f'{ratio * 100:.2f}')}%"


def interval(low: float, high: float) -> str:
    """The two ends of an interval of changes."""
    return f"{percent(low)} … {percent(high)}"


def pair(base: float, head: float, change: float, decimals: int) -> tuple[str, str]:
    """Both sides with as many digits as make their quotient round to the printed change.

    `change` is head/base - 1; `decimals` is where to start.
    """
    printed = Decimal(f"{change * 100:.1f}")
    texts = f"{base:.{decimals}f}", f"{head:.{decimals}f}"
    for digits in range(decimals, _MOST_DIGITS + 1):
        texts = f"{base:.{digits}f}", f"{head:.{digits}f}"
        if _agrees(*texts, printed):
            break
    return texts


def sides(item: Comparison) -> tuple[str, str]:
    """Both sides of a comparison as printed: tokens per second, or for TTFT seconds.

    Units stand in the legend: in the cells they push the column that matters out of a phone's sight.
    """
    if item.kind == "ttft":
        return pair(item.base / 1000, item.head / 1000, item.change, 3)
    return pair(item.base, item.head, item.change, rate_decimals(min(item.base, item.head)))


def metric(kind: MetricKind, value: float) -> str:
    """One value of a metric in its printed unit: tokens per second, or for TTFT seconds."""
    return f"{value / 1000:.3f}" if kind == "ttft" else f"{value:.{rate_decimals(value)}f}"


def change(log_ratio: float) -> float:
    """A log-ratio as head/base - 1."""
    return math.expm1(log_ratio)


def rate_decimals(rate: float) -> int:
    """Decimals that give a rate four digits: 758.2, 12.68, 1830."""
    return 0 if rate <= 0 else min(4, max(0, 3 - math.floor(math.log10(rate))))


def mib(value: float) -> str:
    """MiB as nvidia-smi prints them: whole, ungrouped."""
    return f"{value:.0f}"


def growth(value_mib: float) -> str:
    """MiB per so many requests, one decimal, a real minus."""
    return f"{value_mib:.1f}".replace("-", MINUS)


def mib_change(base: float, head: float) -> int:
    """The difference of the two printed numbers, so that a reader's subtraction agrees."""
    return int(mib(head)) - int(mib(base))


def gib(value_mib: float) -> str:
    """Whole GB as a card or a machine is sold: 16303 -> 16 GB."""
    return f"{value_mib / _GIB:.0f} GB"


def duration(seconds: float) -> str:
    """Minutes, or seconds below one minute."""
    return f"{seconds:.0f} s" if seconds < 60 else f"{seconds / 60:.0f} min"


def seconds(value: float | None) -> str:
    """Seconds with one decimal; empty where unknown."""
    return "" if value is None else f"{value:.1f}"


def tokens(count: float) -> str:
    """Tokens of context in thousands, rounded down: 12800 -> 12k; exact below one thousand."""
    return f"{count // 1000:.0f}k" if count >= 1000 else f"{count:.0f}"


def _agrees(base: str, head: str, printed: Decimal) -> bool:
    if not Decimal(base):
        return False
    return abs((Decimal(head) / Decimal(base) - 1) * 100 - printed) < Decimal("0.05")
