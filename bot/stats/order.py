"""The order of launches and of scenarios, from a seed that the report can print."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Literal, TypeVar

Order = Literal["AB", "BA"]
Item = TypeVar("Item")

#: Rounds in the first block, and in each after it: half AB, half BA.
FIRST_BLOCK, BLOCK = 4, 2


def orders(seed: int, rounds: int) -> tuple[Order, ...]:
    """Balanced random order of base (A) and head (B) for each of `rounds` rounds.

    The first four rounds hold two of each, every two after them one of each: cancels linear drift like
    ABBA, and does not lock onto a thermal cycle of four launches as ABBA does. The order of a round
    never depends on how many rounds are asked for.
    """
    result: list[Order] = []
    while len(result) < rounds:
        block = FIRST_BLOCK if not result else BLOCK
        fair: list[Order] = ["AB", "BA"] * (block // 2)
        result += _shuffled(fair, f"{seed}:{len(result)}")
    return tuple(result[:rounds])


def _shuffled(items: Sequence[Item], key: str) -> list[Item]:
    """A permutation drawn by hashing, so that it is the same on every Python and machine."""
    drawn = sorted((sha256(f"{key}:{place}".encode()).digest(), place) for place in range(len(items)))
    return [items[place] for _, place in drawn]


def scenario_order(names: Sequence[str], round_index: int) -> tuple[str, ...]:
    """The scenarios of one round, rotated by its index so that none is always first."""
    if not names:
        return ()
    start = round_index % len(names)
    return (*names[start:], *names[:start])
