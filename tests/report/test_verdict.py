"""The verdict's rules: first match wins, every reason that applies is listed."""

import pytest

from bot.records import Difference, Pair, Reason, Run
from bot.report.verdict import GROUPS, conclude
from tests.support import runs
from tests.support.outcomes import OUTCOMES
from tests.support.runs import comparison, comparisons, memory, run
from tests.support.trials import crashed_once, spilled

EXPECTED = {
    "optional": ("optional", ["within", "memory"]),
    "optional-reservation": ("optional", ["within", "inconclusive"]),
    "optional-trees": ("optional", ["within"]),
    "optional-less-memory": ("optional", ["within", "memory"]),
    "optional-reverts": ("optional", ["within"]),
    "optional-irrelevant": ("optional", ["within"]),
    "upgrade": ("upgrade", ["improvement", "within", "memory"]),
    "upgrade-fix": ("upgrade", ["fix", "within"]),
    "upgrade-newer-trouble": (
        "upgrade",
        ["improvement", "within", "memory", "trouble_change", "trouble_newer"],
    ),
    "upgrade-trouble": (
        "optional",
        ["upstream_trouble", "improvement", "within", "memory", "trouble_newer"],
    ),
    "upgrade-fix-trouble": ("optional", ["upstream_trouble", "fix", "within"]),
    "upgrade-unanswered": ("upgrade", ["improvement", "within", "memory"]),
    "upgrade-rechecked": ("optional", ["reverted_since", "fix", "within"]),
    "hold-regression": ("hold", ["regression", "within", "inconclusive"]),
    "optional-evidence": ("optional", ["within", "memory"]),
    "hold-canary": ("hold", ["canary_failed", "within", "memory"]),
    "hold-likelihood": ("hold", ["canary_failed", "within", "memory"]),
    "hold-leak": ("hold", ["memory_grows", "within", "memory"]),
    "optional-more-evidence": ("optional", ["within", "memory"]),
    "hold-warm-chat": ("hold", ["warm_reprocessing", "within", "memory"]),
    "hold-evidence-broken": ("hold", ["evidence_broken", "within", "memory"]),
    "hold-headroom": ("hold", ["headroom_below_reserve", "within"]),
    "head-broken": ("hold", ["head_broken"]),
    "head-build-failed": ("hold", ["head_build_failed"]),
    "base-build-failed": ("unknown", ["base_build_failed"]),
    "both-build-failed": ("unknown", ["both_build_failed"]),
    "base-broken": ("unknown", ["base_broken"]),
    "both-broken": ("unknown", ["both_broken"]),
    "cannot-tell": ("unknown", ["inconclusive_primary", "cut_short", "within"]),
    "cannot-tell-single-runs": ("unknown", ["inconclusive_primary", "cut_short", "inconclusive", "memory"]),
    "cannot-tell-too-close": ("unknown", ["inconclusive_primary", "within"]),
    "cannot-tell-noisy": ("unknown", ["inconclusive_primary", "within"]),
    "cannot-tell-unmeasured": ("unknown", ["inconclusive_primary", "cut_short", "within"]),
    "not-comparable": ("unknown", ["not_comparable"]),
    "sources-differ": ("unknown", ["sources_differ", "memory"]),
    "unstable": ("unknown", ["environment_unstable"]),
    "nothing-measured": ("unknown", ["nothing_measured"]),
    "quick": ("optional", ["within"]),
    "demo": ("optional", ["within"]),
    "self-test-passed": ("optional", ["within"]),
    "self-test-found": ("unknown", ["regression", "within"]),
    "self-test-open": ("unknown", ["inconclusive_primary", "within"]),
    "self-test-before": ("optional", ["within"]),
    "cannot-resolve": ("unknown", ["self_test_failed", "within"]),
    "false-alarm": ("unknown", ["self_test_alarm", "within"]),
    "cannot-resolve-aside": ("optional", ["within"]),
    "optional-proven": ("optional", ["within", "memory"]),
    "hold-headroom-proven": ("hold", ["headroom_below_reserve", "within"]),
    "optional-broke-once": ("optional", ["head_broke_once", "within"]),
    "optional-faster-broke-once": ("optional", ["head_broke_once", "improvement", "within"]),
    "optional-base-broke-once": ("optional", ["base_broke_once", "within"]),
    "spilled": ("unknown", ["spilled"]),
    "spilled-both": ("unknown", ["spilled"]),
    "stopped-after-crash": ("hold", ["head_broken"]),
}


