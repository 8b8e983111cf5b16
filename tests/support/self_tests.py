"""Self-tests (A/A) and what a machine remembers of them, for records of tests."""

from typing import Any

from bot.records import Calibration, Comparison, Noise, PastSelfTest, Reason, Run, SelfTest
from bot.stats.suspicion import withheld

from .runs import comparison, comparisons, memory, plan, run

TAG = "b9556"


def noise(metric: str, sd_round: float = 0.008, detectable: float = 0.010, rounds: int = 6) -> Noise:
    """How one metric scatters."""
    scenario = metric.partition(":")[2]
    spread = {"request": 0.01, "launch": 0.004, "sd_round": sd_round}
    return Noise(metric=metric, scenario=scenario, rounds=rounds, detectable=detectable, **spread)


def self_test(found: tuple[Comparison, ...], **changes: Any) -> SelfTest:
    """Base against itself; as many rounds as the first metric took."""
    values: dict[str, Any] = {
        "tag": TAG,
        "plan": plan(),
        "rounds": found[0].rounds,
        "launches": 2 * found[0].rounds,
        "comparisons": found,
        "requests": {"chat": 7, "document": 5, "coding": 5},
        "seconds": 1620.0,
    }
    return SelfTest.model_validate(values | changes)


def calibration(*outcomes: Any, **changes: Any) -> Calibration:
    """What a machine remembers: self-tests with these outcomes, one a month."""
    past = tuple(
        PastSelfTest(at=f"2026-{month:02}-14T08:30:00Z", run=f"r{month}", outcome=outcome, rounds=12)
        for month, outcome in enumerate(outcomes, start=7 - len(outcomes))
    )
    values: dict[str, Any] = {
        "key": "k",
        "runs": 3,
        "self_tests": len(past),
        "false_alarms": outcomes.count("alarm"),
        "noise": (noise("decode:coding"), noise("prefill:document", 0.011, 0.014)),
        "past": past,
    }
    return Calibration.model_validate(values | changes)


def passed(**changes: Any) -> Run:
    """A comparison on a machine that passed its self-test."""
    same = tuple(item.model_copy(update={"rounds": 6}) for item in comparisons())
    known = calibration("quiet", "quiet")
    return run(memory=memory(15359.0), self_test=self_test(same), calibration=known, **changes)


def blind() -> Run:
    """The self-test's twelve rounds left decode open, and so the machine cannot resolve the margin there."""
    wide = comparison("decode", "coding", -0.006, "inconclusive", rounds=12, half=0.034)
    return _failed("self_test_failed", wide, rounds=12)


def alarmed() -> Run:
    """The self-test called decode changed."""
    wrong = comparison("decode", "coding", -0.041, "regression", rounds=12, half=0.02)
    return _failed("self_test_alarm", wrong, rounds=12)


def blind_aside() -> Run:
    """The self-test left only a side metric open."""
    wide = comparison("ttft", "chat", 0.012, "inconclusive", rounds=12, half=0.035)
    return _failed("self_test_side", wide, rounds=12)


def _failed(code: str, item: Comparison, rounds: int) -> Run:
    metric = item.metric
    special = {f"{item.kind}_{item.scenario}": item}
    found = comparisons(**special)
    sd = 0.031 if item.outcome == "inconclusive" else 0.012
    outcome = "alarm" if "alarm" in code else "open"
    known = calibration(
        outcome,
        noise=(noise(metric, sd, 1.8 * sd, rounds), noise("prefill:document", 0.011, 0.014, rounds)),
        unresolved=(metric,),
        alarmed=(metric,) if outcome == "alarm" else (),
    )
    notes = (Reason(code=code, args={"metrics": metric}),)
    return run(
        memory=memory(15359.0),
        comparisons=withheld(comparisons(), notes),
        self_test=self_test(found, rounds=rounds, launches=2 * rounds, seconds=2790.0),
        calibration=known,
        notes=notes,
    )
