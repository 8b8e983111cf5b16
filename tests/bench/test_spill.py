"""GPU memory that was asked for and not given is found by the log against NVML."""

import pytest

from bot.bench.spill import spill, spilled_mib
from bot.records import Launch, MemoryTrace, ServerFacts
from tests.support.facts import launch

BUFFERS = {"CUDA0.model": 9800.0, "CUDA0.KV": 4915.2, "CUDA0.compute": 298.75, "CUDA_Host.compute": 900.0}
ASKED = 9800.0 + 4915.2 + 298.75


def on_gpu(
    own: float, side: str = "head", buffers: dict[str, float] | None = None, **changes: object
) -> Launch:
    """A launch that took that much of a 16 GB card, by NVML."""
    trace = {
        "source": "nvml",
        "total_mib": 16303.0,
        "baseline_mib": 400.0,
        "loaded_mib": own,
        "min_free_mib": 0.0,
    }
    traces = (MemoryTrace.model_validate(trace | {"peak_mib": 400.0 + own} | changes),)
    facts = ServerFacts(buffers=BUFFERS if buffers is None else buffers)
    return launch(side, 0, memory=traces, facts=facts)  # type: ignore[arg-type]


def test_what_fits_has_no_spill() -> None:
    assert spilled_mib(on_gpu(ASKED + 420.0)) == 0.0  # CUDA's own context on top
    assert spilled_mib(on_gpu(ASKED - 60.0)) == 0.0  # a window was closed meanwhile


def test_buffers_beyond_what_the_card_gave_were_put_elsewhere() -> None:
    assert spilled_mib(on_gpu(ASKED - 1000.0)) == pytest.approx(1000.0)


def test_buffers_beyond_the_card_are_found_though_the_driver_counts_shared_memory_as_used() -> None:
    larger = BUFFERS | {"CUDA0.KV": 8000.0}
    assert spilled_mib(on_gpu(18098.75, buffers=larger)) == pytest.approx(18098.75 - 16303.0)


def test_several_gpus_are_one_sum() -> None:
    split = {"CUDA0.model": 9000.0, "CUDA1.model": 9000.0}
    assert spilled_mib(on_gpu(18400.0, buffers=split, total_mib=2 * 16303.0)) == 0.0
    assert spilled_mib(on_gpu(16000.0, buffers=split, total_mib=2 * 16303.0)) == pytest.approx(2000.0)


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert spilled_mib(on_gpu(100.0, buffers={})) == 0.0
    assert spilled_mib(on_gpu(100.0, unified=True)) == 0.0
    assert spilled_mib(on_gpu(100.0, source="rss")) == 0.0
    assert spilled_mib(on_gpu(100.0).model_copy(update={"status": "out_of_memory"})) == 0.0


def test_each_side_s_largest_spill_makes_one_difference_that_blocks() -> None:
    fits = on_gpu(ASKED + 400.0, "base")
    assert spill([fits, on_gpu(ASKED + 400.0)]) == ()
    (found,) = spill([fits, on_gpu(ASKED - 200.0), on_gpu(ASKED - 812.4)])
    assert (found.name, found.base, found.head, found.blocks) == ("spill", "0 MiB", "812 MiB", True)
    assert found.is_spill
