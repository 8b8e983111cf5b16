"""A whole launch on a machine with a GPU: real launch process, real sampler, real pynvml; scripted server."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot import process
from bot.bench.guards import Expected, judged
from bot.bench.runner import LaunchRequest, run_launch
from bot.isolation import Box
from bot.records import Launch
from tests.bench.conftest import SHORT, scenario
from tests.gpu.conftest import Machines
from tests.support.fake_server import write_fake_server
from tests.support.nvml_stub import FakeMachine, uuid

Watched = Callable[[FakeMachine], Launch]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Runs one launch on that machine, with the environment handed on that finds its library."""

    def run(machine: FakeMachine) -> Launch:
        monkeypatch.setattr(process, "clean_environment", machine.clean_environment)
        server = write_fake_server(tmp_path / "bin" / "llama-server", token_ms=20.0)
        request = LaunchRequest(
            argv=(str(server), "-m", "tiny.gguf", "--port", "{port}"),
            folder=tmp_path / "launch",
            scenarios=(scenario(n_predict=12),),
            timeouts=SHORT,
            gpu_uuid=uuid(),
            box=Box(level="none"),
        )
        request.folder.mkdir(exist_ok=True)
        return run_launch(request, side="head", slot=0)

    return run


def test_the_gpu_of_a_launch_is_in_its_record(gpus: Machines, watched: Watched) -> None:
    machine = gpus(use=90, clock1=1905, reasons=4, compute="7:100")
    launch = watched(machine)
    assert (launch.status, launch.invalid) == ("ok", None)
    (gpu,) = launch.gpus
    assert (gpu.id, gpu.baseline_mib, gpu.total_mib) == (uuid(), 500, 24576)
    assert gpu.busy >= 2
    assert gpu.sm_mhz is not None
    assert (gpu.sm_mhz.median, gpu.reasons, gpu.idle_use) == (1905, {"sw_power_cap": 1.0}, 90)
    assert [trace.source for trace in launch.memory] == ["rss", "nvml"]
    assert launch.host is not None
    assert launch.host.cores >= 1
    done = judged(launch, [], Expected("cuda"))
    assert (done.invalid, [item.code for item in done.guards]) == (
        "foreign_process",
        ["foreign_process", "gpu_busy"],
    )


@pytest.mark.parametrize(
    ("lines", "invalid", "why"),
    [
        ({"crash.nvmlDeviceGetUtilizationRates": 1}, "sampler_lost", "SIGSEGV"),
        ({"rc.nvmlDeviceGetUtilizationRates": 15}, "nvml_lost", "GPU is lost"),
    ],
)
def test_a_lost_watch_makes_the_launch_invalid_and_not_failed(
    gpus: Machines, watched: Watched, lines: dict[str, int], invalid: str, why: str
) -> None:
    launch = watched(gpus(**lines))
    assert (launch.status, launch.invalid) == ("ok", invalid)
    assert len(launch.samples) >= 4
    assert why in str(launch.guards[0].args["why"])
