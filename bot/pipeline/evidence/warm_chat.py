"""Warm chat: what turns 2 to 4 of a long chat process again, with the caches as their user runs them.

The turns come from `bot.bench.chat`. The counts are exact, so that one launch would tell; two of each side
tell that they repeat.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from statistics import median
from typing import Literal

from bot.bench.chat import Turn
from bot.bench.plan import Json
from bot.bench.runner import Answered
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.pipeline.evidence.launching import Pace, Series, broke, head_broke, pace
from bot.pipeline.evidence.texts import context_tokens, long_text
from bot.records import SIDES, Evidence, Measure, Reason, Side

Judged = Literal["same", "better", "worse", "unjudged"]

#: Tokens of the first turn's document at most, and the seconds that reading it may take.
_DOCUMENT, _DOCUMENT_S = 2048, 10.0
#: Share of the context for it: the other turns and their answers need room too.
_SHARE = 3
_ANSWER = 4
#: Tokens that a turn may process again beyond the base: a template's own, such as an empty thought that goes.
TOLERANCE = 32

_FOLLOWING = ("What does it cost?", "Who decides?", "What is uncertain?")
_ANSWERS = ("It is about a weir.", "The text names three sums.", "The members do.")


def warm_chat(desk: Desk) -> Iterator[Evidence]:
    """Base and head in turn, twice each where the budget allows."""
    series, speed = Series(desk, "warm_chat"), pace(desk.run)
    tokens = _document_tokens(desk, speed)
    if not series.affords(2 * speed.seconds(2 * tokens, 4 * _ANSWER)):
        yield not_run("warm_chat", BUDGET)
        return
    errand: Json = {"kind": "chat", "name": "chat", "turns": _turns(desk, tokens), "n_predict": _ANSWER}
    answers: dict[Side, list[Answered]] = {"base": [], "head": []}
    before = desk.left_s
    for order in (SIDES, SIDES[::-1]):
        if series.launches and not _once_more(series, answers, before - desk.left_s):
            break
        for side in order:
            answers[side].append(series.launch(side, errand))
    yield _evidence(series, answers)


def _document_tokens(desk: Desk, speed: Pace) -> int:
    return int(min(_DOCUMENT, context_tokens(desk.run) // _SHARE, _DOCUMENT_S * speed.prefill))


def _turns(desk: Desk, tokens: int) -> list[Turn]:
    said = (long_text(desk, tokens), *_FOLLOWING)
    return [{"user": user, "assistant": answer} for user, answer in zip(said, (*_ANSWERS, ""), strict=True)]


def _once_more(series: Series, answers: dict[Side, list[Answered]], took_s: float) -> bool:
    return broke(chain(*answers.values())) is None and series.affords(took_s)


def _evidence(series: Series, answers: dict[Side, list[Answered]]) -> Evidence:
    turns = {side: [_turns_of(item) for item in items] for side, items in answers.items()}
    measures = tuple(compared(turns["base"], turns["head"]))
    return Evidence(
        kind="warm_chat",
        outcome="worse" if head_broke(chain(*answers.values())) else _outcome(measures),
        why=broke(chain(*answers.values())) or _refused(answers),
        measures=measures,
        launches=tuple(series.launches),
    )


def _turns_of(answered: Answered) -> list[Json]:
    return list(answered.extras.get("chat", {}).get("turns", []))


def compared(base: Sequence[Sequence[Json]], head: Sequence[Sequence[Json]]) -> Iterator[Measure]:
    """Per turn from the second on: tokens processed again, tokens cached, TTFT.

    Each argument holds one side's launches, each a list of turns (`bot.bench.chat`). Of tokens processed
    again the least of a side's launches counts, so that a regression stands in every launch of head; TTFT is
    the median, and judged only where the processing differs.
    """
    known = min((len(turns) for turns in (*base, *head)), default=0)
    for turn in range(1, known):
        again = [min(reprocessed(turns, turn) for turns in side) for side in (base, head)]
        outcome = _judged(*again)
        cached, ttft = (
            [float(median(turns[turn][name] for turns in side)) for side in (base, head)]
            for name in ("cached", "ttft_ms")
        )
        place = turn + 1
        yield Measure(
            name=f"reprocessed:{place}", unit="tokens", base=again[0], head=again[1], outcome=outcome
        )
        yield Measure(name=f"cached:{place}", unit="tokens", base=cached[0], head=cached[1])
        agrees = outcome == ("worse" if ttft[1] > ttft[0] else "better")
        yield Measure(
            name=f"warm_ttft:{place}",
            unit="ms",
            base=ttft[0],
            head=ttft[1],
            outcome=outcome if agrees else "unjudged",
        )


def reprocessed(turns: Sequence[Json], turn: int) -> int:
    """Tokens of the last turn's prompt that this turn processed again: those that no cache gave back."""
    return max(0, int(turns[turn - 1]["total"]) - int(turns[turn]["cached"]))


def _judged(base: int, head: int) -> Judged:
    if abs(head - base) <= TOLERANCE:
        return "same"
    return "worse" if head > base else "better"


def _outcome(measures: Sequence[Measure]) -> Judged:
    found = {item.outcome for item in measures if item.name.startswith("reprocessed")}
    order: tuple[Judged, ...] = ("worse", "better", "same")
    return next((code for code in order if code in found), "unjudged")


def _refused(answers: dict[Side, list[Answered]]) -> Reason | None:
    """The first refusal of a turn: the turns after it are missing."""
    for side, items in answers.items():
        for said in (item.extras.get("chat", {}).get("refused") for item in items):
            if said:
                return Reason(code="evidence_refused", args={"side": side, "said": str(said)[:200]})
    return None
