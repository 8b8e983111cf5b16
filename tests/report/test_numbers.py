"""Numbers are printed once, the same in all languages, and agree with each other."""

import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.records import MetricKind
from bot.report import numbers
from tests.support.runs import comparison

CHANGES = st.floats(-0.6, 1.5).filter(lambda value: abs(value) > 1e-9)


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.0048, "+0.5%"), (-0.0008, "−0.1%"), (0.0001, "0.0%"), (-0.0001, "0.0%"), (-0.25, "−25.0%")],
)
def test_percent_has_a_sign_a_real_minus_and_no_signed_zero(ratio: float, text: str) -> None:
    assert numbers.percent(ratio) == text


@pytest.mark.parametrize(("ratio", "text"), [(0.03, "3%"), (0.968, "96.8%"), (0.96, "96%"), (0.1, "10%")])
def test_share_has_no_digit_too_many(ratio: float, text: str) -> None:
    assert numbers.share(ratio) == text


def test_sides_of_the_example() -> None:
    assert numbers.sides(comparison("decode", "coding", -0.0008)) == ("12.68", "12.67")
    assert numbers.sides(comparison("ttft", "chat", 0.0048)) == ("0.421", "0.423")
    assert numbers.sides(comparison("prefill", "document", 0.0059)) == ("758.2", "762.7")


def test_digits_are_added_until_a_calculator_agrees() -> None:
    assert numbers.pair(0.9035, 0.9035 * 0.9972, -0.0028, 3) == ("0.9035", "0.9010")


@given(st.floats(0.05, 50_000), CHANGES, st.sampled_from(["ttft", "prefill", "decode"]))
def test_the_quotient_of_the_printed_sides_rounds_to_the_printed_change(
    base: float, change: float, kind: MetricKind
) -> None:
    item = comparison(kind, "coding", change).model_copy(update={"base": base, "head": base * (1 + change)})
    left, right = (Decimal(text) for text in numbers.sides(item))
    printed = Decimal(numbers.percent(item.change).rstrip("%").replace(numbers.MINUS, "-"))
    near_tie = abs(abs(item.change * 1000) % 1 - 0.5) < 1e-4
    assert near_tie or abs((right / left - 1) * 100 - printed) <= Decimal("0.05")


@given(st.floats(0, 200_000), st.floats(0, 200_000))
def test_the_printed_memory_change_is_the_difference_of_the_printed_sides(base: float, head: float) -> None:
    assert numbers.mib_change(base, head) == int(numbers.mib(head)) - int(numbers.mib(base))


def test_memory_is_printed_as_nvidia_smi_prints_it() -> None:
    assert numbers.mib(15535.4) == "15535"


@pytest.mark.parametrize(("count", "text"), [(12_880, "12k"), (999, "999"), (1000, "1k")])
def test_tokens_are_rounded_down(count: int, text: str) -> None:
    assert numbers.tokens(count) == text


@pytest.mark.parametrize(("seconds", "text"), [(31, "31 s"), (1860, "31 min"), (95, "2 min")])
def test_durations(seconds: float, text: str) -> None:
    assert numbers.duration(seconds) == text


def test_the_change_of_ttft_is_in_its_own_unit() -> None:
    slower = comparison("ttft", "chat", 0.05, "regression")
    assert math.isclose(slower.change, 0.05)
    assert numbers.percent(slower.change) == "+5.0%"
