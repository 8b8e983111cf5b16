"""Of what a profile asks for, only memory that grows and a head that computes nonsense hold an upgrade."""

import pytest

from bot.report.alarms import alarms
from bot.report.verdict import conclude
from tests.support.opted import OPTED, leak, likelihood, llama_bench, slots, variant
from tests.support.runs import comparison, comparisons, run

FASTER = comparisons(decode_coding=comparison("decode", "coding", 0.062, "improvement"))


@pytest.mark.parametrize(
    ("outcome", "code"), [("hold-leak", "memory_grows"), ("hold-likelihood", "canary_failed")]
)
def test_it_means_hold_whatever_the_speed(outcome: str, code: str) -> None:
    made = OPTED[outcome]().model_copy(update={"comparisons": FASTER})
    found = conclude(made)
    assert (found.code, found.reasons[0].code) == ("hold", code)


def test_growth_is_told_with_its_size_and_the_gpus_before_the_hosts() -> None:
    found = leak(12.4, "worse")
    both = found.model_copy(
        update={"measures": tuple(item.model_copy(update={"outcome": "worse"}) for item in found.measures)}
    )
    (reason,) = alarms(run(evidence=(both,)))
    assert reason.args == {"place": "vram", "base_mib": "0.0", "head_mib": "12.4"}


def test_everything_else_changes_no_verdict() -> None:
    worse = likelihood().model_copy(update={"outcome": "worse"})
    made = run(evidence=(llama_bench(), worse, variant(), slots(), leak(12.4, "unjudged")))
    assert list(alarms(made)) == []
    assert conclude(made) == conclude(made.model_copy(update={"evidence": ()}))
