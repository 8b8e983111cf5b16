"""What the memory that is left buys, in the flags that people turn; only where the server's log tells."""

from typing import Any

import pytest

from bot.records import Model, Probe, Run, ServerFacts
from bot.report.costs import costs, experts_mib, layer_mib
from bot.report.headroom import Turn, candidates, headroom, lost
from bot.report.render import render
from tests.support.outcomes import OUTCOMES
from tests.support.runs import host_memory, memory, profile, rounds, run
from tests.support.trials import ran_out

PARTIAL = ServerFacts(
    props={"n_ctx": 98304}, buffers={"CUDA0.model": 9800.0, "CUDA0.KV": 4915.2}, offloaded=(50, 65)
)
WHOLE = ServerFacts(
    props={"n_ctx": 32768},
    buffers={"CUDA0.model": 4000.0, "CUDA0.KV": 1638.4, "CPU_Mapped.model": 15000.0},
    offloaded=(49, 49),
)
MOE = profile(
    flags=("-ngl", "99", "--n-cpu-moe", "40", "-c", "32768"),
    model=Model(name="moe.gguf", sha256="0" * 64, size_mib=16000.0, layers=48),
)


def turns(facts: ServerFacts = PARTIAL, free: float = 644.0, **changes: Any) -> list[tuple[str, str]]:
    """What `free` MiB above the reserve of 300 buy."""
    used = 16303.0 - 300.0 - free
    item = run(memory=memory(used, used), rounds=rounds(1, head={"facts": facts}), **changes)
    found = headroom(item)
    assert found is not None
    return [(turn.flag, turn.value) for turn in found.turns]


def test_headroom_buys_layers_and_context() -> None:
    assert turns() == [("-ngl", "52"), ("-c", "+12k")]  # (9800 + 4915.2) / 50 = 294 MiB a layer
    assert turns(free=10_000) == [("-ngl", "65"), ("-c", "+200k")]  # no more layers than there are


def test_little_headroom_buys_nothing() -> None:
    assert turns(free=40) == []


def test_below_the_reserve_it_says_what_to_give_up() -> None:
    assert turns(free=-85) == [("-ngl", "49"), ("-c", "−2k")]
    text = render(OUTCOMES["hold-headroom"]())["report.en.md"]
    assert "below the reserve of 300 MiB, to restore it set about `-ngl 49` or `-c` −2k · computed" in text


def test_experts_in_host_memory_may_move_to_the_gpu() -> None:
    assert turns(WHOLE, 1000.0, profile=MOE) == [("--n-cpu-moe", "37"), ("-c", "+20k")]  # 300 MiB each
    assert turns(WHOLE, -500.0, profile=MOE) == [("--n-cpu-moe", "42"), ("-c", "−10k")]
    every = MOE.model_copy(update={"flags": ("--cpu-moe",)})
    assert turns(WHOLE, 1000.0, profile=every)[0] == ("--n-cpu-moe", "44")  # 250 MiB each of 48


@pytest.mark.parametrize("flags", [("-ot", "exps=CPU"), ("-md", "draft.gguf"), ("--n-cpu-moe", "10")])
def test_an_uneven_split_has_no_mean_layer(flags: tuple[str, ...]) -> None:
    assert turns(profile=profile(flags=flags)) == [("-c", "+12k")]


@pytest.mark.parametrize("offloaded", [None, (0, 65), (65, 65)])
def test_layers_are_counted_only_where_some_are_left_to_move(offloaded: tuple[int, int] | None) -> None:
    assert layer_mib(PARTIAL.model_copy(update={"offloaded": offloaded})) is None


def test_host_buffers_do_not_count() -> None:
    host = ServerFacts(buffers={"CUDA_Host.model": 900.0, "CPU.model": 900.0}, offloaded=(10, 65))
    assert layer_mib(host) is None
    assert experts_mib(host, MOE) is None


def test_without_a_valid_launch_nothing_is_known() -> None:
    item = run(rounds=rounds(1, head={"status": "lost"}))
    assert costs(item).token is None
    found = headroom(item)
    assert found is not None and found.turns == ()


def test_what_was_lost_is_told_in_context() -> None:
    less: Run = OUTCOMES["optional-less-memory"]()
    assert less.memory is not None
    assert lost(less, less.memory) == (Turn("-c", "−6k", relative=True),)
    assert "少掉的余量约合上下文 `-c` −6k（估算）。" in render(less)["report.zh-Hans.md"]
    assert lost(run(), memory(15535.0, 15359.0)) == ()


