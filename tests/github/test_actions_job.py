"""What a job is told and tells: outputs that cannot be broken out of, a summary that is not too long."""

from pathlib import Path

import pytest

from bot.delivery.actions import LONGEST_SUMMARY, Workflow
from bot.errors import BotError
from bot.github.state import StateFolder
from tests.support.workflows import _outputs


@pytest.fixture
def workflow(tmp_path: Path) -> Workflow:
    environ = {
        "GITHUB_REPOSITORY": "acme/bench",
        "GITHUB_RUN_ID": "99",
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }
    return Workflow(environ)


def test_an_output_holds_whatever_is_in_it(workflow: Workflow, tmp_path: Path) -> None:
    hostile = "a\nplan<<EOF\nb\nEOF\njobs=[]"
    workflow.output(plan=hostile, jobs='[{"a": 1}]')
    assert _outputs((tmp_path / "output").read_text()) == {"plan": hostile, "jobs": '[{"a": 1}]'}


def test_a_summary_is_cut_at_a_line(workflow: Workflow, tmp_path: Path) -> None:
    workflow.summary("说明\n" * 400_000)
    written = (tmp_path / "summary").read_text()
    assert len(written.encode()) <= LONGEST_SUMMARY + 1
    assert set(written.splitlines()) == {"说明"}


def test_outside_of_actions_it_says_so() -> None:
    for call in (lambda: Workflow({}).repository, lambda: Workflow({}).run_id):
        with pytest.raises(BotError) as caught:
            call()
        assert caught.value.code == "not-in-actions"
    with pytest.raises(BotError):
        Workflow({"GITHUB_REPOSITORY": "a/b;rm"}).repository  # noqa: B018


@pytest.mark.parametrize(
    ("value", "off"), [("off", True), ("OFF ", True), ("false", True), ("on", False), ("", False)]
)
def test_the_switch(value: str, off: bool) -> None:
    assert Workflow({"LLAMA_RELEASE_BOT": value}).is_off is off


def test_state_at_home_is_files_in_a_folder(tmp_path: Path) -> None:
    folder = StateFolder(tmp_path / "watch")
    assert folder.read("state.json") is None
    assert folder.change(lambda _: {"state.json": "1"}, "") is True
    assert folder.change(lambda files: {"state.json": files.read("state.json") or ""}, "") is False
    assert folder.read("state.json") == "1"
