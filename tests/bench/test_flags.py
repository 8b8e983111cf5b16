"""Flags in the place of others, in whatever spelling."""

import pytest

from bot.flags import replaced

MINE = ("-ngl", "50", "--cache-type-k", "f16", "-fa", "on", "--jinja")


@pytest.mark.parametrize(
    ("by", "result"),
    [
        ((), MINE),
        (("-ctk", "q8_0"), ("-ngl", "50", "-fa", "on", "--jinja", "-ctk", "q8_0")),
        (("--gpu-layers", "-1"), ("--cache-type-k", "f16", "-fa", "on", "--jinja", "--gpu-layers", "-1")),
        (("--n-cpu-moe", "4"), (*MINE, "--n-cpu-moe", "4")),
        (("--jinja",), MINE),
    ],
)
def test_a_variant_replaces_the_same_flags_and_adds_the_rest(
    by: tuple[str, ...], result: tuple[str, ...]
) -> None:
    assert replaced(MINE, by) == result


def test_a_flag_that_stands_twice_goes_twice() -> None:
    assert replaced(("-np", "1", "-t", "4", "--parallel", "2"), ("-np", "4")) == ("-t", "4", "-np", "4")
