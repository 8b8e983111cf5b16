"""The statistics of further evidence: llama-bench, growth, fairness, likelihood."""

import math
import random

import pytest
from scipy.stats import theilslopes

from bot.stats import bench, leaks, likelihood, slots
from bot.stats.fairness import jain
from bot.stats.slopes import Slope, growth, theil_sen


def test_the_slow_first_repetition_is_dropped_and_one_slow_one_does_not_move_the_rate() -> None:
    found = bench.rate([9e9, 1e9, 1e9, 1e9, 1e9, 1e9, 5e9], 512)
    assert found is not None
    assert found[0] == 512.0


def test_the_error_is_computed_from_the_samples_themselves() -> None:
    found = bench.rate([9e9, 1e9, 2e9], 100)  # 100 and 50 t/s: sd 35.36, of two
    assert found is not None
    assert found[0] == pytest.approx(100 / 1.5)
    assert found[1] == pytest.approx(math.sqrt(math.pi / 2) * 35.3553 / math.sqrt(2), rel=1e-4)


def test_a_single_repetition_has_a_rate_and_no_error() -> None:
    assert bench.rate([2e9], 128) == (64.0, 0.0)
    assert bench.rate([], 128) is None
    assert bench.rate([1e9, 0.0], 128) is None


def test_the_slope_is_scipys() -> None:
    rng = random.Random(3)
    xs = list(range(40))
    ys = [0.3 * x + rng.gauss(0, 1) for x in xs]
    found = theil_sen(xs, ys)
    assert found is not None
    assert found.value == pytest.approx(theilslopes(ys, xs)[0])


def test_the_error_of_a_slope_is_how_far_it_scatters() -> None:
    rng = random.Random(5)
    xs = list(range(60))
    found = [theil_sen(xs, [0.1 * x + rng.gauss(0, 2) for x in xs]) for _ in range(300)]
    slopes = [item.value for item in found if item]
    scatter = math.sqrt(sum((item - 0.1) ** 2 for item in slopes) / len(slopes))
    claimed = sum(item.error for item in found if item) / len(found)
    assert claimed == pytest.approx(scatter, rel=0.15)


def test_a_step_is_no_slope() -> None:
    found = theil_sen(range(100), [10.0 if x < 20 else 74.0 for x in range(100)])
    assert found is not None
    assert found.value == 0.0


def test_few_points_tell_no_slope() -> None:
    assert theil_sen(range(7), range(7)) is None


def test_growth_is_per_hundred_requests_after_the_first_quarter() -> None:
    settled = [512.0 + 0.064 * max(0, count - 40) for count in range(200)]
    warming = [value + (300 - 10 * count if count < 30 else 0) for count, value in enumerate(settled)]
    found = growth(range(200), warming)
    assert found is not None
    assert found.value == pytest.approx(6.4)


@pytest.mark.parametrize(
    ("base", "head", "outcome"),
    [
        (Slope(0.0, 0.1), Slope(6.4, 0.1), "worse"),
        (Slope(6.4, 0.1), Slope(0.0, 0.1), "better"),
        (Slope(6.4, 0.1), Slope(6.5, 0.1), "same"),  # both leak: the upgrade brings nothing
        (Slope(0.0, 0.0), Slope(0.9, 0.0), "same"),  # the allocator's
        (Slope(0.0, 3.0), Slope(6.4, 3.0), "same"),  # within noise
        (Slope(-5.0, 0.1), Slope(0.0, 0.1), "same"),  # head does not grow
    ],
)
def test_head_leaks_only_where_it_grows_beyond_noise_and_base_does_not(
    base: Slope, head: Slope, outcome: str
) -> None:
    assert leaks.judged(base, head) == outcome


def test_jains_index_of_equal_and_of_starved_streams() -> None:
    assert jain([12.0, 12.0, 12.0, 12.0]) == pytest.approx(1.0)
    assert jain([40.0, 0.0, 0.0, 0.0]) == pytest.approx(0.25)
    assert jain([3.0, 1.0]) == pytest.approx(0.8)
    assert jain([]) == 0.0


