"""What a report says of the machine's own noise, and where."""

import pytest

from bot.records import Calibration, Noise, Outcome, PastSelfTest, Reason, Run
from bot.report.noise import noise_facts, noise_warning
from bot.report.render import render
from bot.report.words import catalog
from tests.support import self_tests
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
    past = (PastSelfTest(at="2026-06-14T08:30:00Z", run="r", outcome="quiet", rounds=6),)
    known = Calibration(key="k", runs=3, noise=(noise,), self_tests=2, false_alarms=1, past=past)
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
        sees, _, alarms = noise_facts(catalog(language), noisy("within"))
        assert sees in fold and alarms in fold
        assert sees not in above
    assert "22.1%" in fold


def made(*outcomes: Outcome, why: Reason | None = None) -> str:
    """What the fold says of the self-test that came before."""
    metrics = zip(("decode:coding", "prefill:document"), outcomes, strict=False)
    found = tuple(
        comparison(name.split(":")[0], name.split(":")[1], 0.01, outcome)  # type: ignore[arg-type]
        for name, outcome in metrics
    )
    item = run(self_test=self_tests.self_test(found, why=why))
    (sentence,) = (text for text in noise_facts(catalog("en"), item) if "compared with itself" in text)
    return sentence.partition(": ")[2]


def test_the_self_test_before_this_comparison_is_told_by_what_it_came_to() -> None:
    assert made("within", "within") == "everything was shown equal within ±3%."
    assert made("within", "regression") == "a difference was found where there is none (📄 Prefill)."
    assert made("inconclusive", "within") == "not shown equal within ±3%: Decode."
    spent = Reason(code="budget_spent", args={"rounds": 4})
    assert made("inconclusive", "within", why=spent) == "it ended before it could tell."


@pytest.mark.parametrize(("sd_round", "warned"), [(0.0225, False), (0.0235, True)])
def test_from_two_point_three_percent_on_equality_will_often_not_be_shown(
    sd_round: float, warned: bool
) -> None:
    known = self_tests.calibration("quiet", noise=(self_tests.noise("decode:coding", sd_round),))
    facts = noise_facts(catalog("en"), run(calibration=known))
    assert any("fewer than 19 runs of 20" in text for text in facts) is warned


def test_false_alarms_are_counted_and_the_last_self_test_dated() -> None:
    known = self_tests.calibration("quiet", "alarm", "open")
    told = noise_facts(catalog("en"), run(calibration=known))
    (said,) = (text for text in told if "false alarms" in text)
    assert "so far: 3, false alarms: 1. The last, on 2026-06-14, could not show" in said


def test_what_the_self_test_already_says_is_not_said_twice() -> None:
    assert noise_warning(catalog("en"), self_tests.blind()) == []


def test_without_calibration_nothing_is_said() -> None:
    assert noise_facts(catalog("en"), run()) == []
