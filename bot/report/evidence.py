"""The fold of further evidence: every kind that was asked for, with its measures and checks."""

from collections.abc import Iterator
from dataclasses import dataclass

from bot.records import Check, Evidence, Measure, Reason, Run
from bot.report import numbers, phrases, upstream_table
from bot.report.markdown import code, escape
from bot.report.speech import Speech
from bot.report.words import Words

_SYMBOLS = {"better": "▲", "worse": "▼", "same": "=", "unjudged": ""}
_RESULTS = {"pass": "✓", "fail": "✗", "unsupported": "–", "not_run": "–"}


@dataclass(frozen=True)
class Line:
    """One row of a kind's table, ready to print."""

    name: str
    base: str
    head: str
    symbol: str


@dataclass(frozen=True)
class Part:
    """One kind of evidence: its heading, its table, and what is to be said of it."""

    heading: str
    lines: tuple[Line, ...]
    remarks: tuple[str, ...]
    tables: tuple[str, ...] = ()


def parts(speech: Speech) -> tuple[Part, ...]:
    """Everything that was asked for, in its order."""
    return tuple(_part(speech, item) for item in speech.run.evidence)


def _part(speech: Speech, item: Evidence) -> Part:
    name = speech.join(lambda words: phrases.capital(phrases.coded(words, "evidence", item.kind)))
    label = f" {code(item.label)}" if item.label else ""
    outcome = speech.both(f"evidence-outcome-{item.outcome}")
    measures = (_measure(speech, measure) for measure in item.measures)
    checks = (_check(speech, check) for check in item.checks)
    return Part(
        heading=f"**{name}**{label} · {outcome}",
        lines=(*measures, *checks),
        remarks=(*_reasons(speech, item), *_details(speech, item)),
        tables=tuple(upstream_table.tables(item)),
    )


def _measure(speech: Speech, item: Measure) -> Line:
    decimals = _decimals(item)
    return Line(
        name=_name(speech, item),
        base=_number(item.base, item.base_error, decimals),
        head=_number(item.head, item.head_error, decimals),
        symbol=_SYMBOLS[item.outcome],
    )


def _name(speech: Speech, item: Measure) -> str:
    """A measure's name in words, `name:detail` with its detail; a name of outside as it is."""
    name, _, detail = item.name.partition(":")
    message = f"measure-{name}"
    known = speech.first.has(message)
    shown = speech.both(message, detail=escape(detail)) if known else code(item.name, cell=True)
    return f"{shown} · {speech.coded('unit', item.unit)}" if item.unit else shown


def _decimals(item: Measure) -> int:
    """None where both sides are whole, else four digits of the larger one, as rates have."""
    values = [abs(value) for value in (item.base, item.head) if value is not None]
    if all(value == int(value) for value in values):
        return 0
    return numbers.rate_decimals(max(values))


def _number(value: float | None, error: float | None, decimals: int) -> str:
    if value is None:
        return "–"
    shown = f"{value:.{decimals}f}".replace("-", numbers.MINUS)
    return shown if error is None else f"{shown} ± {error:.{decimals}f}"


def _check(speech: Speech, item: Check) -> Line:
    return Line(
        name=speech.coded("check", item.name),
        base=_RESULTS[item.base],
        head=_RESULTS[item.head],
        symbol="▼" if item.is_new_failure else "",
    )


def _reasons(speech: Speech, item: Evidence) -> Iterator[str]:
    """Why it was not run or cut short, and its notes."""
    for reason in (*((item.why,) if item.why else ()), *item.notes):
        yield " · ".join(dict.fromkeys(_said(words, reason, speech.run) for words in speech.words))


def _said(words: Words, reason: Reason, run: Run) -> str:
    return phrases.note(words, reason, run)


def _details(speech: Speech, item: Evidence) -> Iterator[str]:
    """What stands behind each result that is not a plain pass; once where both sides say the same."""
    tags = {"base": escape(speech.run.pair.base.name), "head": escape(speech.run.pair.head.name)}
    for check in item.checks:
        sides = [
            (tags["base"], check.base, check.base_detail),
            (tags["head"], check.head, check.head_detail),
        ]
        told = [(tag, _result(speech, result, detail)) for tag, result, detail in sides]
        told = [(tag, text) for tag, text in told if text]
        name = speech.coded("check", check.name)
        if len(told) == len(sides) and told[0][1] == told[1][1]:
            yield f"{name} · {told[0][1]}"
        else:
            yield from (f"{name} · {tag} · {text}" for tag, text in told)


def _result(speech: Speech, result: str, detail: str) -> str:
    """Nothing for a pass without a remark, nor for what was not reached: the kind's own reason says why."""
    words = speech.coded("detail", detail) if detail else ""
    if result == "not_run":
        return words
    if result == "pass":
        return words
    return " · ".join(part for part in (speech.both(f"check-result-{result}"), words) if part)
