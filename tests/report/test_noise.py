"""What a report says of the machine's own noise, and where."""

import pytest

from bot.records import Calibration, Noise, Outcome, Run
from bot.report.noise import noise_facts, noise_warning
from bot.report.render import render
from bot.report.words import catalog
from tests.support.runs import comparison, comparisons, run


def noisy(outcome: Outcome, *, detectable: float = 0.2) -> Run:
    """A run whose machine sees only a change of `detectable` (log) in decode."""
    noise = Noise(
        metric="decode:coding",
        scenario="coding",
        request=0.02,
        launch=0.03,
        sd_round=0.05,
        rounds=6,
        detectable=detectable,
    )
    known = Calibration(key="k", runs=3, noise=(noise,), self_tests=2, false_alarms=1)
    found = comparisons(decode_coding=comparison("decode", "coding", 0.01, outcome))
    return run(comparisons=found, calibration=known)


@pytest.mark.parametrize(("language", "said"), [("en", "too noisy to find ±3%"), ("zh-Hans", "噪声太大")])
def test_a_machine_that_could_not_tell_and_never_can_says_so(language: str, said: str) -> None:
    (sentence,) = noise_warning(catalog(language), noisy("inconclusive"))
    assert said in sentence
    assert "Decode" in sentence


def test_a_metric_shown_equal_contradicts_no_warning() -> None:
    assert noise_warning(catalog("en"), noisy("within")) == []


def test_a_machine_that_can_tell_is_not_called_noisy() -> None:
    assert noise_warning(catalog("en"), noisy("inconclusive", detectable=0.01)) == []


def test_the_smallest_visible_change_stands_in_the_fold_in_every_language() -> None:
    report = render(noisy("within"))["report.md"]
    above, _, fold = report.partition("<details>")
    for language in ("en", "zh-Hans"):
        sees, alarms = noise_facts(catalog(language), noisy("within"))
        assert sees in fold and alarms in fold
        assert sees not in above
    assert "22.1%" in fold


def test_without_calibration_nothing_is_said() -> None:
    assert noise_facts(catalog("en"), run()) == []
