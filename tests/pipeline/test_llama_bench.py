"""How llama-bench's cases are run: which, in what order, and when no more."""

from types import SimpleNamespace

import pytest

from bot.bench.tool import ToolEnd
from bot.pipeline.evidence import llama_bench, tools
from bot.pipeline.evidence.desk import Desk
from bot.records import Evidence
from tests.pipeline.test_opted_evidence import desk, one


def bench(monkeypatch: pytest.MonkeyPatch, budget: float = 900.0) -> tuple[Evidence, list[str]]:
    """llama-bench with programs that always answer; which words each was started with."""
    started: list[str] = []
    line = (
        '{"build_commit": "abc", "build_number": 1, "backends": "CPU", "n_prompt": 512, "n_gen": 0, '
        '"samples_ns": [9, 1, 1, 1]}'
    )

    def run(_desk: Desk, argv: tuple[str, ...]) -> ToolEnd:
        started.append(" ".join(argv))
        return ToolEnd(line, "", 20.0)

    known = SimpleNamespace(spelling=lambda name: name, flags={})
    empty = SimpleNamespace(unknown=(), words=(), left_out=())
    monkeypatch.setattr(llama_bench._Bench, "known", {"base": known, "head": known})
    monkeypatch.setattr(llama_bench._Bench, "flags", {"base": empty, "head": empty})
    monkeypatch.setattr(tools, "program", lambda _desk, side, _name: (side,))
    monkeypatch.setattr(tools, "run", run)
    return one(llama_bench.gather(desk(budget=budget))), started


def test_each_case_is_a_process_of_each_side_and_the_sides_take_turns(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, started = bench(monkeypatch)
    assert len(started) == 2 * len(llama_bench.CASES) == 16
    assert all(f"-r {llama_bench._REPETITIONS}" in words for words in started)
    first = [words.split()[0] for words in started[::2]]
    assert first.count("base") == first.count("head") == 4
    assert "-d 32768" in started[-1]
    assert "-d" not in started[0].split()
    assert len(found.measures) == 8


def test_a_deeper_case_that_is_expected_not_to_fit_the_budget_is_not_begun(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, started = bench(monkeypatch, budget=79.0)  # 2 x 40 s are expected of the third
    assert len(started) == 4
    assert "evidence_budget" in [note.code for note in found.notes]
    assert found.notes[-1].args == {"done": 2, "cases": 8}
