"""Functional canary: six chat requests to each side (`bot.bench.canary`), and where greedy answers part.

A check that head does not pass and base does is asked again before it counts: head once more in the same
words and once in others.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import Literal

from bot.bench.canary import CHECKS
from bot.bench.plan import Json
from bot.bench.runner import Answered
from bot.pipeline.evidence.desk import BUDGET, Desk, not_run
from bot.pipeline.evidence.launching import Series, broke, head_broke, pace
from bot.pipeline.evidence.texts import context_tokens, long_text, prompt_ids
from bot.records import SIDES, Check, CheckResult, Evidence, Reason, Side

#: Longest answer in tokens, the least of it, the seconds that it may take, and its share of the budget.
_ANSWER, _SHORTEST, _ANSWER_S, _ANSWER_SHARE = 768, 96, 6.0, 1 / 60
#: Longest text around the needle in tokens, and the seconds that reading it may take.
_HAYSTACK, _HAYSTACK_S = 32768, 20.0
#: Tokens of the plain greedy completion.
_GREEDY_PROMPT, _GREEDY = 128, 64
#: The request about reasoning is two.
_REQUESTS = len(CHECKS) + 1

Result = tuple[CheckResult, str]
Results = Mapping[str, Result]


def canary(desk: Desk) -> Iterator[Evidence]:
    """One launch of each side, and one more of head where it fails what base passes."""
    series, asking = Series(desk, "canary"), _Asking(desk)
    if not series.affords(2 * asking.seconds):
        yield not_run("canary", BUDGET)
        return
    first = asking.errand(CHECKS, wording=0)
    answers = {side: series.launch(side, first, asking.greedy()) for side in SIDES}
    base, head = (_results(answers[side], "canary-0") for side in SIDES)
    if doubtful := [name for name in CHECKS if base[name][0] == "pass" and _failed(head[name])]:
        head = {**head, **_asked_again(series, asking, doubtful, head)}
    yield _evidence(series, answers, base, head)


@dataclass(frozen=True)
class _Asking:
    """What the launches ask, at lengths that this machine answers in time."""

    desk: Desk

    @cached_property
    def n_predict(self) -> int:
        seconds = min(_ANSWER_S, _ANSWER_SHARE * self.desk.left_s)
        return int(max(_SHORTEST, min(_ANSWER, seconds * pace(self.desk.run).decode)))

    @cached_property
    def haystack_tokens(self) -> int:
        quick = _HAYSTACK_S * pace(self.desk.run).prefill
        return int(min(_HAYSTACK, quick, context_tokens(self.desk.run) // 2))

    @property
    def seconds(self) -> float:
        """What one launch takes at most."""
        answers = _REQUESTS * self.n_predict + _GREEDY
        return pace(self.desk.run).seconds(self.haystack_tokens, answers)

    def errand(self, checks: Sequence[str] | Mapping[str, object], *, wording: int) -> Json:
        return {
            "kind": "canary",
            "name": f"canary-{wording}",
            "checks": list(checks),
            "wording": wording,
            "n_predict": self.n_predict,
            "haystack": long_text(self.desk, self.haystack_tokens),
        }

    def greedy(self) -> Json:
        prompt = prompt_ids(self.desk, _GREEDY_PROMPT)
        return {"kind": "greedy", "name": "greedy", "prompt": prompt, "n_predict": _GREEDY}


def _asked_again(series: Series, asking: _Asking, names: Sequence[str], first: Results) -> Results:
    other = asking.errand(names, wording=1)
    head = series.launch("head", asking.errand(names, wording=0), other)
    same_words, others = _results(head, "canary-0"), _results(head, "canary-1")
    return {name: confirmed(first[name], same_words[name], others[name]) for name in names}


def confirmed(first: Result, again: Result, other: Result) -> Result:
    """Head's result of a check that base passed and head did not, once it was asked again.

    It counts when head passes it neither in the same words nor in others: who passes it in any words can do
    it. What was not answered confirms nothing.
    """
    return ("fail", first[1]) if _failed(again) and _failed(other) else ("pass", "wavering")


def _failed(result: Result) -> bool:
    """Whether it did not pass; that the build does not know the feature counts, where its base does."""
    return result[0] in ("fail", "unsupported")


def _results(answered: Answered, name: str) -> Results:
    checks = answered.extras.get(name, {}).get("checks", {})
    return {check: _result(checks.get(check)) for check in CHECKS}


def _result(answer: Sequence[str] | None) -> Result:
    if answer is None:
        return "not_run", ""
    code, detail = answer
    known: tuple[CheckResult, ...] = ("pass", "fail", "unsupported")
    return next((item for item in known if item == code), "not_run"), detail[:200]


def _evidence(series: Series, answers: Mapping[Side, Answered], base: Results, head: Results) -> Evidence:
    checks = tuple(
        Check(
            name=name,
            base=base[name][0],
            head=head[name][0],
            base_detail=base[name][1],
            head_detail=head[name][1],
        )
        for name in CHECKS
    )
    why = broke(answers.values())
    return Evidence(
        kind="canary",
        outcome="worse" if head_broke(answers.values()) else _outcome(checks),
        why=why,
        checks=checks,
        launches=tuple(series.launches),
        notes=tuple(
            _divergence(*(answers[side].extras.get("greedy", {}).get("tokens", []) for side in SIDES))
        ),
    )


def _outcome(checks: Sequence[Check]) -> Literal["same", "worse", "unjudged"]:
    if any(check.is_new_failure for check in checks):
        return "worse"
    return "same" if any(check.base == "pass" and check.head == "pass" for check in checks) else "unjudged"


def _divergence(base: Sequence[int], head: Sequence[int]) -> Iterator[Reason]:
    """The first token (from 1) at which plain greedy answers part; builds need not agree bit for bit."""
    if not base or not head:
        return
    pairs = zip_longest(base, head)
    place = next((number for number, (one, other) in enumerate(pairs, 1) if one != other), None)
    if place is None:
        yield Reason(code="greedy_same", args={"tokens": len(base)})
    else:
        yield Reason(code="greedy_parts", args={"token": place, "tokens": max(len(base), len(head))})
