"""Memory of both sides at one common baseline."""

import pytest

from bot.records import MemoryComparison, MemoryTrace, Round
from bot.stats.memory import compare_memory
from tests.stats.builders import Values, launch

SHAPE = {("chat", "ttft"): 5.0, ("coding", "ttft"): 6.0}


def nvml(peak: float, baseline: float = 500.0) -> MemoryTrace:
    return MemoryTrace(
        source="nvml",
        total_mib=16000,
        baseline_mib=baseline,
        loaded_mib=peak - 100,
        peak_mib=peak,
        min_free_mib=16000 - peak,
    )


def rss(peak: float, min_free: float) -> MemoryTrace:
    return MemoryTrace(
        source="rss", total_mib=8000, baseline_mib=0, loaded_mib=peak, peak_mib=peak, min_free_mib=min_free
    )


def pair(index: int, base: list[MemoryTrace], head: list[MemoryTrace], shape: Values = SHAPE) -> Round:
    launches = (launch("base", 2 * index, shape, base), launch("head", 2 * index + 1, shape, head))
    return Round(index=index, order="AB", launches=launches)


def peaks(*pairs: tuple[float, float]) -> list[Round]:
    return [pair(i, [nvml(base)], [nvml(head)]) for i, (base, head) in enumerate(pairs)]


def compared(rounds: list[Round]) -> MemoryComparison:
    found = compare_memory(rounds)
    assert found is not None
    return found


def test_a_difference_beyond_the_tolerance() -> None:
    found = compared(peaks((15500, 15400), (15510, 15410)))
    assert found.outcome == "less"
    assert found.change_mib == pytest.approx(-100)
    assert found.base_mib == pytest.approx(15505)
    assert (found.base_range_mib, found.head_range_mib, found.tolerance_mib) == (10, 10, 64)
    assert found.base_headroom_mib == pytest.approx(495)
    assert found.head_headroom_mib == pytest.approx(595)
    assert compared(peaks((15400, 15465))).outcome == "more"


def test_sixty_four_mib_is_the_same() -> None:
    assert compared(peaks((15400, 15464))).outcome == "same"


def test_launches_that_differ_among_themselves_widen_the_tolerance() -> None:
    found = compared(peaks((15000, 15100), (15060, 15160)))
    assert found.tolerance_mib == 120
    assert found.outcome == "same"


def test_a_browser_opened_between_launches_is_not_the_build_s() -> None:
    rounds = [
        pair(0, [nvml(15000, baseline=500)], [nvml(15400, baseline=900)]),
        pair(1, [nvml(15000, baseline=500)], [nvml(15400, baseline=900)]),
        pair(2, [nvml(15000, baseline=500)], [nvml(15000, baseline=500)]),
    ]
    found = compared(rounds)
    assert (found.outcome, found.change_mib, found.baseline_mib) == ("same", 0, 500)
    assert found.base_headroom_mib == found.head_headroom_mib == 1000


def test_launches_without_every_scenario_do_not_count() -> None:
    rounds = [*peaks((15400, 15400)), pair(1, [nvml(14000)], [nvml(14900)], {("coding", "ttft"): 6.0})]
    assert compared(rounds) == compared(rounds[:1])


def test_invalid_rounds_do_not_count() -> None:
    bad = peaks((15400, 15900))[0]
    broken = bad.launches[1].model_copy(update={"status": "out_of_memory"})
    bad = bad.model_copy(update={"launches": (bad.launches[0], broken)})
    assert compare_memory([bad]) is None
    assert compared([*peaks((15400, 15400)), bad]).outcome == "same"


def test_gpu_memory_comes_first_where_both_sides_have_it() -> None:
    both = [pair(0, [rss(900, 5000), nvml(15400)], [rss(900, 5000), nvml(15400)])]
    assert compared(both).source == "nvml"
    one = [pair(0, [rss(900, 5000), nvml(15400)], [rss(900, 5000)])]
    assert compared(one).source == "rss"


def test_host_headroom_is_the_available_ram_not_what_the_servers_leave() -> None:
    found = compared([pair(0, [rss(900, 3000)], [rss(1000, 2900)])])
    assert found.source == "rss"
    assert (found.base_mib, found.head_mib, found.outcome) == (900, 1000, "more")
    assert (found.base_headroom_mib, found.head_headroom_mib) == (3000, 2900)


def test_the_headrooms_differ_by_what_the_use_differs() -> None:
    # The machine's other programs took 800 MiB while the heads ran.
    rounds = [pair(i, [rss(900, 3000)], [rss(1000, 2100)]) for i in range(3)]
    found = compared(rounds)
    assert found.base_headroom_mib - found.head_headroom_mib == pytest.approx(found.change_mib)


def test_without_traces_there_is_nothing_to_compare() -> None:
    assert compare_memory([pair(0, [], [nvml(1.0)])]) is None
    assert compare_memory([]) is None
