"""What this machine can see at all: the smallest change its noise leaves visible, and its false alarms."""

from collections.abc import Iterator
from itertools import groupby

from bot.records import Noise, Run
from bot.report import numbers
from bot.report.phrases import label, series
from bot.report.rows import Row, metric_rows
from bot.report.words import Words


def noise_warning(words: Words, run: Run) -> list[str]:
    """That this machine cannot find a change of the margin's size, where it could not tell this time either.

    A metric that this run did decide needs no warning, however noisy earlier runs were.
    """
    open_ = {item.metric for item in run.comparisons if item.outcome == "inconclusive"}
    rows = {row.metric: row for row in metric_rows(run)}
    blind = [
        label(words, rows[item.metric])
        for item in _known(run)
        if item.metric in open_ and numbers.change(item.detectable) > run.profile.margin
    ]
    if not blind:
        return []
    margin = numbers.share(run.profile.margin)
    return [words.text("noise-hides", items=series(words, blind), margin=margin)]


def noise_facts(words: Words, run: Run) -> list[str]:
    """What the runs on this machine so far tell: the smallest visible change, false alarms of self-tests."""
    rows = {row.metric: row for row in metric_rows(run)}
    known = sorted(_known(run), key=lambda item: item.rounds)
    seen = [
        words.text(
            "noise-sees",
            rounds=rounds,
            items=series(words, [_item(words, rows[item.metric], item) for item in group]),
        )
        for rounds, group in groupby(known, key=lambda item: item.rounds)
    ]
    return [*seen, *_self_tests(words, run)]


def _known(run: Run) -> list[Noise]:
    """The noise of this run's primary metrics; none where no calibration is known."""
    measured = {row.metric for row in metric_rows(run)}
    primary = {item.metric for item in run.comparisons if item.primary}
    noise = run.calibration.noise if run.calibration else ()
    return [item for item in noise if item.metric in primary & measured]


def _item(words: Words, row: Row, item: Noise) -> str:
    return words.text("item", label=label(words, row), change=numbers.share(numbers.change(item.detectable)))


def _self_tests(words: Words, run: Run) -> Iterator[str]:
    known = run.calibration
    if known and known.self_tests:
        yield words.text("noise-self-tests", tests=known.self_tests, alarms=known.false_alarms)
