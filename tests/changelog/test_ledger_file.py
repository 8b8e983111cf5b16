"""The ledger's file under the cache: written by a run, read by the next."""

from pathlib import Path

from bot.changelog import highlights
from bot.pipeline.ledger import moved, read_ledger, remember, reverted_since
from bot.records import Changes, Tag
from tests.support.commits import PERSONA, commit
from tests.support.runs import comparison, comparisons, memory, run

CUDA = "ggml/src/ggml-cuda/ggml-cuda.cu"
DONE = commit("CUDA: reset cuda context after reading memory size (#23935)", CUDA, sha="a" * 40)
REVERT = commit(
    'Revert "CUDA: reset cuda context after reading memory size (#23935)" (#24715)', CUDA, sha="b" * 40
)


def test_a_credit_of_one_run_is_reported_as_reverted_by_a_later_one(tmp_path: Path) -> None:
    path = tmp_path / "ledgers" / "x.json"
    first = run(highlights=highlights([DONE], PERSONA, metrics=("vram",)), memory=memory())
    remember(path, first)
    assert {(item.role, item.metric) for item in read_ledger(path)} == {
        ("suspect", "vram"),
        ("highlight", None),
    }
    head = Tag(name="b9712", sha="c" * 40, number=9712)
    later = run(
        pair=first.pair.model_copy(update={"head": head}),
        changes=Changes(source="commits", commits=(REVERT,)),
    )
    (found,) = reverted_since(path, later)
    assert (found.credit.tag, found.tag, found.by_pr) == (first.pair.head.name, "b9712", 24715)


def test_what_did_not_move_has_no_suspects_to_credit(tmp_path: Path) -> None:
    quiet = run(highlights=highlights([DONE], PERSONA, metrics=("vram",)), memory=memory(outcome="same"))
    remember(tmp_path / "x.json", quiet)
    assert {item.role for item in read_ledger(tmp_path / "x.json")} == {"highlight"}


def test_moved_are_decided_changes_and_memory() -> None:
    slower = comparisons(**{"decode:coding": comparison("decode", "coding", -0.05, "regression")})
    assert moved(run(comparisons=slower, memory=memory(outcome="same"))) == {"decode"}
    assert moved(run(memory=memory())) == {"vram"}
    assert moved(run(memory=None)) == frozenset()


def test_a_damaged_ledger_is_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{")
    assert read_ledger(tmp_path / "x.json") == ()
    assert read_ledger(tmp_path / "none.json") == ()


def test_a_run_against_itself_credits_nothing(tmp_path: Path) -> None:
    told = run(highlights=highlights([DONE], PERSONA))
    same = told.model_copy(update={"pair": told.pair.model_copy(update={"base": told.pair.head})})
    remember(tmp_path / "x.json", same)
    assert not (tmp_path / "x.json").exists()
