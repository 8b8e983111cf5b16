"""From a scenario as configured to the requests of one launch. Pure."""

from bot.bench.plan import ScenarioPlan
from bot.bench.prompts import TokenizedText, nonce_of, prompt_for
from bot.records import Scenario

#: facts/measurement §1.8: 2 warm-ups per scenario and launch, 4 in a build's first launch, never more than 6.
MOST_WARMUPS, WARMUPS, FIRST_WARMUPS = 6, 2, 4


def scenario_plan(
    scenario: Scenario,
    text: TokenizedText,
    *,
    round_index: int,
    scenario_index: int,
    min_warmups: int = WARMUPS,
) -> ScenarioPlan:
    """The requests of one scenario in one launch: equal for both sides of a round, different between rounds.

    `scenario_index` is the scenario's place in the profile, not in the launch's rotated order; `round_index`
    is -1 for the warm-up pair. Raises BotError (exit 2) where the prompt is too short for its nonce.
    """
    prompts = [
        list(
            prompt_for(
                text.ids,
                scenario.prompt_tokens,
                nonce=nonce_of(round_index, scenario_index, request),
                prefix=text.prefix,
            )
        )
        for request in range(MOST_WARMUPS + scenario.requests)
    ]
    return {
        "name": scenario.name,
        "n_predict": scenario.n_predict,
        "settle": "decode" if "decode" in scenario.judged else "prefill",
        "min_warmups": min_warmups,
        "warmups": prompts[:MOST_WARMUPS],
        "prompts": prompts[MOST_WARMUPS:],
    }
