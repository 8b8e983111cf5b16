"""The self-test (A/A) before the first comparison: through the command, killed midway, and only once."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.records import SIDES, Run, SelfTest
from bot.store import load_run
from tests.real.conftest import Desks
from tests.support.command import Command, Desk
from tests.support.real import Wrapper, on_device

pytestmark = pytest.mark.real

#: The base whose second build lies in the cache of whoever has run the other tests.
TAGS = ("--base", "b9601", "--head", "b9553")


@dataclass
class Story:
    """One desk: a run killed in its self-test and gone on with, then another run."""

    desk: Desk
    killed: Command
    kept: dict[str, bytes]
    first: Command
    second: Command

    def run(self, name: str) -> Run:
        return load_run(self.desk.folder / name / "run.json")

    @property
    def made(self) -> SelfTest:
        found = self.run("one").self_test
        assert found is not None
        return found


@pytest.fixture(scope="module")
def story(desks: Desks) -> Story:
    # So long a decode step and so wide a margin that one build is equal to itself on any machine.
    def slow(folder: Path) -> Wrapper:
        return dict.fromkeys(SIDES, on_device(folder, 4000))

    desk = desks("self-test", slow, margin="45%", machine={"self_test": "always"})
    killed = desk.run("one", *TAGS, die=("after", "self-test/rounds/01-0.json"))
    killed.wait()
    kept = files(desk.folder / "one")
    first = desk.run("one", *TAGS)
    assert first.wait() == 0, first.stderr
    second = desk.run("two", *TAGS)
    assert second.wait() == 0, second.stderr
    return Story(desk, killed, kept, first, second)


def files(run: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (run / "self-test" / "rounds").glob("*.json")}


def test_base_is_compared_with_its_own_second_build_by_the_same_looks(story: Story) -> None:
    made = story.made
    assert (made.tag, made.rounds, made.launches, made.why) == ("b9601", 4, 8, None)
    assert [item.outcome for item in made.comparisons] == ["within"]
    assert made.plan is not None and made.plan.looks == (4, 6, 8, 10, 12)
    plans = (story.desk.folder / "one" / "self-test" / "launches").glob("*/plan.json")
    words = [json.loads(path.read_bytes())["argv"] for path in plans]
    servers = {next(word for word in argv if word.endswith("/llama-server")) for argv in words}
    assert len(words) == 8 and len(servers) == 2
    assert sum("-aa/" in server for server in servers) == 1


def test_its_rounds_are_not_those_of_the_comparison(story: Story) -> None:
    run, made = story.run("one"), story.made
    assert len(run.valid_rounds) == 4
    assert made.plan is not None and run.plan is not None
    assert made.plan.seed != run.plan.seed


def test_its_cost_is_said_before_it_and_its_result_after(story: Story) -> None:
    said = story.killed.stderr
    assert "Self-test (A/A): b9601 against itself first" in said
    assert said.index("Self-test (A/A)") < said.rindex("Measuring")
    assert "Self-test (A/A) passed: no difference in 4 rounds" in story.first.stderr


def test_a_run_that_was_killed_in_its_self_test_goes_on_with_it(story: Story) -> None:
    assert set(story.kept) == {"00-0.json", "01-0.json"}
    after = files(story.desk.folder / "one")
    assert set(after) == {"00-0.json", "01-0.json", "02-0.json", "03-0.json"}
    assert {name: after[name] for name in story.kept} == story.kept


def test_noise_and_k_and_the_smallest_visible_change_are_in_record_and_report(story: Story) -> None:
    run = story.run("one")
    assert {item.metric for item in story.made.noise} == {"decode:coding"}
    assert story.made.requests == {item.name: item.requests for item in run.profile.scenarios}
    report = (story.desk.folder / "one" / "report.en.md").read_text()
    above, _, fold = report.partition("<details>")
    assert "Before this comparison b9601 was compared with itself (A/A), 4 rounds and 8 launches" in fold
    assert "Self-tests (A/A) on this machine so far: 1, false alarms: 0." in fold
    assert "A/A" not in above


def test_the_next_run_here_makes_none_and_remembers_it(story: Story) -> None:
    run = story.run("two")
    assert run.self_test is None
    assert "Self-test" not in story.second.stderr
    assert run.calibration is not None
    assert (run.calibration.self_tests, run.calibration.past[-1].outcome) == (1, "quiet")
    assert not (story.desk.folder / "two" / "self-test").exists()
