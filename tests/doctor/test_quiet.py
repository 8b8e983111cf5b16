"""What makes measurements noisy, judged from facts."""

from dataclasses import replace

import pytest

from bot.doctor import quiet
from tests.doctor.samples import STILL


def messages(noise: quiet.Noise) -> list[str]:
    return [item.message.removeprefix("doctor-quiet-") for item in quiet.judge(noise)]


@pytest.mark.parametrize(
    ("load", "cores", "said"), [(0.9, 2, "ok"), (1.1, 2, "load"), (2.3, 16, "ok"), (2.5, 16, "load")]
)
def test_others_may_take_a_seventh_of_the_cores_or_one(load: float, cores: int, said: str) -> None:
    assert messages(replace(STILL, load=load, cores=cores)) == [said]


def test_each_disturbance_is_a_warning_of_its_own() -> None:
    noise = replace(STILL, governors=frozenset({"performance", "powersave"}), battery=True, swap_mib=2000.0)
    assert messages(noise) == ["governor", "battery", "swap"]
    assert {item.status for item in quiet.judge(noise)} == {"warning"}


def test_a_machine_without_clock_control_or_swap_is_quiet() -> None:
    assert messages(replace(STILL, governors=frozenset())) == ["ok"]


def test_this_machine_can_be_looked_at() -> None:
    seen = quiet.look()
    assert seen.cores >= 1 and seen.ram_mib > 100 and seen.load >= 0