def test_host_memory_buys_nothing() -> None:
    item = run(memory=host_memory())
    found = headroom(item)
    assert found is not None and found.turns == ()
    assert "per token of context" not in render(item)["report.en.md"]


def test_the_fold_says_what_the_computation_rests_on() -> None:
    text = render(run())["report.en.md"]
    assert "KV cache on the GPU per token of context, computed: 51.2 KiB" in text
    assert "per layer on average, computed: 294 MiB" in text


def test_the_headroom_s_steps_are_what_is_to_be_proven() -> None:
    used = 16303.0 - 944.0
    layers, context = candidates(run(memory=memory(used, used)))
    assert (layers.flag, layers.measured, layers.value(layers.computed)) == ("-ngl", 50, 52)
    assert (layers.value(layers.least), layers.value(layers.most)) == (0, 65)
    assert (context.flag, context.measured, context.value(context.computed)) == ("-c", 98304, 110592)
    assert context.value(context.least) == 1024


def test_experts_are_proven_by_keeping_fewer_in_host_memory() -> None:
    used = 16303.0 - 1300.0
    item = run(memory=memory(used, used), rounds=rounds(1, head={"facts": WHOLE}), profile=MOE)
    experts = candidates(item)[0]
    assert (experts.flag, experts.measured, experts.value(experts.computed)) == ("--n-cpu-moe", 40, 37)
    assert (experts.value(experts.least), experts.value(experts.most)) == (48, 0)


def test_below_the_reserve_less_is_to_be_proven() -> None:
    used = 16303.0 - 215.0
    found = candidates(run(memory=memory(15535.0, used)))
    assert [(item.flag, item.value(item.computed)) for item in found] == [("-ngl", 49), ("-c", 96256)]


def test_host_memory_has_nothing_to_prove() -> None:
    assert candidates(run(memory=host_memory())) == ()
    assert candidates(run(memory=None)) == ()


@pytest.mark.parametrize(
    ("probe", "proven", "computed"),
    [
        (Probe(flag="-ngl", measured=50, computed=52, proven=51), ["-ngl"], ["-c"]),
        (Probe(flag="-ngl", measured=50, computed=52, starts=(ran_out(52), ran_out(51))), [], ["-c"]),
        (Probe(flag="-ngl", measured=50, computed=52, cut_short=True), [], ["-ngl", "-c"]),
    ],
)
def test_a_proof_takes_the_place_of_the_computation(
    probe: Probe, proven: list[str], computed: list[str]
) -> None:
    found = headroom(run(probes=(probe,)))
    assert found is not None
    assert [turn.flag for turn in found.proven] == proven
    assert [turn.flag for turn in found.turns] == computed


def test_the_report_says_which_settings_were_proven() -> None:
    text = render(OUTCOMES["optional-proven"]())
    assert "room for `-ngl 51` or `-c 110592` · proven by starting it there\n" in text["report.en.md"]
    assert "还够 `-ngl 51` 或 `-c 110592` · 已实测\n" in text["report.zh-Hans.md"]
    assert (
        "52 ran out of memory; 51 works with a prompt of 65536 tokens, 612 MiB left" in text["report.en.md"]
    )
    below = render(OUTCOMES["hold-headroom-proven"]())["report.en.md"]
    assert "restored by `-ngl 48` · proven by starting it there · `-c` −2k · computed" in below


def test_the_printed_headroom_is_the_total_less_the_printed_use() -> None:
    item = run(memory=memory(15535.4, 15359.4, total_mib=16303.0))
    found = headroom(item)
    assert found is not None and item.memory is not None
    assert int(found.mib) == 16303 - int(f"{item.memory.head_mib:.0f}")


def test_the_least_free_memory_stands_beside_it() -> None:
    item = run(memory=memory(base_min_free_mib=310.4, head_min_free_mib=655.0))
    assert "least free memory seen: b9556 310 MiB, b9602 655 MiB" in render(item)["report.en.md"]
    assert "least free" not in render(run())["report.en.md"]


def test_no_more_context_than_the_model_was_trained_for() -> None:
    def trained(context: int) -> Any:
        return profile(model=profile().model.model_copy(update={"context": context}))

    assert turns(profile=trained(131072)) == [("-ngl", "52"), ("-c", "+12k")]
    assert turns(profile=trained(100352)) == [("-ngl", "52"), ("-c", "+2k")]
    assert turns(profile=trained(98304)) == [("-ngl", "52")]
    used = 16303.0 - 944.0
    found = candidates(run(memory=memory(used, used), profile=trained(100352)))
    assert found[1].value(found[1].computed) == 100352
    assert turns(free=-85, profile=trained(98304)) == [("-ngl", "49"), ("-c", "−2k")]