def codes(item: Run) -> list[str]:
    return list(dict.fromkeys(reason.code for reason in conclude(item).reasons))


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_each_outcome_has_its_verdict_and_reasons(outcome: str) -> None:
    verdict, reasons = EXPECTED[outcome]
    assert conclude(OUTCOMES[outcome]()).code == verdict
    assert codes(OUTCOMES[outcome]()) == reasons


def test_every_code_is_reached_by_some_outcome() -> None:
    reached = {code for outcome in OUTCOMES.values() for code in codes(outcome())}
    assert {code for group in GROUPS.values() for code in group} - reached == set()


def test_a_failed_self_test_of_this_machine_leaves_no_verdict() -> None:
    item = run(notes=(Reason(code="self_test_failed", args={"metrics": "decode:coding"}),))
    assert conclude(item).code == "unknown"


def test_a_regression_wins_over_an_improvement_and_an_open_primary_metric() -> None:
    item = run(
        comparisons=comparisons(
            prefill_coding=comparison("prefill", "coding", -0.06, "regression"),
            prefill_document=comparison("prefill", "document", 0.06, "improvement"),
            decode_coding=comparison("decode", "coding", -0.02, "inconclusive"),
        )
    )
    assert conclude(item).code == "hold"
    assert codes(item)[:4] == ["regression", "inconclusive_primary", "cut_short", "improvement"]


def test_an_open_metric_that_is_not_primary_is_a_reservation_only() -> None:
    item = run(comparisons=comparisons(ttft_chat=comparison("ttft", "chat", 0.05, "inconclusive")))
    assert conclude(item).code == "optional"


def test_differences_that_block_take_the_numbers_out_of_the_verdict() -> None:
    blocked = OUTCOMES["not-comparable"]().differences
    slower = comparisons(decode_coding=comparison("decode", "coding", -0.06, "regression"))
    assert codes(run(differences=blocked, comparisons=slower, memory=memory(15000, 16200))) == [
        "not_comparable"
    ]


def test_differences_that_do_not_block_change_nothing() -> None:
    item = OUTCOMES["not-comparable"]().differences[1]
    assert conclude(run(differences=(item,))).code == "optional"


@pytest.mark.parametrize(
    ("base", "head", "verdict"),
    [
        (15535.0, 16010.0, "hold"),  # fell, and 293 MiB are left
        (15535.0, 15990.0, "optional"),  # fell, 313 MiB are left
        (16010.0, 16040.0, "optional"),  # below the reserve, but within the tolerance
        (16200.0, 16100.0, "optional"),  # below the reserve, but better than before
    ],
)
def test_headroom_holds_only_when_it_fell_below_the_reserve(base: float, head: float, verdict: str) -> None:
    assert conclude(run(memory=memory(base, head))).code == verdict


def test_host_memory_has_no_reserve() -> None:
    assert conclude(run(memory=runs.host_memory(812, 5200))).code == "optional"


