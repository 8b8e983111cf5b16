"""One machine, one run; and a question that was answered is not measured again."""

from pathlib import Path

import pytest

from bot.records import Run, Sample
from bot.store import load_run
from tests.real.conftest import Desks
from tests.support.command import Desk
from tests.support.scripted import scripted

pytestmark = pytest.mark.real


@pytest.fixture(scope="module")
def desk(desks: Desks) -> Desk:
    """A folder whose run `first` is finished."""
    made = desks("queue", lambda folder: {side: scripted(folder, token_ms=1.0) for side in ("base", "head")})
    assert made.run("first").wait() == 0
    return made


def files(folder: Path) -> dict[str, int]:
    """Every file and when it was written."""
    return {str(path): path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


def record(desk: Desk, name: str) -> Run:
    return load_run(desk.folder / name / "run.json")


def samples(run: Run) -> set[Sample]:
    """Every request's timings; no two measurements have the same."""
    return {sample for launch in run.launches() for sample in launch.samples}


@pytest.mark.parametrize(("language", "words"), [("en", "finished already"), ("zh-Hans", "--again")])
def test_a_finished_run_is_pointed_at_and_not_measured_again(desk: Desk, language: str, words: str) -> None:
    before = files(desk.folder / "first")
    command = desk.run("first", language=language)
    assert command.wait() == 0
    assert words in command.stderr
    assert record(desk, "first").id in command.stderr
    assert command.stdout.splitlines()[-1].endswith("first/report.md")
    assert files(desk.folder / "first") == before


def test_again_measures_anew_and_keeps_the_earlier_attempt(desk: Desk) -> None:
    assert desk.run("anew").wait() == 0
    earlier = (desk.folder / "anew" / "run.json").read_bytes()
    aside = f"anew.{record(desk, 'anew').id}"
    assert desk.run("anew", "--again").wait() == 0
    assert (desk.folder / aside / "run.json").read_bytes() == earlier
    first, second = record(desk, aside), record(desk, "anew")
    assert second.id == f"{first.id}-2"
    assert first.plan is not None
    assert second.plan is not None
    assert first.plan.seed != second.plan.seed
    assert samples(first).isdisjoint(samples(second))


def test_the_second_run_waits_and_says_so_and_the_third_does_not_want_to(desk: Desk) -> None:
    one = desk.run("one")
    one.until((desk.folder / "one" / "rounds").exists)
    two = desk.run("two")
    two.until(lambda: "waiting" in two.stderr)
    three = desk.run("three", "--no-wait")
    assert three.wait() == 4
    assert one.process.poll() is None
    assert str(one.process.pid) in three.stderr
    assert record(desk, "first").id in three.stderr
    assert not (desk.folder / "two" / "steps").exists()
    assert one.wait() == 0
    assert two.wait() == 0
    begun = min(path.stat().st_mtime_ns for path in (desk.folder / "two" / "launches").rglob("plan.json"))
    assert begun > (desk.folder / "one" / "run.json").stat().st_mtime_ns


def test_the_same_command_twice_at_once_measures_once(desk: Desk) -> None:
    one = desk.run("twice")
    one.until((desk.folder / "twice" / "rounds").exists)
    two = desk.run("twice")
    two.until(lambda: "waiting" in two.stderr)
    assert (one.wait(), two.wait()) == (0, 0)
    assert "finished already" in two.stderr
    assert [item.attempt for item in record(desk, "twice").rounds] == [0, 0, 0, 0]


def test_again_does_not_disturb_the_attempt_that_is_still_running(desk: Desk) -> None:
    one = desk.run("both")
    one.until((desk.folder / "both" / "rounds").exists)
    two = desk.run("both", "--again")
    two.until(lambda: "waiting" in two.stderr)
    assert (one.wait(), two.wait()) == (0, 0)
    second = record(desk, "both")
    first = record(desk, f"both.{second.id.removesuffix('-2')}")
    assert (len(first.valid_rounds), len(second.valid_rounds)) == (4, 4)
    assert first.created <= second.created
    assert samples(first).isdisjoint(samples(second))


def test_a_run_that_ends_without_warning_frees_the_machine(desk: Desk) -> None:
    one = desk.run("killed")
    one.until((desk.folder / "killed" / "rounds").exists)
    one.kill()
    assert desk.gone() == []
    assert desk.run("killed", "--no-wait").wait() == 0


def test_nothing_is_left_running(desk: Desk) -> None:
    assert desk.gone() == []
