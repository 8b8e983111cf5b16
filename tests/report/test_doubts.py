"""What upstream learned since, and how far it takes a verdict."""

import pytest

from bot.records import Reason, Recheck, Run, UpstreamTrouble
from bot.report.render import render
from bot.report.verdict import conclude, is_upgrade_at_heart, reconsidered
from tests.support.outcomes import OUTCOMES
from tests.support.troubles import change, looked_up, newer, recheck, trouble, undone


def told(outcome: str, found: UpstreamTrouble | None, again: Recheck | None = None) -> Run:
    return OUTCOMES[outcome]().model_copy(update={"upstream_trouble": found, "recheck": again})


def said(run: Run) -> tuple[str, list[str]]:
    found = conclude(run)
    return found.code, [
        reason.code for reason in found.reasons if "trouble" in reason.code or "rev" in reason.code
    ]


@pytest.mark.parametrize(
    ("outcome", "found", "code", "reasons"),
    [
        ("upgrade", looked_up(), "upgrade", []),
        ("upgrade", looked_up(answered=False), "upgrade", []),
        ("upgrade", looked_up(trouble()), "optional", ["upstream_trouble"]),
        ("upgrade", looked_up(trouble(elsewhere=True)), "upgrade", []),
        ("upgrade", looked_up(newer()), "upgrade", ["trouble_newer"]),
        ("upgrade", looked_up(change()), "upgrade", ["trouble_change"]),
        ("upgrade-fix", looked_up(change()), "optional", ["upstream_trouble"]),
        ("upgrade-fix", looked_up(change(pull=1)), "upgrade", ["trouble_change"]),
        ("optional", looked_up(trouble()), "optional", ["upstream_trouble"]),
        ("optional", looked_up(newer(), change()), "optional", []),
        ("hold-regression", looked_up(trouble()), "hold", []),
        ("cannot-tell", looked_up(trouble()), "unknown", []),
        ("self-test-passed", looked_up(trouble()), "optional", []),
    ],
)
def test_open_issues_take_an_upgrade_to_optional_and_nothing_further(
    outcome: str, found: UpstreamTrouble, code: str, reasons: list[str]
) -> None:
    assert said(told(outcome, found)) == (code, reasons)


def test_what_was_reverted_since_takes_an_upgrade_back() -> None:
    assert said(told("upgrade", None, recheck(undone()))) == ("optional", ["reverted_since"])
    assert said(told("upgrade", None, recheck())) == ("upgrade", [])
    assert said(told("optional", None, recheck(undone()))) == ("optional", [])


def test_a_record_is_reconsidered_without_judging_its_measurement_anew() -> None:
    run = OUTCOMES["upgrade"]()
    own = conclude(run).model_copy(update={"reasons": (Reason(code="improvement"),)})
    judged = run.model_copy(update={"verdict": own, "upstream_trouble": looked_up(trouble())})
    doubted = reconsidered(judged)
    assert doubted.code == "optional"
    assert [reason.code for reason in doubted.reasons] == ["upstream_trouble", "improvement"]
    calm = judged.model_copy(update={"verdict": doubted, "upstream_trouble": looked_up()})
    assert reconsidered(calm) == own


def test_a_verdict_of_a_newer_program_is_left_alone() -> None:
    run = OUTCOMES["upgrade"]()
    foreign = conclude(run).model_copy(update={"reasons": (Reason(code="something_new"),)})
    assert reconsidered(run.model_copy(update={"verdict": foreign})) == foreign


def test_an_upgrade_at_heart_is_one_also_under_doubt() -> None:
    assert is_upgrade_at_heart(conclude(told("upgrade", looked_up(trouble()))))
    assert not is_upgrade_at_heart(conclude(OUTCOMES["optional"]()))
    assert not is_upgrade_at_heart(conclude(OUTCOMES["hold-regression"]()))


def test_nothing_is_above_the_folds_unless_it_matters() -> None:
    for found in (looked_up(), looked_up(answered=False), looked_up(trouble(elsewhere=True))):
        plain = render(OUTCOMES["upgrade"](), languages=("en",))["report.md"].split("<details>")[0]
        assert render(told("upgrade", found), languages=("en",))["report.md"].split("<details>")[0] == plain


def test_a_title_does_nothing_and_links_leave_no_trace() -> None:
    text = render(told("upgrade", looked_up(trouble())))["report.md"]
    assert "https://github.com/ggml-org/llama.cpp/issues" not in text
    assert "[#27001](https://redirect.github.com/ggml-org/llama.cpp/issues/27001)" in text
    assert "@everyone" not in text and "<b>since" not in text


def test_an_empty_answer_stands_in_the_environment_with_its_time() -> None:
    text = render(told("upgrade", looked_up()), languages=("en",))["report.md"]
    assert "Open reports upstream · `0 · 2026-06-02 07:17 UTC`" in text


def test_many_issues_are_counted_and_the_latest_named() -> None:
    many = looked_up(*(trouble(number) for number in range(27020, 27000, -1)))
    text = render(told("upgrade", many), languages=("en",))["report.md"]
    assert "20 open reports upstream name b9602" in text.splitlines()[0]
    assert text.count("/issues/270") == 3 + 8
    assert "and 12 more" in text
