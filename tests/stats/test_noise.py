"""The machine's own noise: what it is, what it hides, what K it asks for."""

import math
import random

import pytest

from bot.records import Comparison, Launch, Noise, Round, Side
from bot.stats.decide import compare
from bot.stats.noise import detectable, merged, noise, requests_worth
from tests.support.facts import CODING, launch, plan, profile, sample

K = 5


def scattered(seed: int, *, rounds: int, request: float, between: float) -> list[Round]:
    """Rounds whose decode scatters by so much within launches and between them."""
    draw = random.Random(seed)

    def one(side: Side, slot: int) -> Launch:
        level = 50 * math.exp(draw.gauss(0, between))
        samples = tuple(
            sample(CODING, prefill=500, decode=level * math.exp(draw.gauss(0, request)), ttft_ms=99, index=at)
            for at in range(K)
        )
        return launch(side, slot, samples=samples)

    return [
        Round(index=at, order="AB", launches=(one("base", 2 * at), one("head", 2 * at + 1)))
        for at in range(rounds)
    ]


def decoded(rounds: list[Round]) -> tuple[Comparison, ...]:
    found = compare(rounds, profile(), looks=plan().looks, final=True)
    return tuple(item for item in found if item.kind == "decode")


def known(**changes: float) -> Noise:
    values = {"request": 0.01, "launch": 0.005, "sd_round": 0.01, "rounds": 6, "detectable": 0.013}
    return Noise.model_validate({"metric": "decode:coding", "scenario": "coding", **values, **changes})


def test_the_two_kinds_of_noise_are_told_apart() -> None:
    rounds = scattered(3, rounds=200, request=0.01, between=0.02)
    found = compare(rounds, profile(), looks=(200,), final=True)
    (item,) = (one for one in noise(rounds, found) if one.metric == "decode:coding")
    assert item.request == pytest.approx(0.01, rel=0.05)
    assert item.launch == pytest.approx(0.02, rel=0.1)
    assert item.sd_round == pytest.approx(math.sqrt(2 * (0.02**2 + 1.57 * 0.01**2 / K)), rel=0.1)


def test_requests_that_explain_everything_leave_no_launch_noise() -> None:
    rounds = scattered(1, rounds=4, request=0.05, between=0.0)
    (item,) = noise(rounds, decoded(rounds))
    assert (item.launch, item.rounds) == (pytest.approx(0.0, abs=0.02), 4)


@pytest.mark.parametrize(("rounds", "seen"), [(4, 0.0174), (6, 0.0128), (12, 0.0085)])
def test_one_percent_per_round_hides_this_much(rounds: int, seen: float) -> None:
    assert detectable(0.01, rounds) == pytest.approx(seen, abs=0.0001)


def test_too_few_rounds_or_single_requests_tell_nothing() -> None:
    rounds = scattered(1, rounds=2, request=0.01, between=0.01)
    assert noise(rounds, decoded(rounds)) == ()
    single = [
        item.model_copy(
            update={
                "launches": tuple(
                    one.model_copy(update={"samples": one.samples[:1]}) for one in item.launches
                )
            }
        )
        for item in scattered(1, rounds=4, request=0.01, between=0.01)
    ]
    assert noise(single, decoded(single)) == ()


@pytest.mark.parametrize(
    ("request_sd", "launch_sd", "wanted"),
    [
        (0.01, 0.005, 5),
        (0.02, 0.005, 11),
        (0.001, 0.01, 3),
        (0.05, 0.005, 12),
        (0.03, 0.0, 12),
        (0.0, 0.0, 3),
    ],
)
def test_requests_are_worth_what_launches_do_not_explain(
    request_sd: float, launch_sd: float, wanted: int
) -> None:
    assert requests_worth([known(request=request_sd, launch=launch_sd)], "coding", 0.03) == wanted


def test_a_machine_so_quiet_that_the_first_look_decides_makes_no_request_in_vain() -> None:
    quiet = [known(request=0.003, launch=0.002)]
    assert requests_worth(quiet, "coding", 0.03) == 3
    assert requests_worth(quiet, "coding", 0.01) == 4  # a third of the margin is less than its noise
    chat = [known(request=0.01, launch=0.002)]  # sd of a round: 1.06 % with 3 requests, 0.93 % with 4
    assert requests_worth(chat, "coding", 0.03) == 4


def test_the_neediest_metric_of_a_scenario_decides() -> None:
    both = [known(), known(metric="ttft:coding", request=0.02)]
    assert requests_worth(both, "coding", 0.03) == 11
    assert requests_worth(both, "chat", 0.03) is None


def test_runs_are_averaged_by_their_variances() -> None:
    (item,) = merged([known(sd_round=0.01)], 3, [known(sd_round=0.03, rounds=8)])
    assert item.sd_round == pytest.approx(math.sqrt((3 * 0.01**2 + 0.03**2) / 4))
    assert item.detectable == pytest.approx(detectable(item.sd_round, 8))
    assert merged([], 3, [known()]) == (known(),)
