"""From rounds to comparisons: looks, freezing, the whole session."""

import math

import pytest

from bot.records import Comparison, Round, Scenario
from bot.stats.decide import LOOKS, compare, is_settled, open_scenarios, summary
from tests.stats.builders import CHAT, CODING, DOCUMENT, profile, round_of, rounds_of

ONE = profile(Scenario(name="coding", prompt_tokens=532, n_predict=64, requests=1, judged=("decode",)))
DECODE = ("coding", "decode")


def decode(effects: list[float], *, final: bool = False, looks: tuple[int, ...] = LOOKS) -> Comparison:
    (only,) = compare(rounds_of({DECODE: effects}), ONE, final=final, looks=looks)
    return only


def test_one_comparison_per_judged_metric_in_the_profile_s_order() -> None:
    keys = [("chat", "ttft"), ("coding", "ttft"), ("document", "prefill")]
    found = compare(rounds_of({key: [0.0] * 4 for key in keys}), profile())
    assert [item.metric for item in found] == [
        "ttft:chat",
        "prefill:chat",
        "ttft:document",
        "prefill:document",
        "ttft:coding",
        "prefill:coding",
        "decode:coding",
    ]
    assert [item.metric for item in found if item.primary] == ["prefill:document", "decode:coding"]


@pytest.mark.parametrize(
    ("scenarios", "named", "expected"),
    [
        ((CHAT, DOCUMENT), (), {"prefill:document"}),
        ((CHAT, CODING), ("ttft:chat",), {"ttft:chat"}),
        ((CHAT, CODING), (), {"prefill:coding", "decode:coding"}),
        ((CHAT.model_copy(update={"judged": ("ttft",)}),), (), {"ttft:chat"}),
    ],
)
def test_primary_metrics(scenarios: tuple[Scenario, ...], named: tuple[str, ...], expected: set[str]) -> None:
    found = compare(rounds_of({("chat", "ttft"): [0.0] * 4}), profile(*scenarios, primary=named))
    assert {item.metric for item in found if item.primary} == expected


def test_the_numbers_of_a_regression() -> None:
    found = decode([-0.05, -0.06, -0.05, -0.04])
    assert found.outcome == "regression"
    assert found.effect == pytest.approx(-0.05)
    assert found.change == pytest.approx(math.exp(-0.05) - 1)
    assert found.base == pytest.approx(math.exp(5.0))
    assert found.head == pytest.approx(math.exp(4.95))
    assert found.ratios == pytest.approx((-0.05, -0.06, -0.05, -0.04))
    assert found.hodges_lehmann == pytest.approx(-0.05)
    assert (found.rounds, found.method) == (4, "launches")
    assert found.level == pytest.approx(0.968)
    assert found.low == pytest.approx(found.effect - 2.95 * found.se)
    assert found.high == pytest.approx(found.effect + 2.95 * found.se)
    assert found.sd_round == pytest.approx(found.se * 2)
    assert found.rounds_needed is None and not found.too_close


def test_a_longer_ttft_is_a_regression_printed_in_milliseconds() -> None:
    key = ("chat", "ttft")
    only = profile(CHAT.model_copy(update={"judged": ("ttft",)}))
    (found,) = compare(rounds_of({key: [0.05] * 4}), only)
    assert found.outcome == "regression"
    assert found.effect == pytest.approx(-0.05)
    assert found.head / found.base == pytest.approx(math.exp(0.05))
    assert found.change == pytest.approx(math.exp(0.05) - 1)
    low, high = found.change_interval
    assert low < found.change < high


def test_within_stays_as_it_was_when_it_was_shown() -> None:
    then = decode([0.001, -0.001, 0.0, 0.0])
    later = decode([0.001, -0.001, 0.0, 0.0, -0.5, -0.5, -0.5, -0.5])
    assert then.outcome == "within" and then.frozen
    assert later == then
    assert later.rounds == 4 and len(later.ratios) == 4


def test_a_regression_is_judged_anew_at_each_look() -> None:
    called = [-0.04, -0.045, -0.05, -0.045]
    assert decode(called).outcome == "regression"
    assert decode([*called, 0.04, 0.04]).outcome == "inconclusive"
    assert decode([*called, -0.04, -0.05]).outcome == "regression"


def test_between_looks_the_answer_is_that_of_the_last() -> None:
    wild = [0.05, -0.05, 0.05, -0.05]
    assert decode([*wild, -0.9]) == decode(wild)
    assert decode([*wild, -0.9], final=True).rounds == 5


def test_before_the_first_look_all_is_open() -> None:
    for count in (1, 2, 3):
        found = decode([-0.5] * count)
        assert (found.outcome, found.rounds) == ("inconclusive", count)


def test_the_end_decides_at_the_rounds_there_are() -> None:
    assert decode([-0.5] * 3, final=True).outcome == "regression"
    assert decode([0.0] * 3, final=True).outcome == "within"
    assert decode([-0.5] * 2, final=True).outcome == "inconclusive"
    assert decode([-0.5], final=True).outcome == "inconclusive"


def test_one_round_gives_finite_numbers() -> None:
    found = decode([-0.5], final=True)
    assert found.effect == pytest.approx(-0.5)
    assert (found.low, found.high) == pytest.approx((-0.5 - math.log(2), -0.5 + math.log(2)))
    assert (found.se, found.sd_round, found.rounds_needed) == (0.0, 0.0, None)


