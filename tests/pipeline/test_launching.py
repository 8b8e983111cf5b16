"""From a run to one launch: what is known of the earlier ones goes in, a judged record comes out."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.bench.runner import LaunchRequest
from bot.gpu.machine import short_hash
from bot.gpu.nvml import Device, together
from bot.pipeline import launching, measuring, writing
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.launching import Launcher, expected
from bot.publish import public
from bot.records import GpuTrace, Launch, MemoryTrace, Reason, Round, ServerFacts
from tests.support import facts

GPU = Device("GPU-1", "NVIDIA GeForce RTX 3090", "550", 24576.0, 500.0, "8.6")


def gpu(**changes: Any) -> GpuTrace:
    values = {"id": "GPU-1", "total_mib": 24576.0, "baseline_mib": 500.0, "peak_mib": 9000.0, "start_c": 50.0}
    return GpuTrace.model_validate(values | changes)


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[LaunchRequest]:
    """Every request made; each launch has a stranger on its GPU."""
    made: list[LaunchRequest] = []

    def run_launch(request: LaunchRequest, *, side: Any, slot: int) -> Launch:
        made.append(request)
        return facts.launch(side, slot, gpus=(gpu(foreign_before=1, start_c=50.0 + slot),))

    monkeypatch.setattr(launching, "run_launch", run_launch)
    monkeypatch.setattr(launching, "request_for", lambda *_: LaunchRequest(argv=("x",), folder=tmp_path))
    return made


def test_a_launch_is_judged_and_the_next_one_knows_it(requests: list[LaunchRequest]) -> None:
    context: Any = SimpleNamespace(backend="cuda", device=GPU)
    launcher = Launcher(context, facts.run(), {})
    done = [launcher.launch("base", slot=slot, round_index=0, scenarios=()) for slot in range(4)]
    assert [item.invalid for item in done] == ["foreign_process"] * 4
    assert launcher.earlier == done
    assert [item.cool_to for item in requests] == [None, None, None, 56.5]


def test_the_guards_expect_the_gpus_of_the_run() -> None:
    context: Any = SimpleNamespace(backend="cuda", device=GPU)
    assert expected(context).devices == (("NVIDIA GeForce RTX 3090", "8.6"),)
    context.device = None
    assert expected(context).devices == ()


def test_a_published_record_names_no_gpu_of_several() -> None:
    both = together([GPU, replace(GPU, uuid="GPU-2")])
    model = Path("/models/m.gguf")
    context: Any = SimpleNamespace(
        device=both, profile=SimpleNamespace(model=model), cache=Path("/c"), folder=RunFolder(Path("/r"))
    )
    seen = gpu(id="GPU-2")
    run = facts.run(
        rounds=(Round(index=0, order="AB", launches=(facts.launch("base", 0, gpus=(gpu(), seen)),)),)
    )
    told = public(run, writing._names(context)).rounds[0].launches[0].gpus
    assert [item.id for item in told] == [f"GPU-{short_hash(name)}" for name in ("GPU-1", "GPU-2")]


class Silent:
    """A reporter's stage that says nothing."""

    def stage(self, *_: object, **__: object) -> "Silent":
        return self

    def __enter__(self) -> Any:
        return lambda *_: None

    def __exit__(self, *_: object) -> None:
        return None


def test_rounds_that_were_interrupted_go_on_with_all_launches_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = RunFolder(tmp_path)
    kept = facts.round_of(0)
    folder.save_round(kept)
    monkeypatch.setattr(measuring, "load_tokens", lambda _: {})
    seen: list[Launch] = []

    def launch(launcher: Launcher, side: Any, *, slot: int, **_: object) -> Launch:
        seen[:] = seen or launcher.earlier
        return facts.launch(side, slot)

    monkeypatch.setattr(measuring.Launcher, "launch", launch)
    warmup = Round(index=0, order="AB", launches=(facts.launch("base", -1),))
    context: Any = SimpleNamespace(folder=folder, reporter=Silent(), backend="cpu", device=None)
    done = measuring.measure(context, facts.run(plan=facts.plan(), warmup=warmup))
    assert [item.slot for item in seen] == [-1, 0, 1]
    assert len(done.rounds) == 4
    assert Reason(code="environment_unstable") not in done.notes


@pytest.mark.parametrize("own", [1500.0, 400.0])
def test_memory_that_spilled_in_a_round_keeps_the_sides_from_comparing(
    own: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = MemoryTrace(
        source="nvml",
        total_mib=24576.0,
        baseline_mib=500.0,
        loaded_mib=0.0,
        peak_mib=500.0 + own,
        min_free_mib=0.0,
    )
    asked = ServerFacts(buffers={"CUDA0.model": 1000.0})
    monkeypatch.setattr(measuring, "load_tokens", lambda _: {})

    def launch(_launcher: Launcher, side: Any, *, slot: int, **_: object) -> Launch:
        return facts.launch(side, slot, memory=(trace,), facts=asked)

    monkeypatch.setattr(measuring.Launcher, "launch", launch)
    context: Any = SimpleNamespace(folder=RunFolder(tmp_path), reporter=Silent(), backend="cuda", device=None)
    done = measuring.measure(context, facts.run(plan=facts.plan()))
    found = [(item.name, item.base, item.head, item.blocks) for item in done.differences]
    assert found == ([] if own == 1500.0 else [("spill", "600 MiB", "600 MiB", True)])
