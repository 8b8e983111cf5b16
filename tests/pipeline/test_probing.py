"""Proving the headroom: which starts are made, which of them say nothing, and when it ends."""

import io
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from bot.bench.prompts import TokenizedText
from bot.bench.runner import DEFAULT_TIMEOUTS, LaunchRequest
from bot.pipeline import probing
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.launching import save_tokens
from bot.pipeline.preparing import TOKENS
from bot.pipeline.probing import probe, with_flag
from bot.progress import Reporter
from bot.records import Guard, Launch, MemoryTrace, Run, ServerFacts
from bot.report.words import catalog
from tests.support import runs

#: The builders' card: 412 MiB of a desktop, 15359 used by head, 944 MiB left of which 300 are reserved.
TOTAL, DESKTOP, USED = 16303.0, 412.0, 15359.0

Server = Callable[[str, int], dict[str, Any]]


class Bench:
    """A run's context whose head behaves as `server` says, by flag and value; `starts` are those made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
        self.said = io.StringIO()
        self.starts: list[tuple[str, int]] = []
        self.requests: list[LaunchRequest] = []
        self.server = server
        reporter = Reporter(catalog("en").text, Console(file=self.said, width=200, soft_wrap=True))
        self.context: Any = SimpleNamespace(
            folder=RunFolder(folder), reporter=reporter, backend="cuda", device=None
        )
        save_tokens(folder / TOKENS, {"coding": TokenizedText(tuple(range(10, 300)), (1,))})
        monkeypatch.setattr(probing, "request_for", self._request)
        monkeypatch.setattr(probing, "run_launch", self._launch)

    def _request(self, _context: Any, run: Run, side: str, name: str, scenarios: Any) -> LaunchRequest:
        assert side == "head"
        return LaunchRequest(argv=run.profile.flags, folder=Path(name), scenarios=scenarios)

    def _launch(self, request: LaunchRequest, *, side: Any, slot: int) -> Launch:
        self.requests.append(request)
        flag, value = request.argv[-2], int(request.argv[-1])
        self.starts.append((flag, value))
        seen: dict[str, Any] = {
            "used": USED,
            "baseline": DESKTOP,
            "layers": 50,
            "context": 98304,
            "status": "ok",
        }
        seen |= {"layers": value} if flag == "-ngl" else {"context": value}
        seen |= self.server(flag, value)
        memory = MemoryTrace(
            source="nvml",
            total_mib=TOTAL,
            baseline_mib=seen["baseline"],
            loaded_mib=seen["used"],
            peak_mib=seen["used"] + seen["baseline"] - DESKTOP,
            min_free_mib=0.0,
        )
        facts = ServerFacts(props={"n_ctx": seen["context"]}, offloaded=(seen["layers"], 65))
        made = runs.launch(side, slot, samples=(), memory=(memory,), facts=facts)
        return made.model_copy(update={"status": seen["status"], "guards": seen.get("guards", ())})

    def probe(self, **more: Any) -> dict[str, Any]:
        found = probe(self.context, runs.run(rounds=head_uses(USED)), **more)
        return {item.flag: item for item in found.probes}


def head_uses(used: float) -> Any:
    trace = runs.launch("head", 0).memory[0].model_copy(update={"peak_mib": used})
    return runs.rounds(head={"memory": (trace,)}, base={"memory": (trace,)})


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Server], Bench]:
    return lambda server: Bench(tmp_path, monkeypatch, server)


def left(mib: float) -> dict[str, Any]:
    return {"used": TOTAL - mib}


def test_what_works_at_once_is_proven_with_one_start_each(bench: Callable[[Server], Bench]) -> None:
    made = bench(lambda _flag, _value: left(310.0))
    found = made.probe()
    assert made.starts == [("-ngl", 52), ("-c", 110592)]
    assert (found["-ngl"].proven, found["-c"].proven) == (52, 110592)
    (start,) = found["-ngl"].starts
    assert (start.status, start.headroom_mib, start.peak_mib) == ("ok", 310.0, TOTAL - 310.0)
    assert "Cost of proving: at most 8 starts of head's server, about" in made.said.getvalue()
    assert "15:00 in all." in made.said.getvalue()


def test_out_of_memory_and_a_reserve_not_kept_are_results_and_step_down(
    bench: Callable[[Server], Bench],
) -> None:
    def server(flag: str, value: int) -> dict[str, Any]:
        if flag == "-ngl":
            return {"status": "out_of_memory"} if value == 52 else left(400.0)
        return left(250.0) if value > 104448 else left(305.0)

    found = bench(server).probe()
    assert [(item.value, item.status) for item in found["-ngl"].starts] == [(52, "out_of_memory"), (51, "ok")]
    assert found["-ngl"].proven == 51
    assert found["-ngl"].starts[0].headroom_mib is None
    assert [item.value for item in found["-c"].starts] == [110592, 104448, 107520, 105472]
    assert found["-c"].proven == 104448


def test_a_start_that_says_nothing_of_the_memory_is_made_again(bench: Callable[[Server], Bench]) -> None:
    def server(flag: str, _value: int) -> dict[str, Any]:
        first = sum(1 for made in bed.starts if made[0] == flag) == 1
        stranger = Guard(code="foreign_process", invalidates=True, args={"count": 1})
        if flag == "-ngl":
            return {"status": "out_of_memory", "guards": (stranger,)} if first else left(400.0)
        return {"baseline": DESKTOP + 2000.0, "status": "out_of_memory"} if first else left(400.0)

    bed = bench(server)
    found = bed.probe()
    assert [(item.value, item.invalid) for item in found["-ngl"].starts] == [
        (52, "foreign_process"),
        (52, None),
    ]
    assert [item.invalid for item in found["-c"].starts] == ["memory_taken", None]
    assert (found["-ngl"].proven, found["-c"].proven) == (52, 110592)


def test_what_only_slows_a_launch_down_says_nothing_against_its_memory(
    bench: Callable[[Server], Bench],
) -> None:
    slow = Guard(code="hw_slowdown", invalidates=True, args={"samples": 9})
    assert bench(lambda *_: left(400.0) | {"guards": (slow,)}).probe()["-ngl"].proven == 52


def test_a_server_that_took_another_value_has_proven_nothing(bench: Callable[[Server], Bench]) -> None:
    found = bench(lambda *_: left(400.0) | {"layers": 50, "context": 98304}).probe()
    assert {item.invalid for item in found["-ngl"].starts} == {"other_setting"}
    assert (found["-ngl"].proven, found["-c"].proven) == (None, None)
    assert len(found["-c"].starts) == 4


def test_below_the_reserve_ever_more_is_given_up(
    bench: Callable[[Server], Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bench(lambda flag, value: left(320.0 if flag == "-ngl" and value <= 48 else 290.0))
    item = runs.run(rounds=head_uses(TOTAL - 215.0))
    found = {probe.flag: probe for probe in probe(made.context, item).probes}
    assert [start.value for start in found["-ngl"].starts] == [49, 48]
    assert found["-ngl"].proven == 48
    assert [start.value for start in found["-c"].starts] == [96256, 94208, 90112, 81920]
    assert found["-c"].proven is None


def test_when_the_time_is_spent_it_ends_and_says_so(bench: Callable[[Server], Bench]) -> None:
    made = bench(lambda *_: left(400.0))
    found = made.probe(bound_s=0.0)
    assert made.starts == []
    assert [(item.cut_short, item.proven, item.starts) for item in found.values()] == [(True, None, ())] * 2
    assert made.probe()["-ngl"].proven == 52  # what was cut short is not kept as done


def test_what_an_earlier_sitting_proved_is_not_started_again(bench: Callable[[Server], Bench]) -> None:
    made = bench(lambda *_: left(400.0))
    first = made.probe()
    assert made.probe() == first
    assert len(made.starts) == 2


def test_the_prompt_fills_the_context_as_far_as_the_time_allows(bench: Callable[[Server], Bench]) -> None:
    made = bench(lambda *_: left(400.0))
    made.probe()
    plan = made.requests[1].scenarios[0]
    (prompt,) = plan["prompts"]
    rate = sorted(runs.SPEEDS[name]["prefill"] for name in runs.SPEEDS)[1]
    assert len(prompt) == pytest.approx(rate / 2 * 225, rel=0.02)
    assert (plan["n_predict"], plan["warmups"]) == (8, [])
    assert prompt[0] == 1
    times = made.requests[1].timeouts
    assert times["stall_s"] > DEFAULT_TIMEOUTS["stall_s"]
    assert made.requests[1].deadline_s == times["stall_s"]


def test_host_memory_has_nothing_to_prove_and_says_so_in_one_sentence(
    bench: Callable[[Server], Bench],
) -> None:
    made = bench(lambda *_: left(400.0))
    trace = runs.launch("head", 0).memory[0].model_copy(update={"source": "rss"})
    item = runs.run(rounds=runs.rounds(head={"memory": (trace,)}, base={"memory": (trace,)}))
    assert probe(made.context, item) == item
    assert made.said.getvalue().count("\n") == 1
    assert "without a GPU there is no reserve" in made.said.getvalue()


def test_a_log_that_tells_no_sizes_leaves_nothing_to_prove(bench: Callable[[Server], Bench]) -> None:
    made = bench(lambda *_: left(400.0))
    silent = {"facts": ServerFacts()}
    assert probe(made.context, runs.run(rounds=runs.rounds(head=silent))).probes == ()
    assert "the log names no setting" in made.said.getvalue()


@pytest.mark.parametrize(
    ("flags", "name", "value", "expected"),
    [
        (("-ngl", "50", "-c", "98304"), "-ngl", 52, ("-c", "98304", "-ngl", "52")),
        (("--n-gpu-layers", "50", "-fa", "on"), "-ngl", 52, ("-fa", "on", "-ngl", "52")),
        (("--ctx-size", "8192", "-c", "4096"), "-c", 9216, ("-c", "9216")),
        (("-fa", "on"), "-c", 9216, ("-fa", "on", "-c", "9216")),
        (("-ncmoe", "40", "-ngl", "99"), "--n-cpu-moe", 37, ("-ngl", "99", "--n-cpu-moe", "37")),
        (("--cpu-moe", "-ngl", "99"), "--n-cpu-moe", 44, ("-ngl", "99", "--n-cpu-moe", "44")),
    ],
)
def test_the_flag_is_replaced_in_whatever_spelling_it_has(
    flags: tuple[str, ...], name: str, value: int, expected: tuple[str, ...]
) -> None:
    assert with_flag(flags, name, value) == expected
