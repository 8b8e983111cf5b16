"""Whether memory grows with every request: many short ones to one server, and what it holds after each."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bot.bench.plan import Json
from bot.bench.prompts import prompt_for
from bot.bench.runner import Answered
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.pipeline.evidence.pairs import breakage, in_turns, once
from bot.records import Evidence, Launch, Measure, MemoryTrace, Reason, Side
from bot.stats.leaks import confirmed, grown

_REQUESTS, _PROMPT, _GENERATED = 200, 32, 4
#: Nonces beyond those of the rounds.
_NONCE = 700_000
#: Share of what is left of the budget that one launch's requests may take: four launches, and their starts.
_SHARE = 0.2
#: One short request; a server that takes longer hangs.
_LONGEST_S = 300.0

Held = Mapping[str, Sequence[float]]


def gather(desk: Desk) -> Iterator[Evidence]:
    """Growth per 100 requests on both sides; a difference is measured again before it counts."""
    servers = _Servers(desk)
    launches: list[Launch] = []
    rounds: list[tuple[Measure, ...]] = []
    for pair in in_turns(desk, servers.launch):
        launches += pair
        rounds.append(grown(*(servers.held[item.slot] for item in sorted(pair, key=lambda one: one.side))))
        calm = all(measure.outcome == "same" for measure in rounds[-1])
        if calm and all(item.status == "ok" for item in pair):
            break
    if launches:
        yield _evidence(confirmed(rounds), tuple(launches), servers.fewest)
    else:
        yield not_run("leak", BUDGET)


def _evidence(measures: tuple[Measure, ...], launches: tuple[Launch, ...], fewest: int) -> Evidence:
    outcomes = {item.outcome for item in measures}
    notes = (Reason(code="leak_requests", args={"requests": fewest}), *breakage(launches))
    return Evidence(
        kind="leak",
        outcome=next((code for code in ("worse", "better", "same") if code in outcomes), "unjudged"),
        why=None if measures else Reason(code="leak_too_few"),
        measures=measures,
        launches=launches,
        notes=notes if measures else notes[1:],
    )


@dataclass
class _Servers:
    """Starts one server after the other; `held` by slot: MiB after each request, by where it was read."""

    desk: Desk
    held: dict[int, Held] = field(default_factory=dict)

    def launch(self, side: Side, slot: int) -> Launch:
        errand = _errand(self.desk)
        answered = once(
            self.desk,
            self.desk.run,
            "leak",
            side=side,
            slot=slot,
            errands=(errand,),
            errands_s=errand["seconds"] + _LONGEST_S,
        )
        self.held[slot] = _held(answered)
        return answered.launch

    @property
    def fewest(self) -> int:
        """Requests that every server answered."""
        return min((len(item["rss"]) for item in self.held.values()), default=0)


def _errand(desk: Desk) -> Json:
    """The same short requests for every server, as many as fit."""
    text = max(desk.tokens.values(), key=lambda item: len(item.ids))
    prompts = [
        list(prompt_for(text.ids, _PROMPT, nonce=_NONCE + number, prefix=text.prefix))
        for number in range(_REQUESTS)
    ]
    return {
        "kind": "leak",
        "name": "leak",
        "prompts": prompts,
        "n_predict": _GENERATED,
        "seconds": _SHARE * desk.left_s,
    }


def _held(answered: Answered) -> Held:
    after = answered.extras.get("leak", {}).get("after", [])
    trace = next((item for item in answered.launch.memory if item.source == "nvml"), None)
    held = {"rss": [mib for _, mib in after]}
    if trace and trace.points:
        held["vram"] = [_at(trace, seconds) for seconds, _ in after]
    return held


def _at(trace: MemoryTrace, seconds: float) -> float:
    """What the sampler saw last before that moment."""
    place = bisect_right(trace.points, (seconds, float("inf"))) - 1
    return trace.points[max(0, place)][1]
