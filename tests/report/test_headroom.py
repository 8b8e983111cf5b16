"""What the memory that is left buys, in the flags that people turn; only where the server's log tells."""

from typing import Any

import pytest

from bot.records import Model, Run, ServerFacts
from bot.report.headroom import Turn, costs, experts_mib, headroom, layer_mib, lost
from bot.report.render import render
from tests.support.outcomes import OUTCOMES
from tests.support.runs import host_memory, memory, profile, rounds, run

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
