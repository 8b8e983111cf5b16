"""When a self-test comes before a comparison, what it may cost, and what follows from it."""

import io
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from rich.console import Console

from bot.build.builder import Built
from bot.config import Settings
from bot.config.models import MachineConfig
from bot.pipeline import calibrations, self_test
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.context import Context
from bot.pipeline.launching import save_tokens
from bot.pipeline.preparing import TOKENS
from bot.progress import Reporter
from bot.records import Build, Calibration, PastSelfTest, Profile, Round, Run
from bot.report.words import catalog
from tests.support import facts
from tests.support.facts import CODING

TODAY = "2026-11-30T00:00:00+00:00"


def build(side: str = "base", **changes: object) -> Build:
    values = {"side": side, "tag": "b9553", "sha": "a" * 40, "key": "aaaa-cpu", "backend": "cpu"}
    return Build.model_validate(values | changes)


def run(**changes: Any) -> Run:
    scenarios = (CODING.model_copy(update={"requests": 5}),)
    profile: Profile = facts.profile().model_copy(update={"scenarios": scenarios})
    warmup = facts.round_of(0)
    return facts.run(
        **{"builds": (build(),), "plan": facts.plan(), "profile": profile, "warmup": warmup, **changes}
    )


class Desk:
    """A run's folder and settings; `said` is what the user read."""

    def __init__(self, folder: Path, backend: str = "cuda", **machine: object) -> None:
        self.folder, self.console = folder, io.StringIO()
        console = Console(file=self.console, width=300)
        settings = Settings.model_construct(
            cache=folder / "cache", budget_s=2700, machine=MachineConfig.model_validate(machine)
        )
        profile: Any = type("Profile", (), {"rounds": 12, "looks": (4, 6, 8, 10, 12), "evidence": ()})
        self.context = Context(
            settings=settings,
            profile=profile,
            mirror=None,  # type: ignore[arg-type]
            folder=RunFolder(folder / "run"),
            reporter=Reporter(catalog("en").text, console),
            backend=backend,  # type: ignore[arg-type]
            device=None,
        )
        save_tokens(folder / "run" / TOKENS, {})

    @property
    def said(self) -> str:
        return self.console.getvalue()

    def is_due(self, item: Run) -> bool:
        return self_test.is_due(self.context, item)

    def remember(self, item: Run, days_ago: int) -> None:
        at = f"2026-{11 - days_ago // 30:02}-30T00:00:00+00:00"
        past = (PastSelfTest(at=at, run="r", outcome="quiet", rounds=6),)
        known = Calibration(key=calibrations.key_of(item), runs=1, past=past)
        done = item.model_copy(update={"calibration": known})
        calibrations.remember(self.context.settings, done)


@pytest.mark.parametrize(
    ("backend", "wanted", "due"),
    [
        ("cuda", "auto", True),
        ("cpu", "auto", False),
        ("cpu", "always", True),
        ("cuda", "always", True),
        ("cuda", "never", False),
    ],
)
def test_a_new_model_is_tested_on_a_gpu_and_on_a_cpu_only_where_that_is_asked_for(
    tmp_path: Path, backend: str, wanted: str, due: bool
) -> None:
    assert Desk(tmp_path, backend, self_test=wanted).is_due(run()) is due


@pytest.mark.parametrize(("days", "due"), [(0, False), (60, False), (120, True)])
def test_what_is_known_holds_for_ninety_days(tmp_path: Path, days: int, due: bool) -> None:
    desk = Desk(tmp_path)
    desk.remember(run(created=TODAY), days)
    assert desk.is_due(run(created=TODAY)) is due


def test_noise_without_a_self_test_does_not_replace_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    known = Calibration(key=calibrations.key_of(run()), runs=7)
    calibrations.remember(desk.context.settings, run(calibration=known))
    assert desk.is_due(run())


