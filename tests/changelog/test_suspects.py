"""Suspects: few, modest, and never what cannot act."""

import pytest

from bot.changelog import suspects
from bot.changelog.circumstances import Circumstances, read_flags
from tests.support.commits import PERSONA, commit, gold, real_range

METRICS = ("vram", "prefill", "decode", "ttft")
RANGES = ("b9354-b9356", "b9455-b9495", "b9556-b9602", "b9861-b9862", "b10104-b10152", "b10522-b10534")
CUDA = "ggml/src/ggml-cuda/ggml-cuda.cu"


def test_the_judges_suspects_are_found_and_no_wrong_one() -> None:
    expected, found, wrong = 0, 0, []
    for name in RANGES:
        named = suspects(real_range(name), PERSONA, METRICS)
        for metric, judged in gold(name)["suspects"].items():
            shas = {item.sha[:12] for item in named[metric]}
            right = {row["sha"] for row in judged["expected"]}
            expected += len(right)
            found += len(right & shas)
            wrong += [(name, metric, row["sha"]) for row in judged["wrong"] if row["sha"] in shas]
    assert wrong == []
    assert expected == 8
    assert found >= 8


def test_a_commit_for_mtp_is_no_vram_suspect_without_speculative_decoding() -> None:
    name = "b9556-b9602"
    prs = [item.pr for item in suspects(real_range(name), PERSONA, ["vram"])["vram"]]
    assert prs == [23935]


def test_the_same_commit_counts_with_speculative_decoding() -> None:
    item = commit("CUDA: remove copies in decode for MTP (#1)", CUDA)
    with_mtp = Circumstances(backend="cuda", flags=read_flags(["--spec-type", "draft-mtp"]))
    assert suspects([item], PERSONA, ["decode"]) == {"decode": ()}
    assert [found.pr for found in suspects([item], with_mtp, ["decode"])["decode"]] == [1]


def test_at_most_three_best_first_with_reasons() -> None:
    items = [commit(f"CUDA: faster MMVQ kernel {n} (#{n})", CUDA) for n in range(6)]
    named = suspects(items, PERSONA, ["decode"])["decode"]
    assert len(named) == 3
    assert named[0].reasons[0] == "area-cuda"
    assert "suspect-kernel" in named[0].reasons


@pytest.mark.parametrize(
    "subject",
    ["CUDA: rename variables", "CUDA: fix compilation of MMQ", "CUDA: clean up unused variables warnings"],
)
def test_an_area_alone_makes_no_suspect(subject: str) -> None:
    assert suspects([commit(subject, CUDA)], PERSONA, METRICS) == dict.fromkeys(METRICS, ())


def test_what_was_reverted_in_the_range_moved_nothing() -> None:
    done = commit("CUDA: faster MMVQ decode (#10)", CUDA)
    undone = commit('Revert "CUDA: faster MMVQ decode (#10)" (#11)', CUDA)
    assert suspects([done, undone], PERSONA, ["decode"]) == {"decode": ()}


def test_an_unknown_metric_has_no_suspects() -> None:
    assert suspects([commit("CUDA: faster", CUDA)], PERSONA, ["beauty"]) == {"beauty": ()}
