"""The same question is answered once; `--again` asks it anew; nothing is overwritten."""

from pathlib import Path

import pytest

from bot.errors import BotError
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.identity import Identity, choose, choose_in
from tests.support.facts import pair, run

QUESTION = Identity(pair(), "profile", "machine")


def test_the_id_names_the_tags_and_changes_with_each_part_of_the_question() -> None:
    assert QUESTION.id.startswith("b9553-b9601-")
    others = {Identity(pair(), "other", "machine").id, Identity(pair(), "profile", "other").id}
    assert QUESTION.id not in others
    assert Identity(pair(), "profile", "machine").id == QUESTION.id


def test_each_attempt_has_its_own_seed_and_keeps_it() -> None:
    second = Identity(pair(), "profile", "machine", 2)
    assert QUESTION.seed == Identity(pair(), "profile", "machine").seed
    assert QUESTION.seed != second.seed


def test_an_unfinished_or_finished_run_is_found_again(tmp_path: Path) -> None:
    first, folder = choose(QUESTION, tmp_path, again=False)
    folder.start(run(id=first.id))
    again, same = choose(QUESTION, tmp_path, again=False)
    assert (again, same) == (first, folder)


def test_again_takes_the_next_attempt_and_later_runs_stay_with_it(tmp_path: Path) -> None:
    first, folder = choose(QUESTION, tmp_path, again=False)
    folder.start(run(id=first.id))
    second, other = choose(QUESTION, tmp_path, again=True)
    assert (second.attempt, other.path.name) == (2, f"{QUESTION.stem}-2")
    other.start(run(id=second.id))
    assert choose(QUESTION, tmp_path, again=False) == (second, other)


def test_a_folder_that_was_named_keeps_its_own_run(tmp_path: Path) -> None:
    out = tmp_path / "out"
    identity, folder = choose_in(QUESTION, out, again=False)
    folder.start(run(id=identity.id))
    assert choose_in(QUESTION, out, again=False) == (QUESTION, folder)


def test_again_in_a_named_folder_sets_the_earlier_attempt_aside_once_it_begins(tmp_path: Path) -> None:
    out = tmp_path / "out"
    identity, folder = choose_in(QUESTION, out, again=False)
    folder.start(run(id=identity.id))
    second, same = choose_in(QUESTION, out, again=True)
    assert (second.attempt, same) == (2, folder)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert same.start(run(id=second.id)).id == second.id
    assert RunFolder(tmp_path / f"out.{identity.id}").start(run(id=identity.id)).id == identity.id


def test_another_run_in_the_named_folder_is_refused(tmp_path: Path) -> None:
    RunFolder(tmp_path).start(run(id="b1-b2-00000000"))
    with pytest.raises(BotError) as caught:
        choose_in(QUESTION, tmp_path, again=True)
    assert caught.value.code == "other-run-here"