def test_neither_a_self_test_nor_a_preset_nor_foreign_binaries_wait_for_one(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    same = facts.pair().model_copy(update={"head": facts.pair().base})
    quick = run().profile.model_copy(update={"preset": "quick"})
    assert not desk.is_due(run(pair=same))
    assert not desk.is_due(run(profile=quick))
    assert not desk.is_due(run(builds=(build(source="path"),)))


def test_a_run_that_an_older_version_began_to_measure_is_not_planned_anew(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    assert desk.is_due(run())
    desk.context.folder.save_round(facts.round_of(0))
    assert not desk.is_due(run())
    assert self_test.twin(desk.context, run()) is None


def test_one_that_was_begun_is_gone_on_with(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.remember(run(created=TODAY), 0)
    (tmp_path / "run" / "self-test").mkdir()
    assert desk.is_due(run(created=TODAY))


def test_a_budget_below_the_first_look_makes_none_and_says_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path, self_test_budget="79s")
    done = self_test.measured(desk.context, run(), Built(build("head"), tmp_path))
    assert [note.code for note in done.notes] == ["self_test_budget"]
    assert done.self_test is not None and done.self_test.why == done.notes[0]
    assert "four rounds take 1:20, machine.self_test_budget allows 1:19" in desk.said


def test_a_second_build_that_fails_costs_the_self_test_and_not_the_run(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    done = self_test.measured(desk.context, run(), Built(build("head", status="failed"), None))
    assert [note.code for note in done.notes] == ["self_test_build"]
    assert "b9553 could not be built a second time" in desk.said


def scattered(context: Context, item: Run) -> Run:
    """In place of measuring: four rounds whose requests scatter much, and whose launches hardly do."""
    factors = (1.0, 1.01, 0.99, 1.02, 0.98)

    def jittered(made: Round) -> Round:
        launches = []
        for one in made.launches:
            samples = tuple(
                sample.model_copy(update={"predicted_ms": sample.predicted_ms * factor})
                for sample, factor in zip(one.samples * 2, factors, strict=False)
            )
            launches.append(one.model_copy(update={"samples": samples}))
        return made.model_copy(update={"launches": tuple(launches)})

    rounds = tuple(jittered(facts.round_of(index)) for index in range(4))
    assert item.pair.is_self_test and [one.side for one in item.builds] == ["base", "head"]
    assert context.folder.path.name == "self-test"
    return item.model_copy(update={"rounds": rounds})


def test_noise_is_kept_at_once_and_k_follows_from_it(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    begun = run()
    wrapped = replace(desk.context, wrapper={"base": ("slow",)})
    with patch.object(self_test, "measure", scattered):
        done = self_test.measured(wrapped, begun, Built(build("head"), tmp_path))
    assert done.self_test is not None and done.plan is not None
    assert [item.outcome for item in done.self_test.comparisons] == ["within"] * 3
    assert done.self_test.rounds == 4 and done.rounds == ()
    known = calibrations.known(desk.context.settings, done)
    assert known is not None and known.past[-1].outcome == "quiet"
    worth = calibrations.with_requests(desk.context.settings, begun)[0].requests
    assert worth != 5
    assert done.profile.scenarios[0].requests == done.self_test.requests["coding"] == worth
    assert "Self-test (A/A): b9553 against itself first" in desk.said
    assert "adds 1:20 to 4:00 to the run (its own budget: 45:00)" in desk.said
    assert "passed: no difference in 4 rounds" in desk.said


def test_the_self_tests_looks_are_the_rules_own_whatever_the_comparison_may_cost(tmp_path: Path) -> None:
    desk = Desk(tmp_path, self_test_budget="170s")
    short = facts.plan(max_rounds=4, looks=(4,), budget_s=90.0)
    with patch.object(self_test, "measure", scattered):
        done = self_test.measured(desk.context, run(plan=short), Built(build("head"), tmp_path))
    assert done.self_test is not None and done.self_test.plan is not None
    assert (done.self_test.plan.max_rounds, done.self_test.plan.looks) == (8, (4, 6, 8))


def test_a_noise_that_is_there_already_leaves_k_as_it_was_planned(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    chosen = run().profile.model_copy(update={"scenarios": (CODING.model_copy(update={"requests": 4}),)})
    with patch.object(self_test, "measure", scattered):
        done = self_test.measured(desk.context, run(profile=chosen), Built(build("head"), tmp_path))
    assert done.profile == chosen
    assert done.plan == facts.plan()
