"""From codes and facts to words of one language: labels, lists, arguments of sentences."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from bot.records import Build, BuildFailure, Comparison, Reason, Run, Value
from bot.report import numbers
from bot.report.headroom import Turn
from bot.report.markdown import code, escape
from bot.report.rows import Row, Symbol, metric_rows, table
from bot.report.words import Words

EMOJI = {"chat": "💬", "document": "📄", "coding": "💻"}
SYMBOLS: dict[Symbol, str] = {"faster": "▲", "slower": "▼", "within": "=", "unresolved": "?", "memory": ""}
#: Arguments that are codes themselves: `<argument>-<value>` is their message.
_CODED = ("status", "base_status", "stage", "class", "evidence")
#: Arguments that were typed or printed somewhere, as they were.
_VERBATIM = ("bench_case", "bench_flags", "cache_types", "log_line", "variant_flags")
#: Arguments by how they are printed: verbatim, or as a ratio.
_PRINTERS: dict[str, Callable[[Value], str]] = {
    **dict.fromkeys(_VERBATIM, lambda value: code(str(value))),
    "change": lambda value: numbers.percent(float(value)),
    "delta": lambda value: numbers.fine_change(float(value)),
    "delta_error": lambda value: numbers.spread(float(value)),
}


def scenario(words: Words, name: str) -> str:
    """A scenario's name as its reader calls it; a name of the user's own as it is."""
    message = f"scenario-{name}"
    return words.text(message) if words.has(message) else escape(name)


def unmeasured(words: Words, items: Iterable[Comparison]) -> str:
    """The names of metrics that have no number."""
    return series(words, (f"{mark(item.scenario)} {words.text(f'metric-{item.kind}')}" for item in items))


def label(words: Words, row: Row) -> str:
    """A metric's name: `💬 TTFT`, `Decode`, `my-prompt Prefill`."""
    name = words.text(f"metric-{row.kind}")
    return name if row.scenario is None else f"{mark(row.scenario)} {name}"


def metrics(words: Words, run: Run, ids: Iterable[str]) -> str:
    """Metrics by their ids (`decode:coding`) as the report calls them, as a series; unknown ones left out."""
    rows = {row.metric: row for row in (*metric_rows(run), *table(run))}
    return series(words, (label(words, rows[item]) for item in ids if item in rows))


def mark(name: str) -> str:
    """The emoji that stands for a scenario, or its name."""
    return EMOJI.get(name) or escape(name)


def listing(words: Words, items: Iterable[str]) -> str:
    """Items as a list within a sentence."""
    return words.text("list-separator").join(items)


def series(words: Words, items: Iterable[str]) -> str:
    """As `listing`, with the language's word before the last: `4, 6 and 8`."""
    *most, last = list(items) or [""]
    return words.text("list-last").join([listing(words, most), last]) if most else last


def items(words: Words, rows: Sequence[Row], intervals: Mapping[str, str] | None = None) -> str:
    """Rows within a sentence: `📄 Prefill −5.1%`, with their interval where one is given."""
    return series(words, (_item(words, row, (intervals or {}).get(row.metric or "")) for row in rows))


def note(words: Words, reason: Reason, run: Run) -> str:
    """The sentence of a note; its code and numbers where the catalogs know none."""
    message = next((name for name in (f"note-{reason.code}", reason.code) if words.has(name)), None)
    if message is None:
        return escape(" ".join([reason.code, *(f"{name}={value}" for name, value in reason.args.items())]))
    return words.text(message, **facts(words, reason, run))


def facts(words: Words, reason: Reason, run: Run) -> dict[str, str | int]:
    """A reason's arguments ready to print, with what every sentence may name."""
    return common(run) | {name: _printed(words, run, name, value) for name, value in reason.args.items()}


def common(run: Run) -> dict[str, str | int]:
    """Base, head and margin as printed."""
    return {
        "base_tag": escape(run.pair.base.name),
        "head_tag": escape(run.pair.head.name),
        "margin": numbers.share(run.profile.margin),
    }


def turn(item: Turn) -> str:
    """A flag with its value: `-ngl 52`, or with its change: `-c` +12k."""
    return f"{code(item.flag)} {item.value}" if item.relative else code(f"{item.flag} {item.value}")


def coded(words: Words, kind: str, value: str) -> str:
    """The words for a code: message `<kind>-<value>`; the code itself where there are none."""
    message = f"{kind}-{value}"
    return words.text(message) if words.has(message) else escape(value)


def cause(words: Words, tags: str, failure: BuildFailure) -> str:
    """Why a build failed, and what to do about it."""
    advice = f"advice-{failure.cause}"
    return words.text(
        "build-cause",
        tag=tags,
        kind=words.text(f"class-{failure.kind}"),
        cause=coded(words, "cause", failure.cause),
        advice=words.text(advice) if words.has(advice) else "",
    )


def build_failure(words: Words, build: Build) -> str:
    """A failed build for a terminal: the stage, the cause with its remedy, the log's decisive lines."""
    failure = build.failure
    if failure is None:
        return ""
    stage = coded(words, "stage", failure.stage)
    said = words.text("build-failed", tag=build.tag, stage=stage)
    return "\n".join([said, cause(words, build.tag, failure), "", failure.excerpt])


def capital(text: str) -> str:
    """The text with a capital first letter, where it begins with a word (a tag such as b9602 is none)."""
    first = text.split(" ", 1)[0].rstrip(":,.").replace("-", "")
    return text[:1].upper() + text[1:] if first.isalpha() else text


def _item(words: Words, row: Row, interval: str | None) -> str:
    name = label(words, row)
    if interval:
        return words.text("item-open", label=name, change=row.change, interval=interval)
    return words.text("item", label=name, change=row.change)


def _printed(words: Words, run: Run, name: str, value: Value) -> str | int:
    if name == "side":
        return escape(run.pair.base.name if value == "base" else run.pair.head.name)
    if name in _CODED:
        return coded(words, name.removeprefix("base_"), str(value))
    if name == "metrics":
        return metrics(words, run, str(value).split())
    if name == "checks":
        return series(words, (coded(words, "check", item) for item in str(value).split()))
    if name in _PRINTERS:
        return _PRINTERS[name](value)
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return value if isinstance(value, int) and text == str(value) else escape(text)