def test_chunks_from_running_estimates() -> None:
    losses = (1.2, 0.8, 1.9)
    running = [math.exp(sum(losses[: n + 1]) / (n + 1)) for n in range(3)]
    assert likelihood.chunk_losses(running) == pytest.approx(losses)


def test_the_comparison_is_paired() -> None:
    base = [1.0, 3.0, 2.0, 5.0]  # far apart, but head is worse by the same in each
    head = [value + 0.01 for value in base]
    assert likelihood.difference(base, head) == pytest.approx((0.01, 0.0))
    assert likelihood.judged(base, head) == "worse"
    assert likelihood.judged(head, base) == "better"


def test_rounding_and_scatter_are_no_difference() -> None:
    base = [1.0, 3.0, 2.0, 5.0]
    assert likelihood.judged(base, [value + 0.0009 for value in base]) == "same"
    assert likelihood.judged(base, [1.1, 2.9, 2.3, 4.9]) == "same"


@pytest.mark.parametrize(
    ("perplexity", "other", "broken"),
    [
        (math.nan, 8.0, True),
        (math.inf, None, True),
        (12.1, 8.0, True),
        (11.9, 8.0, False),
        (8.0, 12.1, False),
        (8.0, math.nan, False),
    ],
)
def test_a_build_that_no_longer_understands_the_text_is_broken(
    perplexity: float, other: float | None, *, broken: bool
) -> None:
    assert likelihood.is_broken(perplexity, other) is broken


def wave(*rates: float, seconds: float = 2.0) -> dict[str, object]:
    """One wave whose streams decoded 11 tokens at these rates."""
    samples = [
        {
            "scenario": "wave",
            "index": place,
            "warmup": False,
            "prompt_n": 8,
            "predicted_n": 11,
            "prompt_ms": 1.0,
            "predicted_ms": 10_000 / rate,
            "ttft_ms": 1.0,
            "wall_ms": 1.0,
        }
        for place, rate in enumerate(rates)
    ]
    return {"seconds": seconds, "samples": samples}


def test_streams_are_summed_over_the_wall_and_shared_by_their_own_rates() -> None:
    found = {item.name: item for item in slots.measures([("base", [wave(10, 10)]), ("head", [wave(15, 5)])])}
    assert (found["slots_total"].base, found["slots_total"].head) == (11.0, 11.0)
    assert found["slots_slowest"].head == pytest.approx(5.0)
    assert found["slots_fastest"].head == pytest.approx(15.0)
    assert found["slots_fairness"].base == pytest.approx(1.0)
    assert found["slots_fairness"].head == pytest.approx(0.8)


def test_one_slow_wave_does_not_move_a_launch() -> None:
    calm = [wave(10), wave(10), wave(10, seconds=50.0)]
    (total, *_) = slots.measures([("base", calm), ("head", [])])
    assert (total.base, total.head) == (5.5, None)


def test_growth_is_judged_over_as_many_requests_as_both_answered() -> None:
    steady, growing = [500.0] * 80, [500.0 + 0.0625 * count for count in range(80)]
    (measure,) = leaks.grown({"rss": steady}, {"rss": growing[:40], "vram": growing})
    assert (measure.name, measure.outcome) == ("rss_growth", "worse")
    assert measure.head == pytest.approx(6.25)
    assert leaks.grown({"rss": steady}, {"rss": growing[:9]}) == ()


def test_a_difference_is_confirmed_by_every_round_or_is_none() -> None:
    steady, growing = [500.0] * 80, [500.0 + 0.0625 * count for count in range(80)]
    worse, same = (
        leaks.grown({"rss": steady}, {"rss": growing}),
        leaks.grown({"rss": steady}, {"rss": steady}),
    )
    assert [item.outcome for item in leaks.confirmed([worse, worse])] == ["worse"]
    assert [item.outcome for item in leaks.confirmed([worse, same])] == ["same"]
    assert [item.outcome for item in leaks.confirmed([worse])] == ["unjudged"]
    assert [item.outcome for item in leaks.confirmed([(), worse])] == ["unjudged"]
    assert [item.outcome for item in leaks.confirmed([same])] == ["same"]
    assert leaks.confirmed([]) == ()
