"""What earlier runs on this machine tell of its noise: K for the next, and whether it can tell the margin.

A comparison of a build with itself (A/A: before the first comparison, `bot.pipeline.self_test`, or asked for
with `--base X --head X`) is the strict calibration: it also shows whether this machine calls equal builds
different. A pair of tags with nothing in between that acts on the profile is as good. Every other run adds
its spread for nothing, because the spread within a build's launches does not ask what the other build is.
"""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from bot import store
from bot.config import Settings
from bot.errors import BotError
from bot.records import Calibration, Machine, PastSelfTest, Reason, Run, Scenario
from bot.stats.decide import LOOKS
from bot.stats.metrics import primary
from bot.stats.noise import merged, noise, requests_worth

#: K as configured by default; a number that a user or a preset chose stays.
_DEFAULT_REQUESTS = 5
#: Older runs than so many weigh no more.
_MEMORY = 8
#: Self-tests that are remembered one by one.
_KEPT = 24
_CHANGED = frozenset({"regression", "improvement"})


def key_of(run: Run) -> str:
    """See `key`."""
    return key(run.machine, run.profile.model.sha256, run.profile.flags)


def key(machine: Machine, model: str, flags: Sequence[str]) -> str:
    """What fixes the noise: machine, GPU and driver, the model (its SHA-256), the flags. 12 hex digits."""
    gpu = machine.gpu
    parts = [machine.id, model, *flags, *((gpu.id, gpu.driver) if gpu else ("cpu",))]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def known(settings: Settings, run: Run) -> Calibration | None:
    """What there is of this machine, model and flags; None where there is no file or none to be read."""
    return found(settings, key_of(run))


def found(settings: Settings, name: str) -> Calibration | None:
    """As `known`, by key."""
    path = _place(settings, name)
    try:
        return store.load(path, Calibration) if path.is_file() else None
    except BotError:
        return None


def with_requests(settings: Settings, run: Run) -> tuple[Scenario, ...]:
    """The scenarios, with as many requests per launch as this machine's noise asks for."""
    kept = known(settings, run)
    if kept is None:
        return run.profile.scenarios
    return tuple(_with_requests(kept, item, run.profile.margin) for item in run.profile.scenarios)


def _with_requests(kept: Calibration, scenario: Scenario, margin: float) -> Scenario:
    worth = requests_worth(kept.noise, scenario.name, margin)
    if worth is None or scenario.requests != _DEFAULT_REQUESTS:
        return scenario
    return scenario.model_copy(update={"requests": worth})


def calibrated(settings: Settings, run: Run) -> Run:
    """The run with the calibration as it stands after it; as it was where this run adds nothing.

    A comparison gets a note of what the last self-test here (its own, where there was one) left open.
    """
    before = known(settings, run) or _none(run)
    after = _after(before, run)
    notes = run.notes
    if not run.pair.is_self_test and run.comparisons:
        notes += tuple(_failures(before, run))
    return run.model_copy(update={"calibration": after if after.runs else None, "notes": notes})


def tested(settings: Settings, run: Run) -> Run:
    """A finished self-test, remembered at once: the comparison that follows may not come to its end."""
    done = run.model_copy(update={"calibration": _after(known(settings, run) or _none(run), run)})
    remember(settings, done)
    return done


def _none(run: Run) -> Calibration:
    return Calibration(key=key_of(run))


def _failures(kept: Calibration, run: Run) -> Iterator[Reason]:
    """Which primary metrics the last self-test left open or called changed, and which others."""
    needed = primary(run.profile)
    judged = [item.metric for item in run.comparisons]
    unresolved = [metric for metric in judged if metric in kept.unresolved]
    cases = {
        "self_test_alarm": lambda metric: metric in kept.alarmed and metric in needed,
        "self_test_failed": lambda metric: metric not in kept.alarmed and metric in needed,
        "self_test_side_alarm": lambda metric: metric in kept.alarmed and metric not in needed,
        "self_test_side": lambda metric: metric not in kept.alarmed and metric not in needed,
    }
    for code, is_case in cases.items():
        if metrics := list(filter(is_case, unresolved)):
            yield Reason(code=code, args={"metrics": " ".join(metrics)})


def _after(before: Calibration, run: Run) -> Calibration:
    seen = noise(run.valid_rounds, run.comparisons)
    if not seen or before.last_run == run.id:
        return before
    update: dict[str, object] = {
        "last_run": run.id,
        "runs": before.runs + 1,
        "noise": merged(before.noise, min(before.runs, _MEMORY), seen),
    }
    return before.model_copy(update=update | _self_tested(before, run))


def _self_tested(before: Calibration, run: Run) -> dict[str, object]:
    """What the run adds where it was a self-test that could tell: one build twice, or a pair as good."""
    made = _outcome(run) if run.pair.is_self_test or _is_idle(run) else None
    if made is None:
        return {}
    past = PastSelfTest(
        at=run.created,
        run=run.id,
        outcome=made,
        rounds=len(run.valid_rounds),
        pair=not run.pair.is_self_test,
    )
    update: dict[str, object] = {
        "self_tests": before.self_tests + 1,
        "false_alarms": before.false_alarms + (made == "alarm"),
        "past": (*before.past, past)[-_KEPT:],
    }
    if made == "quiet" or not past.pair:
        update["unresolved"] = tuple(item.metric for item in run.comparisons if item.outcome != "within")
        update["alarmed"] = tuple(item.metric for item in run.comparisons if item.outcome in _CHANGED)
    return update


def _outcome(run: Run) -> Literal["quiet", "alarm", "open"] | None:
    """What a self-test came to; None for one that left something open before the last look."""
    outcomes = {item.outcome for item in run.comparisons}
    if outcomes & _CHANGED:
        return "alarm"
    if outcomes == {"within"}:
        return "quiet"
    return "open" if len(run.valid_rounds) >= LOOKS[-1] else None


def _is_idle(run: Run) -> bool:
    """Whether nothing between base and head acts on the profile, by the changelog's own reading."""
    worth = run.highlights.worth if run.highlights else ()
    return run.profile.preset is None and tuple(item.code for item in worth) == ("worth-nothing",)


def remember(settings: Settings, run: Run) -> None:
    """Keep it for the next run."""
    if run.calibration:
        store.save(_place(settings, key_of(run)), run.calibration)


def _place(settings: Settings, name: str) -> Path:
    return settings.cache / "calibrations" / f"{name}.json"
