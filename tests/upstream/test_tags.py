import pytest

from bot.upstream import tags

NAMES = ("b9999", "b10000", "b998", "b10001", "v0.3.0", "master-1a2b3c4", "gguf-v0.4.0", "b9998")


def test_order_is_numeric_across_the_step_to_five_digits() -> None:
    assert tags.releases(NAMES) == ("b998", "b9998", "b9999", "b10000", "b10001")
    assert tags.newest(NAMES) == "b10001"
    assert tags.previous(NAMES, "b10000") == "b9999"


@pytest.mark.parametrize(
    "name", ["v0.3.0", "b", "b12x", "xb12", "B12", "b-1", "b12\n", "b１２", "b012", "master-b12", "b5.1"]
)
def test_only_b_and_a_number_is_a_release(name: str) -> None:
    assert tags.parse(name) is None


def test_number_of_a_release() -> None:
    assert tags.parse("b11434") == 11434


def test_previous_of_a_tag_that_is_not_listed_is_the_one_below() -> None:
    assert tags.previous(NAMES, "b5000") == "b998"


def test_nothing_before_the_first_and_nothing_newest_of_none() -> None:
    assert tags.previous(NAMES, "b998") is None
    assert tags.previous(NAMES, "v0.3.0") is None
    assert tags.newest(["v1.0.0"]) is None


def test_skipped_excludes_both_ends() -> None:
    assert tags.between(NAMES, "b998", "b10001") == ("b9998", "b9999", "b10000")
    assert tags.between(NAMES, "b9999", "b10000") == ()
    assert tags.between(NAMES, "b10001", "b998") == ()


@pytest.mark.parametrize(
    ("wanted", "near"),
    [("b9997", "b9998"), ("b10002", "b10001"), ("v0.30", "v0.3.0"), ("9999", "b9999"), ("?", "b10001")],
)
def test_nearest_for_a_typing_error(wanted: str, near: str) -> None:
    assert tags.nearest(NAMES, wanted) == near