def test_a_crash_among_good_launches_is_news_and_a_second_one_a_reason_to_hold() -> None:
    once = run(rounds=crashed_once())
    assert [reason.model_dump() for reason in conclude(once).reasons[:1]] == [
        {
            "code": "head_broke_once",
            "args": {"status": "crashed_serving", "broken": 1, "launches": 7, "again": True},
        }
    ]
    crashed = runs.rounds(1, head=runs.CRASH)[0].model_copy(update={"index": 6})
    twice = run(rounds=(*crashed_once(), crashed))
    reason = conclude(twice).reasons[0]
    assert (conclude(twice).code, reason.code) == ("hold", "head_broken")
    assert reason.args == {"status": "crashed_serving", "broken": 2, "launches": 8}


def test_a_crash_that_was_not_measured_again_is_not_said_to_be_gone() -> None:
    crashed = runs.rounds(1, head=runs.CRASH)[0].model_copy(update={"index": 6})
    assert conclude(run(rounds=(*runs.rounds(6), crashed))).reasons[0].args["again"] is False


def test_no_upgrade_to_a_build_that_crashed_though_a_crash_of_the_base_is_none_against_it() -> None:
    faster = comparisons(decode_coding=comparison("decode", "coding", 0.05, "improvement"))
    assert conclude(run(comparisons=faster, rounds=crashed_once())).code == "optional"
    assert conclude(run(comparisons=faster, rounds=crashed_once("base"))).code == "upgrade"


def test_one_crash_of_each_side_is_said_of_both() -> None:
    both = (*crashed_once("base"), *crashed_once("head")[2:])
    assert codes(run(rounds=both))[:2] == ["head_broke_once", "base_broke_once"]
    again = runs.rounds(1, head=runs.CRASH)[0].model_copy(update={"index": 6})
    assert codes(run(rounds=(*both, again)))[0] == "both_broken"


def test_a_spill_is_said_before_any_other_difference_that_blocks() -> None:
    other = Difference(name="total_slots", base="1", head="4", blocks=True)
    found = spilled("0 MiB", "1213 MiB")
    item = found.model_copy(update={"differences": (other, *found.differences)})
    assert codes(item) == ["spilled", "not_comparable"]
    assert conclude(item).reasons[0].args == {"where": "head", "base": "0 MiB", "head": "1213 MiB"}


def test_a_crash_that_a_guard_explains_says_nothing_of_the_build() -> None:
    disturbed = runs.rounds(1, head=runs.CRASH | {"invalid": "foreign_process"})[0]
    assert conclude(run(rounds=(*runs.rounds(6), disturbed))).code == "optional"


def test_a_machine_failure_is_never_a_hold() -> None:
    item = runs.unmeasured(rounds=runs.rounds(1, head={"status": "no_space", "samples": ()}))
    assert conclude(item) == conclude(item).model_copy(update={"code": "unknown"})
    assert conclude(item).reasons[0].args == {"status": "no_space", "side": "head", "named": True}


def test_nothing_on_the_gpu_is_told_before_a_busy_machine_and_of_the_side_it_befell() -> None:
    busy, fallen = {"invalid": "host_busy"}, {"invalid": "cpu_fallback"}
    item = runs.unmeasured(rounds=runs.rounds(1, base=busy, head=fallen))
    assert conclude(item).reasons[0].args == {"status": "cpu_fallback", "side": "head", "named": True}
    both = runs.unmeasured(rounds=runs.rounds(1, base=fallen, head=fallen))
    assert conclude(both).reasons[0].args["named"] is False


def test_comparisons_without_a_primary_metric_cannot_tell() -> None:
    open_ = comparisons()[0].model_copy(update={"primary": False})
    assert conclude(run(comparisons=(open_,))).code == "unknown"


def test_a_full_run_with_an_open_metric_was_not_cut_short() -> None:
    item = OUTCOMES["cannot-tell-too-close"]()
    assert "cut_short" not in codes(item)


def test_a_self_test_recommends_nothing() -> None:
    faster = comparisons(decode_coding=comparison("decode", "coding", 0.05, "improvement"))
    item = run(pair=Pair(base=runs.HEAD, head=runs.HEAD), comparisons=faster)
    assert conclude(item).code == "unknown"
