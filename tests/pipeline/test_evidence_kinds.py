"""What the two default kinds make of their launches' answers, and how they spend launches."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from bot.bench.prompts import TokenizedText
from bot.bench.runner import Answered
from bot.pipeline.evidence import launching, texts
from bot.pipeline.evidence.canary import Result, canary, confirmed
from bot.pipeline.evidence.desk import Desk
from bot.pipeline.evidence.launching import pace
from bot.pipeline.evidence.warm_chat import compared, warm_chat
from bot.records import SIDES, Evidence, GpuTrace, Launch, Reason, Round, ServerFacts
from bot.report.alarms import alarms
from tests.support import facts
from tests.support.runs import run

Json = dict[str, Any]
ALL = ("tools", "schema", "reasoning", "stop", "needle", "end")
PASSED = ["pass", ""]


def turns(*counts: tuple[int, int], ttft: float = 10.0) -> list[Json]:
    """Turns by (total, cached)."""
    return [
        {"total": total, "cached": cached, "processed": total - cached, "ttft_ms": ttft}
        for total, cached in counts
    ]


GOOD = ((1000, 0), (1040, 1000), (1080, 1040), (1120, 1080))
FULL = ((1000, 0), (1040, 12), (1080, 12), (1120, 12))


def values(base: Any, head: Any) -> dict[str, tuple[float | None, float | None, str]]:
    return {item.name: (item.base, item.head, item.outcome) for item in compared(base, head)}


def test_a_full_reprocess_in_each_turn_is_worse() -> None:
    found = values([turns(*GOOD)] * 2, [turns(*FULL, ttft=900.0)] * 2)
    assert found["reprocessed:2"] == (0, 988, "worse")
    assert found["reprocessed:4"] == (0, 1068, "worse")
    assert found["cached:3"] == (1040, 12, "unjudged")
    assert found["warm_ttft:2"] == (10.0, 900.0, "worse")


def test_less_reprocessing_is_better() -> None:
    assert values([turns(*FULL)], [turns(*GOOD)])["reprocessed:2"] == (988, 0, "better")


def test_what_both_process_again_is_no_news() -> None:
    assert values([turns(*FULL)], [turns(*FULL)])["reprocessed:2"] == (988, 988, "same")


@pytest.mark.parametrize(("tokens", "outcome"), [(32, "same"), (33, "worse")])
def test_a_few_tokens_of_the_template_are_none(tokens: int, outcome: str) -> None:
    head = ((1000, 0), (1040, 1000 - tokens))
    assert values([turns(*GOOD[:2])], [turns(*head)])["reprocessed:2"] == (0, tokens, outcome)


def test_one_launch_of_head_that_kept_its_cache_acquits_it() -> None:
    assert values([turns(*GOOD)] * 2, [turns(*FULL), turns(*GOOD)])["reprocessed:2"] == (0, 0, "same")


def test_ttft_alone_is_never_judged() -> None:
    found = values([turns(*GOOD)], [turns(*GOOD, ttft=5000.0)])
    assert found["warm_ttft:2"] == (10.0, 5000.0, "unjudged")


def test_a_prompt_that_tokenizes_longer_is_not_reprocessing() -> None:
    longer = ((1200, 0), (1250, 1200))
    assert values([turns(*GOOD[:2])], [turns(*longer)])["reprocessed:2"] == (0, 0, "same")


def test_turns_that_one_side_did_not_reach_are_not_compared() -> None:
    assert set(values([turns(*GOOD)], [turns(*GOOD[:2])])) == {"reprocessed:2", "cached:2", "warm_ttft:2"}


FAILED: Result = ("fail", "needle")
OTHER: Result = ("fail", "empty")


@pytest.mark.parametrize(
    ("again", "other", "result"),
    [
        (FAILED, FAILED, FAILED),
        (FAILED, OTHER, FAILED),
        (FAILED, ("pass", ""), ("pass", "wavering")),
        (("pass", ""), FAILED, ("pass", "wavering")),
        (("not_run", ""), FAILED, ("pass", "wavering")),
        (FAILED, ("not_run", ""), ("pass", "wavering")),
        (("unsupported", "HTTP 400"), ("unsupported", "HTTP 400"), FAILED),
    ],
)
def test_a_failure_counts_when_it_stands_in_the_same_words_and_in_others(
    again: Any, other: Any, result: Any
) -> None:
    assert confirmed(FAILED, again, other) == result


def desk(budget: float = 900.0) -> Desk:
    """A desk whose runs answer fast; `left_s` is the budget throughout."""
    pair = tuple(facts.launch(side, slot) for slot, side in enumerate(SIDES))
    text = SimpleNamespace(name="chat", text=lambda: "a word " * 500)
    context: Any = SimpleNamespace(profile=SimpleNamespace(scenarios=(text,)), backend="cpu", device=None)
    made = run(warmup=Round(index=0, order="AB", launches=pair))
    tokens = {"chat": TokenizedText(tuple(range(1000)), (1,))}
    return _Frozen(context, made, tokens, budget)


class _Frozen(Desk):
    """A desk at which no time passes."""

    @property
    def left_s(self) -> float:
        return self.deadline


Script = Callable[[str, int, tuple[Json, ...]], tuple[str, dict[str, Json]]]


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Callable[[Script], list[tuple[str, tuple[Json, ...]]]]:
    """Launches answered by a script: (side, how many of it came before, errands) -> status, answers."""

    def install(script: Script) -> list[tuple[str, tuple[Json, ...]]]:
        made: list[tuple[str, tuple[Json, ...]]] = []

        def run_errands(request: Any, *, side: Any, slot: int) -> Answered:
            before = sum(1 for item in made if item[0] == side)
            made.append((side, request.errands))
            status, extras = script(side, before, request.errands)
            told = status if isinstance(status, dict) else {"status": status}
            launch = Launch.model_validate({"side": side, "slot": slot, **told})
            return Answered(launch, extras)

        monkeypatch.setattr(launching, "run_errands", run_errands)
        monkeypatch.setattr(launching, "launch_limit_s", lambda _: 100.0)
        monkeypatch.setattr(launching, "request_for", lambda *_, **__: _Request())
        monkeypatch.setattr(launching, "replace", lambda _, errands, deadline_s: _Request(errands))
        return made

    return install


class _Request:
    def __init__(self, errands: tuple[Json, ...] = ()) -> None:
        self.errands = errands
        self.folder = None
        self.timeouts = {"request_s": 60.0}


def only(found: Any) -> Evidence:
    (item,) = found
    assert isinstance(item, Evidence)
    return item


def test_the_chat_runs_twice_on_each_side_in_balanced_order(launched: Any) -> None:
    made = launched(lambda *_: ("ok", {"chat": {"turns": turns(*GOOD)}}))
    found = only(warm_chat(desk()))
    assert [side for side, _ in made] == ["base", "head", "head", "base"]
    assert found.outcome == "same"
    assert len(found.launches) == 4
    said = [turn["user"] for turn in made[0][1][0]["turns"]]
    assert len(said) == 4
    assert len(said[0]) > 20 * len(said[1])
    assert made[0][1] == made[1][1]


def test_a_short_budget_runs_the_chat_once_on_each_side(launched: Any) -> None:
    made = launched(lambda *_: ("ok", {"chat": {"turns": turns(*GOOD)}}))

    class Slow(_Frozen):
        @property
        def left_s(self) -> float:
            return 100.0 - 60.0 * len(made)

    short = desk()
    only(warm_chat(Slow(short.context, short.run, short.tokens, 100.0)))
    assert [side for side, _ in made] == ["base", "head"]


def test_without_room_in_the_budget_no_server_is_started(launched: Any) -> None:
    made = launched(lambda *_: ("ok", {}))
    for gatherer in (warm_chat, canary):
        found = only(gatherer(desk(budget=0.01)))
        assert (found.outcome, found.why) == ("not_run", Reason(code="evidence_budget"))
    assert made == []


def test_a_broken_head_is_started_once_more_and_then_named(launched: Any) -> None:
    def script(side: str, *_: Any) -> Any:
        return ("ok", {"chat": {"turns": turns(*GOOD)}}) if side == "base" else ("crashed_serving", {})

    made = launched(script)
    found = only(warm_chat(desk()))
    assert [side for side, _ in made] == ["base", "head", "head"]
    assert found.outcome == "worse"
    args = {"side": "head", "status": "crashed_serving"}
    assert found.why == Reason(code="evidence_server_broke", args=args)


def test_a_server_that_breaks_once_is_measured_again(launched: Any) -> None:
    def script(side: str, before: int, *_: Any) -> Any:
        well = ("ok", {"chat": {"turns": turns(*GOOD)}})
        return ("crashed_serving", {}) if side == "head" and before == 0 else well

    launched(script)
    found = only(warm_chat(desk()))
    assert (found.outcome, found.why) == ("same", None)


def test_a_head_that_a_stranger_on_the_gpu_starved_is_no_finding(launched: Any) -> None:
    stranger = GpuTrace(id="g0", total_mib=8000, baseline_mib=0, peak_mib=1, foreign_before=1)

    def script(side: str, *_: Any) -> Any:
        well = ("ok", {"chat": {"turns": turns(*GOOD)}})
        return well if side == "base" else ({"status": "out_of_memory", "gpus": (stranger,)}, {})

    made = launched(script)
    found = only(warm_chat(desk()))
    assert [side for side, _ in made] == ["base", "head", "head"]
    assert [item.invalid for item in found.launches] == [None, "foreign_process", "foreign_process"]
    assert found.outcome == "unjudged"
    assert found.why is not None
    assert found.why.code == "evidence_server_broke"
    assert not [*alarms(desk().run.model_copy(update={"evidence": (found,)}))]


def test_a_launch_for_evidence_may_take_its_own_time_and_what_is_left_of_the_budget(
    launched: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []
    launched(lambda *_: ("ok", {"chat": {"turns": turns(*GOOD)}}))
    made = launching.replace

    def limited(request: Any, *, errands: Any, deadline_s: float) -> Any:
        limits.append(deadline_s)
        return made(request, errands=errands, deadline_s=deadline_s)

    monkeypatch.setattr(launching, "replace", limited)
    only(warm_chat(desk(budget=200.0)))
    assert limits == [300.0] * 4


def test_a_refused_turn_is_said(launched: Any) -> None:
    answer = {"chat": {"turns": turns(*GOOD[:1]), "refused": "HTTP 400: too long"}}
    launched(lambda *_: ("ok", answer))
    found = only(warm_chat(desk()))
    assert found.outcome == "unjudged"
    assert found.why == Reason(code="evidence_refused", args={"side": "base", "said": "HTTP 400: too long"})


def checks(**changed: list[str]) -> Json:
    return {"checks": {name: changed.get(name, PASSED) for name in ALL}}


def test_two_launches_are_enough_where_nothing_fails(launched: Any) -> None:
    made = launched(lambda *_: ("ok", {"canary-0": checks(), "greedy": {"tokens": [1, 2, 3]}}))
    found = only(canary(desk()))
    assert [side for side, _ in made] == ["base", "head"]
    assert found.outcome == "same"
    assert found.notes == (Reason(code="greedy_same", args={"tokens": 3}),)


def test_a_failure_on_both_sides_is_recorded_and_not_asked_again(launched: Any) -> None:
    made = launched(lambda *_: ("ok", {"canary-0": checks(needle=["fail", "needle"])}))
    found = only(canary(desk()))
    assert len(made) == 2
    assert found.outcome == "same"
    assert found.new_failures == ()
    assert {item.name: (item.base, item.head) for item in found.checks}["needle"] == ("fail", "fail")


def test_a_new_failure_is_asked_again_in_both_wordings(launched: Any) -> None:
    def script(side: str, *_: Any) -> Any:
        broken = checks(schema=["unsupported", "HTTP 400: no"]) if side == "head" else checks()
        return "ok", {"canary-0": broken, "canary-1": broken}

    made = launched(script)
    found = only(canary(desk()))
    asked = [(side, [(item["checks"], item["wording"]) for item in errands]) for side, errands in made[2:]]
    assert asked == [("head", [(["schema"], 0), (["schema"], 1)])]
    assert [item.name for item in found.new_failures] == ["schema"]
    assert found.new_failures[0].head_detail == "HTTP 400: no"
    assert found.outcome == "worse"


def test_a_failure_that_does_not_stand_is_a_pass_with_a_word(launched: Any) -> None:
    def script(side: str, before: int, *_: Any) -> Any:
        failed = checks(end=["fail", "empty"]) if side == "head" and before == 0 else checks()
        return "ok", {"canary-0": failed, "canary-1": checks()}

    launched(script)
    found = only(canary(desk()))
    end = found.checks[-1]
    assert (end.head, end.head_detail, found.outcome) == ("pass", "wavering", "same")


def test_checks_that_a_dying_head_did_not_reach_are_not_run(launched: Any) -> None:
    def script(side: str, *_: Any) -> Any:
        if side == "base":
            return "ok", {"canary-0": checks()}
        return "crashed_serving", {"canary-0": {"checks": {"tools": PASSED}}}

    made = launched(script)
    found = only(canary(desk()))
    assert [side for side, _ in made] == ["base", "head", "head"]
    assert [item.head for item in found.checks] == ["pass", *["not_run"] * 5]
    assert found.why == Reason(
        code="evidence_server_broke", args={"side": "head", "status": "crashed_serving"}
    )


@pytest.mark.parametrize(
    ("base", "head", "notes"),
    [
        ([1, 2, 3, 4], [1, 2, 9, 4], (Reason(code="greedy_parts", args={"token": 3, "tokens": 4}),)),
        ([1, 2], [1, 2, 3], (Reason(code="greedy_parts", args={"token": 3, "tokens": 3}),)),
        ([], [1, 2], ()),
    ],
)
def test_where_greedy_answers_part_is_a_note(
    launched: Any, base: list[int], head: list[int], notes: tuple[Reason, ...]
) -> None:
    def script(side: str, *_: Any) -> Any:
        tokens = base if side == "base" else head
        return "ok", {"canary-0": checks(), "greedy": {"tokens": tokens}}

    launched(script)
    found = only(canary(desk()))
    assert (found.outcome, found.notes) == ("same", notes)


def test_the_pace_is_the_slower_sides() -> None:
    made = desk().run
    assert made.warmup is not None
    base, head = made.warmup.launches
    slow = tuple(item.model_copy(update={"prompt_ms": item.prompt_ms * 4}) for item in head.samples)
    pair = Round(index=0, order="AB", launches=(base, head.model_copy(update={"samples": slow})))
    assert pace(made.model_copy(update={"warmup": pair})).prefill == pytest.approx(slow[0].prefill)


def test_a_profile_whose_answers_are_one_token_has_a_pace() -> None:
    made = desk().run
    assert made.warmup is not None
    short = tuple(
        item.model_copy(
            update={
                "samples": tuple(one.model_copy(update={"predicted_n": 1}) for one in item.samples),
            }
        )
        for item in made.warmup.launches
    )
    found = pace(made.model_copy(update={"warmup": Round(index=0, order="AB", launches=short)}))
    assert found.decode == pytest.approx(found.prefill / 50)


def test_a_long_text_is_cut_or_repeated_to_about_so_many_tokens() -> None:
    assert len(texts.long_text(desk(), 100)) == 350
    assert len(texts.long_text(desk(), 3000)) == 10500


def test_the_context_is_the_smaller_sides_or_a_modest_guess() -> None:
    made = run()
    assert texts.context_tokens(made) == 98304
    small = tuple(with_context(launch, 4096) for launch in made.rounds[1].launches)
    smaller = made.rounds[1].model_copy(update={"launches": small})
    assert texts.context_tokens(made.model_copy(update={"rounds": (made.rounds[0], smaller)})) == 4096
    assert texts.context_tokens(run(rounds=(), warmup=None)) == 2048


def with_context(launch: Launch, tokens: int) -> Launch:
    return launch.model_copy(update={"facts": ServerFacts(props={"n_ctx": tokens})})
