"""Prompts of an exact length that differ from their first id on."""

from itertools import pairwise

import pytest

from bot.bench.prompts import NONCE_TOKENS, TokenizedText, nonce_of, prompt_for
from bot.bench.scenarios import scenario_plan
from bot.errors import BotError
from bot.records import Scenario

TEXT = tuple(range(100, 160))


@pytest.mark.parametrize("length", [6, 20, 64, 65, 66, 500])
def test_a_prompt_has_exactly_the_length_asked_for(length: int) -> None:
    assert len(prompt_for(TEXT, length, nonce=3, prefix=(1,))) == length


def test_the_prefix_comes_first_then_the_nonce_then_the_text() -> None:
    prompt = prompt_for(TEXT, 40, nonce=12345, prefix=(1,))
    assert prompt[0] == 1
    assert prompt[1 + NONCE_TOKENS :] == TEXT[: 40 - 1 - NONCE_TOKENS]


def test_a_nonce_is_made_of_the_texts_own_ids_and_no_special_one() -> None:
    text = (1, *TEXT)
    assert all(set(prompt_for(text, 40, nonce=n, prefix=(1,))[1:5]) <= set(TEXT) for n in range(300))


def test_consecutive_requests_differ_in_the_first_id_after_the_prefix() -> None:
    firsts = [prompt_for(TEXT, 30, nonce=n, prefix=(1,))[1] for n in range(200)]
    assert all(before != after for before, after in pairwise(firsts))


def test_no_two_requests_of_a_run_share_a_prompt_and_both_sides_do() -> None:
    nonces = [nonce_of(r, s, k) for r in range(-1, 12) for s in range(3) for k in range(20)]
    prompts = {prompt_for(TEXT, 30, nonce=nonce) for nonce in nonces}
    assert len(prompts) == len(nonces)
    assert nonce_of(4, 1, 2) == nonce_of(4, 1, 2)


def test_a_text_too_poor_or_a_length_too_short_is_refused() -> None:
    with pytest.raises(BotError, match="prompt-too-short"):
        prompt_for((5, 5, 5), 30, nonce=1)
    with pytest.raises(BotError, match="prompt-too-short"):
        prompt_for(TEXT, NONCE_TOKENS + 1, nonce=1, prefix=(1,))


def test_a_scenario_becomes_the_requests_of_a_launch() -> None:
    scenario = Scenario(name="chat", prompt_tokens=30, n_predict=64, requests=3, judged=("decode", "ttft"))
    text = TokenizedText(TEXT, (1,))
    plan = scenario_plan(scenario, text, round_index=2, scenario_index=1, min_warmups=4)
    assert (plan["name"], plan["n_predict"], plan["settle"], plan["min_warmups"]) == ("chat", 64, "decode", 4)
    assert (len(plan["warmups"]), len(plan["prompts"])) == (6, 3)
    every = [tuple(prompt) for prompt in plan["warmups"] + plan["prompts"]]
    assert len(set(every)) == 9
    assert {len(prompt) for prompt in every} == {30}
    other = scenario_plan(scenario, text, round_index=3, scenario_index=1)
    assert not set(every) & {tuple(prompt) for prompt in other["prompts"]}
    prefill = scenario.model_copy(update={"judged": ("ttft", "prefill")})
    assert scenario_plan(prefill, text, round_index=0, scenario_index=0)["settle"] == "prefill"
