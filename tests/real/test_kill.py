"""SIGKILL at any moment: nothing stays behind, nothing finished is lost or done twice, the run goes on."""

import json
import signal
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from bot.records import Run
from bot.store import load_run
from tests.real.conftest import Desks
from tests.support.command import Command, Desk
from tests.support.real import left_running

pytestmark = pytest.mark.real

#: Where one run is killed, start after start, in this order: (when, part of the path being written), or
#: `amid` a launch, from outside, while its server runs.
DEATHS = (
    ("before", "run/intent.json"),
    ("within", "run/intent.json"),
    ("after", "run/intent.json"),
    ("before", "steps/build.json"),
    ("after", "steps/build.json"),
    ("after", "cache/hooks/"),
    ("after", "launches/tokenize-head"),
    ("after", "launches/warmup-base"),
    ("amid", "launches/warmup-head"),
    ("after", "run/tokens.json"),
    ("within", "steps/prepare.json"),
    ("after", "steps/prepare.json"),
    ("after", "launches/000-"),
    ("before", "rounds/00-0.json"),
    ("within", "rounds/00-0.json"),
    ("after", "rounds/00-0.json"),
    ("amid", "launches/002-"),
    ("after", "launches/003-"),
    ("after", "rounds/02-0.json"),
    ("before", "steps/measure.json"),
    ("after", "steps/measure.json"),
    ("after", "steps/explain.json"),
    ("after", "run/report.md"),
    ("within", "run/run.json"),
)


@dataclass
class Story:
    """What became of one run that was killed again and again, and of the same run left in peace."""

    desk: Desk
    left: dict[str, list[str]] = field(default_factory=dict)
    codes: dict[str, int] = field(default_factory=dict)
    kept: dict[str, dict[str, tuple[bytes, int]]] = field(default_factory=dict)

    @property
    def killed(self) -> Run:
        """The record of the run that was killed."""
        return load_run(self.desk.folder / "run" / "run.json")

    @property
    def peaceful(self) -> Run:
        """The record of the run that was not."""
        return load_run(self.desk.folder / "peaceful" / "run.json")

    def after(self, name: str, code: int) -> None:
        """Note what the death of this name left behind."""
        self.codes[name] = code
        self.left[name] = self.desk.gone()
        files = sorted((self.desk.folder / "run").glob("[rs][ot][ue][np][ds]*/*.json"))
        self.kept[name] = {path.name: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


@pytest.fixture(scope="module")
def story(desks: Desks) -> Story:
    """One run killed at each of its steps, with hooks; then the same run in peace."""
    desk = desks("killed")
    log = desk.folder / "hooks.log"
    hooks = {name: [["sh", "-c", f"echo {name} >> {log}"]] for name in ("before", "after")}
    _add_hooks(desk.config, hooks)
    story = Story(desk)
    for death in DEATHS:
        if death[0] == "amid":
            command = desk.run("run")
            _kill_amid(command, death[1])
        else:
            command = desk.run("run", die=death)
        story.after(" ".join(death), command.wait())
    story.after("end", desk.run("run").wait())
    assert desk.run("peaceful").wait() == 0
    return story


def _add_hooks(config: Path, hooks: dict[str, list[list[str]]]) -> None:
    lines = [f"  {name}: {json.dumps(commands)}" for name, commands in hooks.items()]
    config.write_text(config.read_text().replace("machine:\n", "machine:\n" + "\n".join(lines) + "\n"))


def _kill_amid(command: Command, launch: str) -> None:
    def is_serving() -> bool:
        lines = left_running(command.folder)
        return any(launch in line for line in lines) and any("--port" in line for line in lines)

    command.until(is_serving)
    command.kill()


def test_each_death_came_where_it_was_planned_and_the_last_start_came_to_the_end(story: Story) -> None:
    ends = dict.fromkeys(story.codes, -signal.SIGKILL) | {"end": 0}
    assert story.codes == ends


def test_no_process_outlives_the_kill_by_ten_seconds(story: Story) -> None:
    assert {name: left for name, left in story.left.items() if left} == {}


def test_no_finished_step_or_round_is_written_again(story: Story) -> None:
    seen: dict[str, tuple[bytes, int]] = {}
    for name, files in story.kept.items():
        changed = [file for file, state in seen.items() if files.get(file) != state]
        assert not changed, f"{name}: {changed}"
        seen = files
    assert set(seen) == {
        *("00-0.json", "01-0.json", "02-0.json", "03-0.json"),
        *("build.json", "prepare.json", "measure.json", "evidence.json", "explain.json"),
    }


def test_a_run_that_was_killed_is_the_run_that_it_would_have_been(story: Story) -> None:
    """Same id, seed, order and prompts; and its record says as much."""

    def shape(run: Run) -> object:
        rounds = [
            (item.index, item.attempt, item.order, [(launch.side, launch.slot) for launch in item.launches])
            for item in run.rounds
        ]
        return (run.id, run.plan.seed if run.plan else None, rounds, run.pair, run.profile.hash, run.changes)

    assert shape(story.killed) == shape(story.peaceful)
    assert len(story.killed.valid_rounds) == 4
    assert story.killed.verdict is not None


def test_both_were_sent_the_same_prompts(story: Story) -> None:
    def prompts(folder: str) -> dict[str, object]:
        plans = sorted((story.desk.folder / folder / "launches").glob("0*/plan.json"))
        return {path.parent.name: json.loads(path.read_bytes())["scenarios"] for path in plans}

    assert len(prompts("run")) == 8
    assert prompts("run") == prompts("peaceful")


def test_half_written_files_are_never_taken_for_results(story: Story) -> None:
    """What a death left under its temporary name is not read, and the report is whole."""
    folder = story.desk.folder
    for language in ("en", "zh-Hans"):
        whole = (folder / "peaceful" / f"report.{language}.md").read_text()
        assert len((folder / "run" / f"report.{language}.md").read_text()) > 0.9 * len(whole)


def test_the_users_own_server_is_never_left_stopped(story: Story) -> None:
    """However a run ended, `after` ran before the next `before`, and last of all."""
    words = (story.desk.folder / "hooks.log").read_text().split()
    assert words.count("before") >= 10
    assert words[-1] == "after"
    assert all(words[place + 1] == "after" for place, word in enumerate(words) if word == "before")
    assert list((story.desk.folder / "cache" / "hooks").glob("*.json")) == []
