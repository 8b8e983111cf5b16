"""Several users at once: what all streams get together, and whether each gets its share."""

from collections.abc import Iterator
from itertools import chain

from bot.bench.plan import Json
from bot.bench.prompts import prompt_for
from bot.flags import flag_value, replaced
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.pipeline.evidence.pairs import breakage, in_turns, once
from bot.pipeline.evidence.texts import context_tokens
from bot.records import Evidence, Launch, Reason, Scenario, Side
from bot.stats.slots import measures

_STREAMS = 4
#: The first wave warms up, as the first requests of a scenario do.
_WAVES = 4
_SHORTEST = 32
#: All waves of one launch; a server that takes longer hangs.
_LONGEST_S = 1800.0
#: Nonces beyond those of the rounds.
_NONCE = 500_000


def gather(desk: Desk) -> Iterator[Evidence]:
    """Aggregate rate, slowest and fastest stream and fairness, from two launches of each side."""
    flags = desk.run.profile.flags
    streams = int(flag_value(flags, "--parallel") or _STREAMS)
    scenario = _scenario(desk)
    room = _room(desk, streams, scenario)
    if room < _SHORTEST:
        yield not_run("slots", "slots_no_room", streams=streams)
        return
    profile = desk.run.profile.model_copy(update={"flags": replaced(flags, ("-np", str(streams)))})
    run = desk.run.model_copy(update={"profile": profile})
    waves: dict[int, list[Json]] = {}

    def launch(side: Side, slot: int) -> Launch:
        errand = _errand(desk, scenario, streams, min(scenario.prompt_tokens, room), slot // 2)
        answered = once(desk, run, "slots", side=side, slot=slot, errands=(errand,), errands_s=_LONGEST_S)
        waves[slot] = answered.extras.get("slots", {}).get("waves", [])[1:]
        return answered.launch

    launches = tuple(chain.from_iterable(in_turns(desk, launch)))
    if not launches:
        yield not_run("slots", BUDGET)
        return
    yield Evidence(
        kind="slots",
        measures=measures([(item.side, waves[item.slot]) for item in launches]),
        launches=launches,
        notes=(Reason(code="slots_streams", args={"streams": streams}), *breakage(launches)),
    )


def _scenario(desk: Desk) -> Scenario:
    scenarios = desk.run.profile.scenarios
    return next((item for item in scenarios if "decode" in item.judged), scenarios[-1])


def _room(desk: Desk, streams: int, scenario: Scenario) -> int:
    """Tokens of prompt that fit into one stream's share of the context."""
    return context_tokens(desk.run) // streams - scenario.n_predict - 1


def _errand(desk: Desk, scenario: Scenario, streams: int, length: int, place: int) -> Json:
    text = desk.tokens[scenario.name]
    waves = [
        [
            list(
                prompt_for(
                    text.ids, length, nonce=_NONCE + 1000 * place + 10 * wave + one, prefix=text.prefix
                )
            )
            for one in range(streams)
        ]
        for wave in range(_WAVES)
    ]
    return {"kind": "slots", "name": "slots", "waves": waves, "n_predict": scenario.n_predict}
