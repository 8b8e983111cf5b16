"""What the kinds that a profile asks for make of launches, and how they spend them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.bench.conditions import parse_help
from bot.bench.prompts import TokenizedText
from bot.bench.runner import Answered
from bot.bench.tool import ToolEnd
from bot.pipeline.evidence import energy, leak, likelihood, load, slots, tools, variants
from bot.pipeline.evidence.depths import room_for
from bot.pipeline.evidence.desk import Desk
from bot.pipeline.evidence.pairs import breakage, in_turns
from bot.records import SIDES, Evidence, GpuTrace, Launch, MemoryTrace, Reason, Round, Run, ServerFacts, Side
from bot.stats.variants import acceptance, measures
from tests.support import facts

Json = dict[str, Any]


class _Frozen(Desk):
    """A desk at which no time passes: `deadline` is what is left."""

    @property
    def left_s(self) -> float:
        return self.deadline


def desk(run: Run | None = None, *, budget: float = 900.0, **profile: Any) -> Desk:
    context: Any = SimpleNamespace(
        profile=SimpleNamespace(model="m.gguf", **profile),
        backend="cpu",
        threads=2,
        device=None,
        reporter=SimpleNamespace(say=lambda *_args, **_more: None),
    )
    return _Frozen(context, run or facts.run(), {"coding": TokenizedText(tuple(range(3, 900)), (1,))}, budget)


def rounds(**changes: Any) -> tuple[Round, ...]:
    return tuple(
        facts.round_of(
            index,
            launches=tuple(
                facts.launch(side, 2 * index + place, **{k: v[side] for k, v in changes.items()})
                for place, side in enumerate(SIDES)
            ),
        )
        for index in range(4)
    )


def one(found: Iterator[Evidence]) -> Evidence:
    (item,) = found
    return item


# --- load and energy: from what was measured anyway


def test_load_time_is_the_median_of_the_rounds() -> None:
    made = rounds(seconds={"base": {"load": 4.0, "total": 9.0}, "head": {"load": 5.0, "total": 9.0}})
    slow = made[0].model_copy(
        update={
            "launches": tuple(
                item.model_copy(update={"seconds": {"load": 60.0}}) for item in made[0].launches
            )
        }
    )
    found = one(load.gather(desk(facts.run(rounds=(slow, *made[1:]), warmup=slow))))
    (measure,) = found.measures
    assert (measure.base, measure.head, measure.outcome) == (4.0, 5.0, "unjudged")
    assert measure.base_error == pytest.approx(1.2533 * 28 / 2, rel=1e-3)  # its scatter is not hidden


def test_no_launch_that_tells_is_said() -> None:
    assert one(load.gather(desk())).outcome == "not_run"


def gpus(*joules: float | None) -> tuple[GpuTrace, ...]:
    return tuple(
        GpuTrace(id=f"g{place}", total_mib=8000, baseline_mib=0, peak_mib=1, energy_j=each)
        for place, each in enumerate(joules)
    )


def test_energy_is_all_gpus_over_all_tokens() -> None:
    tokens = 3 * (160 + 64)
    made = rounds(gpus={"base": gpus(tokens * 1.0, tokens * 0.5), "head": gpus(tokens * 1.0, tokens * 1.0)})
    (measure,) = one(energy.gather(desk(facts.run(rounds=made)))).measures
    assert (measure.base, measure.head) == (1.5, 2.0)


@pytest.mark.parametrize("traces", [(), gpus(None), gpus(100.0, None)])
def test_energy_without_every_counter_is_not_told(traces: tuple[GpuTrace, ...]) -> None:
    made = rounds(gpus={"base": traces, "head": traces})
    found = one(energy.gather(desk(facts.run(rounds=made))))
    assert (found.outcome, found.measures) == ("not_run", ())


# --- depths: what fits into memory


def fitting(**memory: float) -> Run:
    """16 KiB of KV cache per token, a context of 2048, and so much used of 8000 MiB."""
    told = ServerFacts(props={"n_ctx": 2048}, buffers={"CUDA0.KV": 32.0})
    traces = {
        side: (
            MemoryTrace(
                source="nvml",
                total_mib=8000,
                baseline_mib=0,
                loaded_mib=used,
                peak_mib=used,
                min_free_mib=8000 - used,
            ),
        )
        for side, used in memory.items()
    }
    return facts.run(rounds=rounds(memory=traces, facts={"base": told, "head": told}))


@pytest.mark.parametrize(
    ("base", "head", "tokens", "fits"),
    [
        (7900, 7900, 2048, True),  # no more than the servers had
        (7900, 7900, 2048 + 6400, True),  # 100 MiB at 16 KiB
        (7900, 7900, 2048 + 6500, False),
        (7000, 7990, 2048 + 6400, False),  # on both sides, or on neither
    ],
)
def test_a_depth_must_fit_beside_the_model_on_both_sides(
    base: float, head: float, tokens: int, fits: bool
) -> None:
    assert room_for(fitting(base=base, head=head), tokens) is fits


def test_what_nobody_knows_is_tried() -> None:
    assert room_for(facts.run(), 10**6)
    assert room_for(facts.run(rounds=rounds()), 10**6)


# --- turns


def launches(*statuses: tuple[Side, str]) -> list[Launch]:
    return [
        facts.launch(side, slot, status=status, detail="said" if status != "ok" else "")  # type: ignore[arg-type]
        for slot, (side, status) in enumerate(statuses)
    ]


def test_sides_take_turns_in_balanced_order_and_each_slot_is_used_once() -> None:
    made: list[tuple[Side, int]] = []

    def launch(side: Side, slot: int) -> Launch:
        made.append((side, slot))
        return facts.launch(side, slot)

    pairs = list(in_turns(desk(), launch))
    assert len(pairs) == 2
    assert [slot for _, slot in made] == [0, 1, 2, 3]
    assert sorted(side for side, _ in made[:2]) == sorted(side for side, _ in made[2:]) == ["base", "head"]


def test_a_second_round_that_does_not_fit_is_not_begun() -> None:
    def launch(side: Side, slot: int) -> Launch:
        return facts.launch(side, slot, seconds={"process": 30.0})

    assert len(list(in_turns(desk(budget=59.0), launch))) == 1
    assert len(list(in_turns(desk(budget=61.0), launch))) == 2


def test_a_first_round_that_does_not_fit_is_not_begun() -> None:
    pair = tuple(facts.launch(side, slot, seconds={"process": 30.0}) for slot, side in enumerate(SIDES))
    made = facts.run(warmup=Round(index=0, order="AB", launches=pair))
    assert list(in_turns(desk(made, budget=59.0), facts.launch)) == []
    assert len(list(in_turns(desk(made, budget=61.0), facts.launch))) == 2
    for gatherer in (leak, slots):
        found = one(gatherer.gather(desk(made, budget=59.0)))
        assert (found.outcome, found.why) == ("not_run", Reason(code="evidence_budget"))


def test_what_broke_is_said_once_for_each_side() -> None:
    found = list(breakage(launches(("base", "ok"), ("head", "crashed_serving"), ("head", "crashed_serving"))))
    assert [dict(note.args) for note in found] == [
        {"side": "head", "status": "crashed_serving", "log_line": "said"}
    ]


# --- variants


def test_without_variants_the_profile_is_told() -> None:
    found = one(variants.gather(desk(variants={})))
    assert found.why is not None
    assert (found.outcome, found.why.code) == ("not_run", "variant_none")


def test_the_telling_scenarios_are_the_longest_prompt_and_decode() -> None:
    wide = facts.profile(
        facts.CHAT, facts.CODING, facts.CHAT.model_copy(update={"name": "long", "prompt_tokens": 900})
    )
    assert [item.name for item in variants._telling(wide)] == ["coding", "long"]


def drafted(side: Side, slot: int, counts: tuple[int, int]) -> Launch:
    sample = facts.sample(
        facts.CODING, prefill=500, decode=50, ttft_ms=1, draft_n=counts[0], draft_n_accepted=counts[1]
    )
    return facts.launch(side, slot, samples=(sample, sample))


def test_acceptance_is_the_share_of_all_drafted_tokens() -> None:
    assert acceptance(drafted("head", 0, (40, 26))) == 0.65
    assert acceptance(facts.launch("head", 0)) is None
    both = [drafted("base", 0, (40, 30)), drafted("head", 1, (40, 10))]
    found = {item.name: (item.base, item.head) for item in measures(both, facts.profile())}
    assert found["acceptance"] == (0.75, 0.25)
    assert found["decode"] == pytest.approx((50.0, 50.0))


def test_a_launch_that_broke_gives_no_numbers() -> None:
    found = measures(launches(("base", "ok"), ("head", "crashed_serving")), facts.profile())
    assert {item.name: item.head for item in found} == {"prefill": None, "decode": None}


# --- slots


def test_streams_that_the_context_cannot_hold_are_not_started() -> None:
    tight = facts.run(
        rounds=rounds(facts={side: ServerFacts(props={"n_ctx": 384}) for side in ("base", "head")})
    )
    found = one(slots.gather(desk(tight)))
    assert found.why is not None
    assert (found.why.code, found.why.args) == ("slots_no_room", {"streams": 4})


# --- leaks


def held(side: Side, slot: int, *, kib: float, points: tuple[tuple[float, float], ...] = ()) -> Answered:
    """A server that keeps so many KiB of each of 80 requests, a second apart."""
    trace = MemoryTrace(
        source="nvml", total_mib=1, baseline_mib=0, loaded_mib=0, peak_mib=0, min_free_mib=0, points=points
    )
    after = [[float(number), 500 + number * kib / 1024] for number in range(80)]
    made = facts.launch(side, slot, memory=(trace,) if points else ())
    return Answered(made, {"leak": {"after": after}})


def leaking(monkeypatch: pytest.MonkeyPatch, *heads: float) -> Evidence:
    """Evidence where head keeps so many KiB in each of its launches, base none."""
    left = iter(heads)

    def once(_desk: Desk, _run: Run, _name: str, *, side: Side, slot: int, **_more: Any) -> Answered:
        return held(side, slot, kib=next(left) if side == "head" else 0.0)

    monkeypatch.setattr(leak, "once", once)
    return one(leak.gather(desk()))


def test_a_leak_that_is_seen_twice_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    found = leaking(monkeypatch, 64.0, 64.0)
    assert found.outcome == "worse"
    assert found.measures[0].head == pytest.approx(6.25)
    assert len(found.launches) == 4


def test_growth_that_is_seen_once_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert leaking(monkeypatch, 64.0, 0.0).outcome == "same"


def test_calm_servers_are_started_once(monkeypatch: pytest.MonkeyPatch) -> None:
    found = leaking(monkeypatch, 0.0)
    assert (found.outcome, len(found.launches)) == ("same", 2)


def test_gpu_memory_is_what_the_sampler_saw_last() -> None:
    answered = held("head", 0, kib=0, points=((0.0, 100.0), (1.5, 140.0), (60.0, 200.0)))
    vram = leak._held(answered)["vram"]
    assert [vram[number] for number in (0, 1, 2, 59, 60, 79)] == [100.0, 100.0, 140.0, 140.0, 200.0, 200.0]


# --- likelihood


def printed(*running: float, status: str = "ok") -> ToolEnd:
    chunks = "".join(f"[{place}]{value:.4f}," for place, value in enumerate(running, 1))
    final = f"Final estimate: PPL = {running[-1]:.4f} +/- 0.0500" if running else ""
    return ToolEnd(
        f"{chunks}\n", f"{final}\n", 3.0, status, "" if status == "ok" else "GGML_ASSERT(x) failed"
    )


def judged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, base: ToolEnd, *heads: ToolEnd) -> Evidence:
    """Evidence of base and head, whose program ends so each time that it is started."""
    left = iter((base, *heads))
    monkeypatch.setattr(likelihood, "_is_built", lambda _desk, _side: True)
    monkeypatch.setattr(likelihood, "_run", lambda _desk, _side, _passage: next(left))
    place: Any = desk()
    place.context.folder = SimpleNamespace(path=tmp_path)
    return one(likelihood.gather(place))


Judge = Callable[..., Evidence]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Judge:
    return lambda *ends: judged(monkeypatch, tmp_path, *ends)


def test_equal_perplexity_is_no_difference(judge: Judge) -> None:
    found = judge(printed(6.1, 6.4), printed(6.1, 6.4))
    assert (found.outcome, found.checks) == ("same", ())


def test_a_steady_difference_is_recorded_and_fails_nothing(judge: Judge) -> None:
    found = judge(printed(6.0, 6.0, 6.0), printed(6.1, 6.1, 6.1))
    assert (found.outcome, found.measures[0].outcome, found.checks) == ("worse", "worse", ())
    assert found.notes[0].args["delta"] == pytest.approx(0.1 / 6)


def test_half_as_much_again_is_a_failure_that_must_repeat(judge: Judge) -> None:
    found = judge(printed(6.0, 6.0), printed(9.1, 9.1), printed(9.1, 9.1))
    assert [check.name for check in found.new_failures] == ["likelihood"]
    assert judge(printed(6.0, 6.0), printed(9.1, 9.1), printed(6.0, 6.0)).outcome == "same"


def test_a_crash_that_repeats_is_a_failure_of_head_alone(judge: Judge) -> None:
    crashed = printed(status="crashed")
    found = judge(printed(6.0, 6.0), crashed, crashed)
    (check,) = found.new_failures
    assert check.head_detail == "GGML_ASSERT(x) failed"
    assert judge(crashed, crashed).new_failures == ()
    assert judge(crashed, printed(6.0, 6.0)).new_failures == ()


def test_output_that_never_came_whole_is_no_failure(judge: Judge) -> None:
    found = judge(printed(6.0, 6.0), printed())
    assert found.new_failures == ()
    assert (found.outcome, found.checks[0].head) == ("unjudged", "not_run")


def test_output_that_is_not_whole_is_asked_for_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ends = [printed(), printed(), printed(6.0, 6.0), printed(7.0, 7.0)]
    monkeypatch.setattr(likelihood, "tool_help", lambda *_args: parse_help(""))
    monkeypatch.setattr(tools, "program", lambda *_args: ("llama-perplexity",))
    monkeypatch.setattr(tools, "box", lambda _desk: None)
    monkeypatch.setattr(tools, "run", lambda _desk, _argv: ends.pop(0))
    assert likelihood._run(desk(), "head", tmp_path) == printed(6.0, 6.0)
    assert len(ends) == 1


def test_a_program_that_the_budget_ended_is_no_failure(judge: Judge) -> None:
    found = judge(printed(6.0, 6.0), printed(status="timeout"))
    assert (found.outcome, found.checks) == ("not_run", ())


def test_a_passage_of_other_chunks_is_not_compared(judge: Judge) -> None:
    found = judge(printed(6.0, 6.0), printed(6.0, 6.0, 6.0))
    assert (found.outcome, found.new_failures) == ("unjudged", ())
