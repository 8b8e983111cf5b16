"""Balanced random order."""

from collections import Counter

import pytest

from bot.stats.order import orders, scenario_order


@pytest.mark.parametrize("seed", range(40))
def test_every_block_is_balanced(seed: int) -> None:
    drawn = orders(seed, 12)
    assert Counter(drawn[:4]) == {"AB": 2, "BA": 2}
    for start in range(4, 12, 2):
        assert set(drawn[start : start + 2]) == {"AB", "BA"}


def test_the_same_seed_is_the_same_order_for_ever() -> None:
    # Written down: a run killed under one release goes on under the next with the same order.
    assert orders(1, 8) == ("BA", "AB", "BA", "AB", "AB", "BA", "AB", "BA")


@pytest.mark.parametrize("rounds", range(13))
def test_asking_for_fewer_rounds_changes_none(rounds: int) -> None:
    assert orders(5, rounds) == orders(5, 12)[:rounds]


def test_every_order_of_the_first_block_comes_up_about_equally() -> None:
    counts = Counter(orders(seed, 4) for seed in range(3000))
    assert len(counts) == 6
    assert all(400 < count < 600 for count in counts.values())


def test_later_blocks_are_drawn_anew() -> None:
    counts = Counter(orders(seed, 12)[4:] for seed in range(800))
    assert len(counts) == 16
    assert all(25 < count < 80 for count in counts.values())


def test_scenarios_rotate() -> None:
    names = ("chat", "document", "coding")
    assert scenario_order(names, 0) == names
    assert scenario_order(names, 1) == ("document", "coding", "chat")
    assert scenario_order(names, 5) == ("coding", "chat", "document")
    assert scenario_order((), 3) == ()
