"""Why a metric stayed open follows its effect: at the margin's edge, beyond it but noisy, too few rounds."""

from typing import Any

import pytest

from bot.records import Comparison
from bot.report.outlook import doubt
from bot.report.render import render
from tests.support.outcomes import OUTCOMES
from tests.support.runs import comparison, comparisons, rounds, run


def open_(change: float, **changes: Any) -> Comparison:
    return comparison("decode", "coding", change, "inconclusive", **({"rounds": 12} | changes))


@pytest.mark.parametrize(
    ("item", "code"),
    [
        (open_(-0.029, too_close=True), "too_close"),
        (open_(0.031, too_close=True), "too_close"),
        (open_(-0.10, too_close=True), "beyond"),
        (open_(0.20, too_close=True), "beyond"),
        (open_(-0.01, rounds_needed=20), "rounds"),
        (open_(-0.01), None),
        (open_(-0.10, too_close=True, rounds=2), None),
        (open_(-0.805, rounds=1), None),
        (comparison("decode", "coding", -0.05, "regression"), None),
    ],
)
def test_doubt_follows_the_effect(item: Comparison, code: str | None) -> None:
    assert doubt(item, 0.03) == code


def test_a_large_noisy_change_is_not_called_close() -> None:
    text = render(OUTCOMES["cannot-tell-noisy"]())["report.en.md"]
    assert "edge of" not in text
    assert "Decode: the estimate is beyond ±3%, but this much noise cannot confirm it" in text
    assert "edge of ±3%" in render(OUTCOMES["cannot-tell-too-close"]())["report.en.md"]


def test_below_three_rounds_neither_interval_nor_spread_is_printed() -> None:
    text = render(OUTCOMES["cannot-tell-single-runs"]())["report.en.md"]
    fold = text[text.index("All metrics and their") :]
    lines = [line for line in fold.splitlines() if line.startswith("| ")][1:8]
    assert all(line.endswith("| – | 1 | – |") for line in lines), lines
    assert "0.00%" not in text and "(interval" not in text


def test_every_interval_has_its_level_and_rounds() -> None:
    text = render(run(comparisons=comparisons(decode_coding=open_(-0.02, level=0.96)), rounds=rounds(12)))
    fold = text["report.en.md"].split("All metrics and their")[1]
    assert "−7.8%\xa0…\xa0+4.2% (96%) | 12 |" in fold
    assert fold.split("</details>")[0].count("(96.8%) | 6 |") == 6


def test_a_metric_that_no_round_measured_is_named_without_a_number() -> None:
    files = render(OUTCOMES["cannot-tell-unmeasured"]())
    assert "- Not measured: 💻 Decode.\n" in files["report.en.md"]
    assert "- 没有测到：💻 Decode。\n" in files["report.zh-Hans.md"]
    assert "Cannot tell: 。" not in files["report.md"] and "Cannot tell: ." not in files["report.md"]
    assert "Decode 0" not in files["report.md"]


def test_one_round_is_one_round() -> None:
    plan = run().plan
    assert plan is not None
    item = run(plan=plan.model_copy(update={"looks": (1,)}), rounds=rounds(1))
    assert "decided after 1 round, and below 3 rounds never" in render(item)["report.en.md"]
    assert "测满 1 轮时判定，" in render(item)["report.zh-Hans.md"]
    assert "decided after 4, 6, 8, 10 and 12 rounds" in render(run())["report.en.md"]
