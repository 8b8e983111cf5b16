"""llama-bench's own Markdown table, as a contributor to llama.cpp expects it, from our statistics."""

from collections.abc import Iterator, Sequence

from bot.records import BenchColumns, Evidence, Measure, Side

#: Columns that upstream aligns to the left; all others to the right.
_LEFT = frozenset({"model", "backend", "dev", "ts", "ot", "load_mode"})


def tables(item: Evidence) -> Iterator[str]:
    """One table per side that ran any case, its build below; padded, so that it reads as plain text."""
    for side in item.bench:
        rows = [row for measure in item.measures if (row := _row(side, measure))]
        if rows:
            yield "\n".join([*_aligned([*side.columns, "test", "t/s"], rows), "", f"build: {side.build}"])


def _row(side: BenchColumns, measure: Measure) -> list[str] | None:
    value, error = _of(measure, side.side)
    if value is None:
        return None
    return [*side.columns.values(), measure.name, f"{value:.2f} ± {error or 0.0:.2f}"]


def _of(measure: Measure, side: Side) -> tuple[float | None, float | None]:
    if side == "base":
        return measure.base, measure.base_error
    return measure.head, measure.head_error


def _aligned(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    left = [name in _LEFT for name in headings]
    yield _line(headings, widths, left)
    rules = [
        "-" * (width - 1) + ("-" if to_left else ":") for width, to_left in zip(widths, left, strict=True)
    ]
    yield _line(rules, widths, left)
    for row in rows:
        yield _line(row, widths, left)


def _line(cells: Sequence[str], widths: Sequence[int], left: Sequence[bool]) -> str:
    padded = (
        cell.ljust(width) if to_left else cell.rjust(width)
        for cell, width, to_left in zip(cells, widths, left, strict=True)
    )
    return f"| {' | '.join(padded)} |"
