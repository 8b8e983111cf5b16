"""A run's folder: nothing finished is done twice, and a half-written step is never believed."""

from pathlib import Path

import pytest

from bot.errors import BotError
from bot.pipeline.checkpoint import RunFolder
from bot.records import Reason, Run
from tests.support.facts import round_of, run


def noted(code: str) -> Reason:
    return Reason(code=code)


def test_a_step_is_done_once_and_its_result_read_the_second_time(tmp_path: Path) -> None:
    calls: list[int] = []

    def do(before: Run) -> Run:
        calls.append(1)
        return before.model_copy(update={"notes": (noted("native_off"),)})

    folder = RunFolder(tmp_path)
    first = folder.step("build", run(), do)
    second = folder.step("build", run(), do)
    assert calls == [1]
    assert first.notes == second.notes == (noted("native_off"),)
    assert second.seconds["build"] >= 0


def test_a_step_that_failed_leaves_no_result(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)

    def fail(_: Run) -> Run:
        raise RuntimeError("interrupted")

    with pytest.raises(RuntimeError):
        folder.step("build", run(), fail)
    assert not folder.has("build")


def test_only_what_a_step_changed_is_in_its_file(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.step("build", run(), lambda before: before.model_copy(update={"notes": (noted("quick"),)}))
    text = (tmp_path / "steps" / "build.json").read_text()
    assert '"notes"' in text
    assert '"profile"' not in text


def test_the_run_on_disk_wins_over_a_new_beginning(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.start(run(created="2026-11-30T01:00:00+00:00"))
    assert folder.start(run(created="2026-11-30T02:00:00+00:00")).created == "2026-11-30T01:00:00+00:00"


def test_rounds_come_back_in_the_order_run(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for item in (round_of(10), round_of(0), round_of(0, attempt=1), round_of(2)):
        folder.save_round(item)
    assert [(item.index, item.attempt) for item in folder.rounds()] == [(0, 0), (0, 1), (2, 0), (10, 0)]


def test_a_damaged_step_is_named_with_its_file(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    folder.step("build", run(), lambda before: before)
    (tmp_path / "steps" / "build.json").write_text('{"seconds": 1')
    with pytest.raises(BotError) as caught:
        folder.step("build", run(), lambda before: before)
    assert caught.value.code == "not-json"
    assert caught.value.values["path"] == str(tmp_path / "steps" / "build.json")