def test_other_looks_may_be_asked_for() -> None:
    assert decode([0.0] * 3, looks=(3,)).outcome == "within"


def test_an_invalid_round_is_not_seen() -> None:
    good = rounds_of({DECODE: [0.0] * 5})
    bad = good[2].launches[1].model_copy(update={"invalid": "throttled"})
    rounds = [*good[:2], good[2].model_copy(update={"launches": (good[2].launches[0], bad)}), *good[3:]]
    (found,) = compare(rounds, ONE)
    assert found.rounds == 4


def test_no_valid_round_no_comparison() -> None:
    assert compare([], ONE, final=True) == ()
    half = Round(index=0, order="AB", launches=rounds_of({DECODE: [0.0]})[0].launches[:1])
    assert compare([half], ONE) == ()


def test_a_metric_that_nothing_measured_is_inconclusive_with_no_rounds() -> None:
    found = {item.metric: item for item in compare(rounds_of({DECODE: [0.0] * 4}), profile(), final=True)}
    missing = found["ttft:chat"]
    assert (missing.outcome, missing.rounds, missing.base, missing.head) == ("inconclusive", 0, 0.0, 0.0)
    assert found["decode:coding"].outcome == "within"


def test_a_launch_without_the_metric_costs_that_round() -> None:
    rounds = rounds_of({DECODE: [0.0] * 4})
    rounds[1] = round_of(1, {("chat", "ttft"): 5.0}, {("chat", "ttft"): 5.0})
    (found,) = compare(rounds, ONE, final=True)
    assert (found.outcome, found.rounds) == ("within", 3)


def test_a_settled_scenario_is_dropped_and_stays_settled() -> None:
    both = profile(
        CHAT.model_copy(update={"judged": ("prefill",)}), CODING.model_copy(update={"judged": ("decode",)})
    )
    wild = [0.05, -0.05, 0.05, -0.05]
    four = compare(rounds_of({("chat", "prefill"): [0.0] * 4, DECODE: wild}), both)
    assert open_scenarios(four, both) == ("coding",)
    assert not is_settled(four)
    eight = compare(rounds_of({("chat", "prefill"): [0.0] * 4, DECODE: wild * 2}), both)
    assert eight[0] == four[0]
    assert eight[1].rounds == 8


def test_a_scenario_stays_open_for_one_metric() -> None:
    rounds = rounds_of({("chat", "ttft"): [0.0] * 4, ("chat", "prefill"): [-0.05] * 4})
    only = profile(CHAT)
    found = compare(rounds, only)
    assert [item.outcome for item in found] == ["within", "regression"]
    assert open_scenarios(found, only) == ("chat",)
    assert is_settled(found)


def test_before_anything_all_scenarios_are_open() -> None:
    assert open_scenarios((), profile()) == ("chat", "document", "coding")
    assert not is_settled(())


@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((0.0, 0.0), "within"),
        ((0.0, 0.05), "improvement"),
        ((-0.05, 0.05), "regression"),
        ((-0.05, None), "regression"),
        ((0.05, None), "inconclusive"),
        ((0.0, None), "inconclusive"),
    ],
)
def test_the_summary(effects: tuple[float, float | None], expected: str) -> None:
    wild = [0.05, -0.05, 0.05, -0.05]
    series = [[effect] * 4 if effect is not None else wild for effect in effects]
    only = profile(CODING.model_copy(update={"judged": ("prefill", "decode")}))
    found = compare(rounds_of({("coding", "prefill"): series[0], DECODE: series[1]}), only)
    assert summary(found) == expected


def test_no_comparison_is_no_answer() -> None:
    assert summary(()) == "inconclusive"


def test_an_inconclusive_metric_says_what_it_would_take() -> None:
    found = decode([0.03, -0.03, 0.04, -0.04])
    needed = ((2.33 + 1.28) * found.sd_round / (math.log(1.03) - abs(found.effect) / 2)) ** 2
    assert found.outcome == "inconclusive"
    assert found.rounds_needed == math.ceil(needed)
    assert not found.too_close


def test_an_effect_at_the_margin_is_too_close() -> None:
    found = decode([-0.03 + 0.015, -0.03 - 0.015, -0.03 + 0.015, -0.03 - 0.015])
    assert (found.outcome, found.too_close, found.rounds_needed) == ("inconclusive", True, None)


def test_small_but_real_needs_holm() -> None:
    three = CODING.model_copy(update={"judged": ("ttft", "prefill", "decode")})
    only = profile(three)
    steady = [0.0, 0.0005, -0.0005, 0.0]
    effects = {("coding", "ttft"): steady, ("coding", "prefill"): steady}
    # t = 0.0022 / se = 2.73: p = .041, which 3 metrics do not survive (.05 / 3).
    doubtful = compare(rounds_of({**effects, DECODE: [0.0022] * 4}, jitter=0.0009), only)
    assert [item.small_but_real for item in doubtful] == [False] * 3
    certain = compare(rounds_of({**effects, DECODE: [0.01] * 4}, jitter=0.0009), only)
    assert [item.outcome for item in certain] == ["within"] * 3
    assert [item.small_but_real for item in certain] == [False, False, True]


def test_a_called_change_is_not_small() -> None:
    assert not decode([-0.05] * 4).small_but_real


def test_slow_launches_are_counted_per_side() -> None:
    found = decode([0.0, -0.12, 0.0, 0.0], final=True)
    assert (found.slow_base, found.slow_head) == (0, 1)
