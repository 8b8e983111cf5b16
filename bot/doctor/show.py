"""Findings as a reader sees them: an aligned list on a terminal, one line each in a pipe, or JSON."""

from collections.abc import Iterable

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from bot.doctor.finding import Finding, Status
from bot.report.words import Words

#: What can stand in the first column.
LABELS = (
    *("settings", "profile", "flags", "model"),
    *("git", "tools", "compiler", "cmake", "ninja", "ccache", "nvcc", "packages"),
    *("driver", "gpu", "vram", "ram", "disk", "cache", "runs"),
    *("isolation", "environment", "hooks", "leftovers", "turn", "quiet", "self-test", "phone", "upstream"),
    *("workflows", "reach", "sharing", "labels", "targets", "privacy", "runner", "workspace", "group"),
)
_SYMBOLS: dict[Status, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "warning": ("!", "yellow"),
    "missing": ("✗", "bold red"),
}


def show(findings: Iterable[Finding], words: Words, console: Console) -> list[Finding]:
    """Print each finding as it comes, then the sum; returns them all."""
    seen = []
    with console.status(words.text("doctor-looking")):
        for item in findings:
            seen.append(item)
            _print(item, words, console)
    console.print(_sum(seen, words), soft_wrap=True)
    return seen


def facts(findings: Iterable[Finding], words: Words) -> list[dict[str, str | None]]:
    """For programs: `remedy` is null where there is nothing to do."""
    return [
        {
            "check": item.check,
            "status": item.status,
            "detail": detail(item, words),
            "remedy": remedy(item, words) or None,
        }
        for item in findings
    ]


def detail(item: Finding, words: Words) -> str:
    """How this need stands."""
    return words.error(item.error) if item.error else words.text(item.message, **item.args)


def remedy(item: Finding, words: Words) -> str:
    """What to do about it; "" where there is nothing to do, or where the detail says it."""
    if item.status == "ok" or item.error:
        return ""
    return words.text(f"{item.message}-remedy", **item.args)


def _print(item: Finding, words: Words, console: Console) -> None:
    if console.is_terminal:
        console.print(_row(item, words))
    else:
        console.print(_line(item, words), soft_wrap=True)


def _row(item: Finding, words: Words) -> Table:
    symbol, style = _SYMBOLS[item.status]
    row = Table.grid(padding=(0, 1))
    row.add_column(width=1)
    row.add_column(width=max(cell_len(_label(check, words)) for check in LABELS))
    row.add_column(overflow="fold")
    row.add_row(Text(symbol, style), _label(item.check, words), Text(detail(item, words)))
    if told := remedy(item, words):
        row.add_row("", "", Text(f"→ {told}", style.removeprefix("bold ")))
    return row


def _line(item: Finding, words: Words) -> Text:
    status = words.text(f"doctor-status-{item.status}")
    line = words.text(
        "doctor-line", status=status, label=_label(item.check, words), detail=detail(item, words)
    )
    told = remedy(item, words)
    return Text(f"{line} → {told}" if told else line)


def _label(check: str, words: Words) -> str:
    """What is checked; programs are called by their own name."""
    label = f"doctor-label-{check}"
    return words.text(label) if words.has(label) else check


def _sum(findings: list[Finding], words: Words) -> Text:
    count = {status: sum(item.status == status for item in findings) for status in ("missing", "warning")}
    if count["missing"]:
        return Text(words.text("doctor-sum-missing", **count))
    return Text(words.text("doctor-sum-warning" if count["warning"] else "doctor-sum-ok", **count))
