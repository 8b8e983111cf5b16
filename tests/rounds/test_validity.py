"""Which launches count."""

from bot.bench.validity import judge
from bot.records import ServerFacts
from tests.support.facts import CODING, launch, sample


def test_a_cuda_launch_that_offloaded_nothing_is_invalid_not_slow() -> None:
    silent = judge(launch("head", 0, facts=ServerFacts(buffers={"CPU.model": 253.0})), "cuda")
    assert silent.invalid == "no_offload"
    assert judge(launch("head", 0, facts=ServerFacts(offloaded=(0, 19))), "cuda").invalid == "no_offload"


def test_a_cuda_launch_on_the_gpu_counts() -> None:
    assert judge(launch("head", 0, facts=ServerFacts(buffers={"CUDA0.model": 253.0})), "cuda").is_valid
    assert judge(launch("head", 0, facts=ServerFacts(offloaded=(19, 19))), "cuda").is_valid


def test_a_cpu_launch_needs_no_gpu() -> None:
    assert judge(launch("head", 0), "cpu").is_valid


def test_a_protocol_breach_names_the_first_problem() -> None:
    good = sample(CODING, prefill=500, decode=50, ttft_ms=320)
    bad = good.model_copy(update={"problem": "cached"})
    assert judge(launch("base", 0, samples=(good, bad)), "cpu").invalid == "protocol:cached"


def test_a_crash_is_not_called_invalid() -> None:
    assert judge(launch("base", 0, status="crashed_loading"), "cuda").invalid is None
