"""What is remembered of this machine's self-tests (A/A) with this model and these flags."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.doctor.finding import Finding, ok, warning
from bot.doctor.weights import Weights
from bot.gpu.machine import fingerprint
from bot.pipeline import calibrations
from bot.records import Calibration

if TYPE_CHECKING:
    from bot.doctor.case import Case


def self_tests(case: "Case") -> Iterator[Finding]:
    """Nothing where the GPU or the model is not to be had: others say so."""
    if isinstance(case.device, Exception) or not isinstance(case.weights, Weights):
        return
    wanted = case.settings.machine.self_test
    is_automatic = wanted == "always" or (wanted == "auto" and case.backend == "cuda")
    yield judge(_known(case, case.weights), is_automatic=is_automatic)


def judge(known: Calibration | None, *, is_automatic: bool) -> Finding:
    """`is_automatic`: a run makes the first self-test unasked."""
    if known is None or not known.past:
        return ok("self-test", "due" if is_automatic else "none")
    last = known.past[-1]
    args: dict[str, str | int] = {
        "tests": known.self_tests,
        "alarms": known.false_alarms,
        "date": last.at[:10],
    }
    if last.outcome == "quiet":
        return ok("self-test", quiet=known.self_tests - known.false_alarms, **args)
    return warning("self-test", last.outcome, **args)


def _known(case: "Case", weights: Weights) -> Calibration | None:
    if not weights.hashed:
        return None
    key = calibrations.key(fingerprint(case.gpu), weights.sha256, case.profile.flags)
    return calibrations.found(case.settings, key)
