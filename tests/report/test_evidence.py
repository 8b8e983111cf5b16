"""Further evidence in the verdict and in the report: loud on a failure only, all of it in one fold."""

from typing import Any

import pytest

from bot.errors import Exit
from bot.pipeline.run import exit_code
from bot.records import Check, Evidence, Launch, Measure, Run, Verdict
from bot.report.alarms import alarms
from bot.report.render import document, render
from bot.report.speech import Speech
from bot.report.story import tell
from bot.report.verdict import conclude
from bot.report.words import catalog
from tests.support.evidences import EVIDENCES, canary, check, launches, not_run, warm_chat
from tests.support.runs import comparison, comparisons, run


def codes(made: Run) -> list[str]:
    return [reason.code for reason in conclude(made).reasons]


def english(*evidence: Evidence, **changes: Any) -> str:
    return render(run(evidence=evidence, **changes), languages=("en",))["report.en.md"]


def fold(text: str) -> str:
    start = text.index("<details><summary>More evidence</summary>")
    return text[start : text.index("</details>", start)]


def above_the_folds(text: str) -> str:
    return text[: text.index("<details>")]


FASTER = comparisons(decode_coding=comparison("decode", "coding", 0.062, "improvement"))


@pytest.mark.parametrize(
    ("outcome", "code"),
    [
        ("hold-canary", "canary_failed"),
        ("hold-warm-chat", "warm_reprocessing"),
        ("hold-evidence-broken", "evidence_broken"),
    ],
)
def test_each_alarm_means_hold_whatever_the_speed(outcome: str, code: str) -> None:
    made = EVIDENCES[outcome]().model_copy(update={"comparisons": FASTER})
    assert conclude(made).code == "hold"
    assert codes(made)[0] == code
    assert "improvement" in codes(made)


def test_quiet_evidence_changes_no_verdict() -> None:
    made = EVIDENCES["optional-evidence"]()
    assert list(alarms(made)) == []
    assert conclude(made) == conclude(made.model_copy(update={"evidence": ()}))


def test_a_failure_on_both_sides_or_on_base_alone_is_no_alarm() -> None:
    both = check("needle", "fail", "fail", "needle")
    base = check("schema", "fail", "pass", "finish:length")
    assert list(alarms(run(evidence=(canary(both, base),)))) == []


def test_lost_functions_are_named_together() -> None:
    lost = [check(name, "pass", "fail", "empty") for name in ("stop", "end")]
    (reason,) = alarms(run(evidence=(canary(*lost),)))
    assert reason.args == {"checks": "stop end", "count": 2}
    text = english(canary(*lost))
    assert ": Hold off for now. b9602 fails where b9556 passes: stop words and ends by itself; same" in text
    assert "b9556 passes and b9602 fails: stop words and ends by itself." in above_the_folds(text)


def test_the_worst_turn_is_named() -> None:
    (reason,) = alarms(run(evidence=(warm_chat(100, 0, 400),)))
    assert reason.args == {"turn": 4, "base_tokens": 0, "head_tokens": 400}


@pytest.mark.parametrize(
    ("made", "alarmed"),
    [
        ((("base", "ok"), ("head", "crashed_serving"), ("head", "crashed_serving")), True),
        ((("base", "ok"), ("head", "crashed_serving"), ("head", "ok")), False),
        ((("base", "ok"), ("head", "crashed_serving")), False),
        ((("base", "hung_serving"), ("head", "hung_serving"), ("head", "hung_serving")), False),
        ((("base", "ok"), ("head", "lost"), ("head", "lost")), False),
    ],
)
def test_a_head_that_broke_twice_where_base_did_not_is_an_alarm(made: Any, alarmed: bool) -> None:
    item = Evidence(kind="slots", launches=launches(*made))
    assert bool(list(alarms(run(evidence=(item,))))) is alarmed


def test_the_log_of_a_server_that_broke_is_shown() -> None:
    wreck = Launch(side="head", slot=1, status="crashed_serving", log_tail="GGML_ASSERT(n > 0) failed")
    text = english(Evidence(kind="canary", launches=(wreck,)))
    assert "<summary>Log of b9602 as it failed</summary>" in text
    assert "GGML_ASSERT(n > 0) failed" in text


def test_quiet_evidence_stands_in_a_fold_and_nowhere_else() -> None:
    text = english(warm_chat(), canary(), not_run("canary"))
    assert above_the_folds(text) == above_the_folds(english())
    assert "| turn 2, processed again · tok | 0 | 0 | = |" in fold(text)
    assert "| tool calls | ✓ | ✓ |  |" in fold(text)
    assert "- There was no time left for it." in fold(text)


def test_without_evidence_there_is_no_fold() -> None:
    assert "More evidence" not in english()


def test_numbers_of_a_row_have_the_same_decimals_and_their_error() -> None:
    item = Measure(
        name="loglik",
        unit="nats",
        base=-2.31441,
        head=-2.3,
        base_error=0.0121,
        head_error=0.012,
        outcome="same",
    )
    rate = Measure(name="pp512", unit="t/s", base=1234.4, head=None)
    found = fold(english(Evidence(kind="likelihood", measures=(item, rate), outcome="same")))
    assert "−2.314\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.012" in found
    assert "−2.300\N{NO-BREAK SPACE}±\N{NO-BREAK SPACE}0.012 | = |" in found
    assert "1234 | – |" in found


def test_names_from_outside_are_code_and_break_no_table() -> None:
    item = Measure(name="tg128 @ d4096|x", base=1.0, head=2.0)
    odd = Check(name="<b>odd", base="pass", head="fail", head_detail="HTTP 400: no | pipe\n<b>")
    text = english(Evidence(kind="llama_bench", label="a|b", measures=(item,), checks=(odd,)))
    assert "`tg128 @ d4096\\|x`" in fold(text)
    assert "&lt;b&gt;odd" in fold(text)


def test_what_both_sides_say_is_said_once() -> None:
    same = fold(english(canary(check("needle", "fail", "fail", "needle"))))
    assert same.count("the fact was not found") == 1
    assert "- fact in a long text · fails · the fact was not found" in same
    two = Check(name="end", base="fail", head="fail", base_detail="empty", head_detail="finish:length")
    apart = fold(english(canary(two)))
    assert "- ends by itself · b9556 · fails · empty answer" in apart
    assert "- ends by itself · b9602 · fails · ended by `length`" in apart


@pytest.mark.parametrize(
    ("outcome", "fail_on", "code"),
    [
        ("hold-canary", "regression", Exit.FOUND),
        ("hold-warm-chat", "regression", Exit.FOUND),
        ("hold-evidence-broken", "regression", Exit.DONE),
        ("hold-evidence-broken", "hold", Exit.FOUND),
        ("optional-evidence", "hold", Exit.DONE),
    ],
)
def test_the_exit_code_knows_these_regressions(outcome: str, fail_on: str, code: Exit) -> None:
    made = EVIDENCES[outcome]()
    concluded: Verdict = conclude(made)
    assert exit_code(made.model_copy(update={"verdict": concluded}), fail_on) == code


def test_a_long_report_drops_the_fold_with_a_word() -> None:
    speech = Speech(tell(EVIDENCES["optional-evidence"]()), (catalog("en"),))
    text = document(speech, budget=4000)
    assert "More evidence" not in text
    assert "more evidence" in text
