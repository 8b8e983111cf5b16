"""What this machine can see at all: the smallest change its noise leaves visible, and its false alarms."""

from collections.abc import Iterator
from itertools import groupby

from bot.records import Noise, Run
from bot.report import numbers
from bot.report.phrases import label, series
from bot.report.rows import Row, metric_rows
from bot.report.words import Words


def noise_sentences(words: Words, run: Run) -> list[str]:
    """Of the primary metrics; nothing where nothing was measured, or no calibration is known."""
    if run.calibration is None:
        return []
    rows = {row.metric: row for row in metric_rows(run)}
    primary = {item.metric for item in run.comparisons if item.primary}
    found = [item for item in run.calibration.noise if item.metric in primary & set(rows)]
    return [*_seen(words, run, found, rows), *_self_tests(words, run)]


def _seen(words: Words, run: Run, found: list[Noise], rows: dict[str | None, Row]) -> Iterator[str]:
    for rounds, group in groupby(sorted(found, key=lambda item: item.rounds), key=lambda item: item.rounds):
        items = [_item(words, rows[item.metric], item) for item in group]
        yield words.text("noise-sees", rounds=rounds, items=series(words, items))
    hidden = [item for item in found if numbers.change(item.detectable) > run.profile.margin]
    if hidden:
        names = series(words, (label(words, rows[item.metric]) for item in hidden))
        yield words.text("noise-hides", items=names, margin=numbers.share(run.profile.margin))


def _item(words: Words, row: Row, item: Noise) -> str:
    return words.text("item", label=label(words, row), change=numbers.share(numbers.change(item.detectable)))


def _self_tests(words: Words, run: Run) -> Iterator[str]:
    known = run.calibration
    if known and known.self_tests:
        yield words.text("noise-self-tests", tests=known.self_tests, alarms=known.false_alarms)
