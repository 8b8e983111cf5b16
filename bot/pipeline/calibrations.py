"""What earlier runs on this machine tell of its noise: K for the next, and whether it can tell the margin.

A run that compares a build with itself (A/A: `--base X --head X`) is the strict calibration: it also shows
whether this machine calls equal builds different. Every other run adds its spread for nothing, because the
spread within a build's launches does not ask what the other build is.
"""

import hashlib
from pathlib import Path

from bot import store
from bot.config import Settings
from bot.errors import BotError
from bot.records import Calibration, Reason, Run, Scenario
from bot.stats.metrics import primary
from bot.stats.noise import merged, noise, requests_worth

#: K as configured by default; a number that a user or a preset chose stays.
_DEFAULT_REQUESTS = 5
#: Older runs than so many weigh no more.
_MEMORY = 8


def key_of(run: Run) -> str:
    """What fixes the noise: the machine, its GPU and driver, the model, the flags. 12 hex digits."""
    gpu = run.machine.gpu
    parts = [run.machine.id, run.profile.model.sha256, *run.profile.flags]
    parts += [gpu.id, gpu.driver] if gpu else [run.profile.backend]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def known(settings: Settings, run: Run) -> Calibration | None:
    """What there is of this machine, model and flags; None where there is no file or none to be read."""
    path = _place(settings, run)
    try:
        return store.load(path, Calibration) if path.is_file() else None
    except BotError:
        return None


def with_requests(settings: Settings, run: Run) -> tuple[Scenario, ...]:
    """The scenarios, with as many requests per launch as this machine's noise asks for."""
    found = known(settings, run)
    if found is None:
        return run.profile.scenarios
    return tuple(_with_requests(found, item) for item in run.profile.scenarios)


def _with_requests(found: Calibration, scenario: Scenario) -> Scenario:
    worth = requests_worth(found.noise, scenario.name)
    if worth is None or scenario.requests != _DEFAULT_REQUESTS:
        return scenario
    return scenario.model_copy(update={"requests": worth})


def calibrated(settings: Settings, run: Run) -> Run:
    """The run with the calibration as it stands after it; as it was where this run adds nothing.

    A comparison on a machine whose last self-test left a primary metric open gets `self_test_failed`.
    """
    before = known(settings, run) or Calibration(key=key_of(run))
    after = _after(before, run)
    notes = run.notes
    if not run.pair.is_self_test and run.comparisons:
        failed = sorted(primary(run.profile) & set(before.unresolved))
        notes += tuple(Reason(code="self_test_failed", args={"metric": name}) for name in failed)
    return run.model_copy(update={"calibration": after if after.runs else None, "notes": notes})


def _after(before: Calibration, run: Run) -> Calibration:
    found = noise(run.valid_rounds, run.comparisons)
    if not found or before.last_run == run.id:
        return before
    update: dict[str, object] = {
        "last_run": run.id,
        "runs": before.runs + 1,
        "noise": merged(before.noise, min(before.runs, _MEMORY), found),
    }
    if run.pair.is_self_test:
        outcomes = {item.metric: item.outcome for item in run.comparisons}
        alarmed = bool({"regression", "improvement"} & set(outcomes.values()))
        update["self_tests"] = before.self_tests + 1
        update["false_alarms"] = before.false_alarms + alarmed
        update["unresolved"] = tuple(name for name, outcome in outcomes.items() if outcome != "within")
    return before.model_copy(update=update)


def remember(settings: Settings, run: Run) -> None:
    """Keep it for the next run."""
    if run.calibration:
        store.save(_place(settings, run), run.calibration)


def _place(settings: Settings, run: Run) -> Path:
    return settings.cache / "calibrations" / f"{key_of(run)}.json"
