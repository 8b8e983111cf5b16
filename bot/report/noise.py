"""What this machine can see at all: the smallest change its noise leaves visible, and its false alarms."""

from collections.abc import Iterator, Mapping
from itertools import groupby

from bot.records import Noise, Run, SelfTest
from bot.report import numbers
from bot.report.markdown import escape
from bot.report.phrases import label, listing, mark, metrics, series
from bot.report.rows import Row, metric_rows
from bot.report.words import Words

#: Of the margin: beyond this sd of a round an unchanged build is shown equal by twelve rounds in less than
#: 19 runs of 20 (2.3 % at 3 %; docs/measuring.md).
_WILD = 2.3 / 3


def noise_warning(words: Words, run: Run) -> list[str]:
    """That this machine cannot find a change of the margin's size, where it could not tell this time either.

    A metric that this run did decide needs no warning, however noisy earlier runs were; nor does one that the
    self-test already speaks of.
    """
    told = {name for note in run.notes for name in str(note.args.get("metrics", "")).split()}
    open_ = {item.metric for item in run.comparisons if item.outcome == "inconclusive"} - told
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
    """What the runs on this machine so far tell: the smallest visible change, self-tests, false alarms."""
    rows = {row.metric: row for row in metric_rows(run)}
    known = sorted(_known(run), key=lambda item: item.rounds)
    seen = [
        words.text(
            "noise-sees",
            rounds=rounds,
            items=series(words, [_item(words, rows[item.metric], item.detectable) for item in group]),
        )
        for rounds, group in groupby(known, key=lambda item: item.rounds)
    ]
    return [*seen, *_warning(words, run, rows), *_made(words, run), *_self_tests(words, run)]


def _known(run: Run) -> list[Noise]:
    """The noise of this run's primary metrics; none where no calibration is known."""
    measured = {row.metric for row in metric_rows(run)}
    primary = {item.metric for item in run.comparisons if item.primary}
    noise = run.calibration.noise if run.calibration else ()
    return [item for item in noise if item.metric in primary & measured]


def _item(words: Words, row: Row, log_ratio: float) -> str:
    return words.text("item", label=label(words, row), change=numbers.share(numbers.change(log_ratio)))


def _warning(words: Words, run: Run, rows: Mapping[str | None, Row]) -> Iterator[str]:
    """That equality will often not be shown: from an sd of a round of 2.3 % on, at a margin of 3 %."""
    wild = [item for item in _known(run) if item.sd_round >= _WILD * run.profile.margin]
    if wild:
        told = series(words, [_item(words, rows[item.metric], item.sd_round) for item in wild])
        yield words.text("noise-warns", items=told, margin=numbers.share(run.profile.margin))


def _made(words: Words, run: Run) -> Iterator[str]:
    """The self-test that came before this comparison, and what K follows from it."""
    made = run.self_test
    if made is None or not made.comparisons:
        return
    yield words.text(
        "noise-self-test-made",
        tag=escape(made.tag),
        rounds=made.rounds,
        launches=made.launches,
        time=numbers.duration(made.seconds),
        outcome=_outcome(made),
        metrics=metrics(words, run, made.alarmed or made.unresolved),
        margin=numbers.share(run.profile.margin),
    )
    items = [
        words.text("noise-requests-item", label=mark(name), count=count)
        for name, count in made.requests.items()
    ]
    yield words.text("noise-requests", items=listing(words, items))


def _outcome(made: SelfTest) -> str:
    if made.alarmed:
        return "alarm"
    if not made.unresolved:
        return "quiet"
    return "early" if made.why else "open"


def _self_tests(words: Words, run: Run) -> Iterator[str]:
    known = run.calibration
    if known and known.past:
        last = known.past[-1]
        yield words.text(
            "noise-self-tests",
            tests=known.self_tests,
            alarms=known.false_alarms,
            date=last.at[:10],
            outcome=last.outcome,
        )
