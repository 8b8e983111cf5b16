"""What was credited once and reverted since is said."""

from bot.changelog import credits, highlights, merged, suspects, undone
from bot.records import Credit, Highlights
from tests.support.commits import PERSONA, commit, real_range

CUDA = "ggml/src/ggml-cuda/ggml-cuda.cu"
REVERT = 'Revert "cuda: reset cuda context after reading memory size (#23935)" (#24715)'


def example() -> Highlights:
    commits = real_range("b9556-b9602")
    found = highlights(commits, PERSONA)
    return found.model_copy(update={"suspects": suspects(commits, PERSONA, ["vram", "ttft"])})


def test_a_report_credits_what_applies_and_suspects_of_what_moved() -> None:
    ledger = credits(example(), "b9602", {"vram"})
    assert {item.pr for item in ledger if item.role == "suspect"} == {23935}
    lines = {item.pr for item in ledger if item.role == "highlight"}
    assert {23935, 24411} <= lines
    assert not lines & {24086, 24269, 24190}
    assert {item.tag for item in ledger} == {"b9602"}


def test_a_credited_suspect_that_was_reverted_is_named_once() -> None:
    ledger = credits(example(), "b9602", {"vram"})
    (found,) = undone(ledger, [commit("server : fix x", CUDA), commit(REVERT, CUDA)], "b9712")
    assert (found.credit.pr, found.credit.role, found.credit.tag) == (23935, "suspect", "b9602")
    assert (found.tag, found.by_pr) == ("b9712", 24715)


def test_a_revert_by_commit_id_or_by_its_words_is_found_too() -> None:
    ledger = [Credit(sha="ab12cd34" * 5, tag="b1", role="highlight", area="cuda", text="fix race")]
    by_sha = commit('Revert "other words"', CUDA, body="This reverts commit ab12cd34ab12.")
    by_words = commit('Revert "CUDA: fix race"', CUDA)
    assert len(undone(ledger, [by_sha], "b2")) == len(undone(ledger, [by_words], "b2")) == 1
    assert undone(ledger, [commit('Revert "CUDA: fix another race"', CUDA)], "b2") == ()


def test_a_revert_that_was_itself_reverted_undoes_nothing() -> None:
    ledger = credits(example(), "b9602", {"vram"})
    again = commit(f'Revert "{REVERT}" (#24800)', CUDA)
    assert undone(ledger, [commit(REVERT, CUDA), again], "b9712") == ()


def test_a_range_that_holds_both_the_commit_and_its_revert_still_says_it() -> None:
    ledger = credits(example(), "b9602", {"vram"})
    commits = [*real_range("b9556-b9602"), commit(REVERT, CUDA)]
    assert [item.credit.pr for item in undone(ledger, commits, "b9712")] == [23935]


def test_the_ledger_keeps_the_first_report_that_told_a_commit() -> None:
    first = credits(example(), "b9602", ())
    again = credits(example(), "b9610", {"vram"})
    ledger = merged(first, again)
    assert {item.tag for item in ledger if item.role == "highlight"} == {"b9602"}
    assert {item.tag for item in ledger if item.role == "suspect"} == {"b9610"}
    assert len(ledger) == len(first) + 1
