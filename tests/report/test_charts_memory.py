"""The picture of the memory shows a launch of each side, at the baseline the report prints at."""

import pytest

from bot.records import Round
from bot.report.charts import charts
from bot.report.charts.curves import thinned
from tests.support import runs
from tests.support.pictures import (
    BOTH,
    at,
    by_id,
    drawn,
    heights,
    launch,
    measured,
    parsed,
    round_of,
    told,
    trace,
)


def test_memory_of_both_sides_is_drawn_with_its_peak_and_the_gpus_total() -> None:
    root = parsed(drawn()["memory.svg"])
    named = by_id(root)
    assert {"curve-base", "curve-head", "loaded-base", "loaded-head", "total", "reserve"} <= set(named)
    base, head, total = (at(named["peak-base"])[1], at(named["peak-head"])[1], heights(named["total"])[0])
    assert (head - total) / (base - total) == pytest.approx((16303 - 15359) / (16303 - 15535), rel=0.01)
    assert min(heights(named["curve-base"])) == pytest.approx(base, abs=0.02)
    assert {"15535", "15359", "768", "944", "总量 total 16303 · 预留 reserve 300 MiB"} <= set(told(root))


def test_memory_is_drawn_at_the_common_baseline() -> None:
    busy = launch("head", 1, 1.0, memory=(trace(15359.0 + 200, baseline=612.0),))
    quiet = measured(round_of(0, 0.0), memory=runs.memory())
    noisy = measured(
        round_of(0, 0.0).model_copy(update={"launches": (launch("base", 0, 1.0), busy)}), memory=runs.memory()
    )
    pictures = [by_id(parsed(charts(run, BOTH)["memory.svg"])) for run in (quiet, noisy)]
    peaks = [at(named["peak-head"]) for named in pictures]
    assert peaks[0] == pytest.approx(peaks[1], abs=0.05)
    for named, peak in zip(pictures, peaks, strict=True):
        assert min(heights(named["curve-head"])) == pytest.approx(peak[1], abs=0.05)


def test_a_side_that_ran_out_of_memory_says_so() -> None:
    broken = launch("head", 1, 1.0, status="out_of_memory", samples=(), memory=(trace(16290.0),), seconds={})
    item = Round(index=0, order="AB", launches=(launch("base", 0, 1.0), broken))
    files = charts(runs.unmeasured(plan=runs.plan(), rounds=(item,)), BOTH)
    assert list(files) == ["memory.svg"]
    assert "内存或显存不足 ran out of memory" in told(parsed(files["memory.svg"]))


def test_host_memory_has_no_total_and_no_headroom() -> None:
    host = trace(345.0, baseline=0.0).model_copy(update={"source": "rss", "total_mib": 24105.0})
    sides = (launch("base", 0, 1.0, memory=(host,)), launch("head", 1, 1.0, memory=(host,)))
    run = measured(Round(index=0, order="AB", launches=sides), memory=runs.host_memory(345.0, 345.0))
    root = parsed(charts(run, BOTH)["memory.svg"])
    assert "total" not in by_id(root)
    assert not [text for text in told(root) if "headroom" in text]
    assert "一次启动中的主机内存变化 Host memory over a launch" in told(root)


def test_thinning_keeps_the_peak_the_ends_and_few_points() -> None:
    points = trace(15535.0, count=20_000).points
    kept = thinned(points)
    assert len(kept) <= 322
    assert {points[0], points[-1], (777 / 5, 15535.0)} <= set(kept)
    assert list(kept) == sorted(kept)
