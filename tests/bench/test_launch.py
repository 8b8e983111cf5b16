"""One launch against a scripted server: its record, and what each fault comes out as."""

import hashlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from bot.bench import launch as launch_module
from bot.bench.runner import LaunchRequest, _plan, capabilities, prepare, run_launch
from bot.errors import BotError
from bot.isolation import Box
from bot.records import Launch
from bot.store import write_json
from tests.bench.conftest import Fake, left_running
from tests.support.fake_server import BREAKDOWN

ROOT = Path(__file__).parents[2]


def run(request: LaunchRequest) -> Launch:
    return run_launch(request, side="head", slot=3)


def test_a_launch_measures_every_request_and_stops_the_server(fake: Fake, marker: str) -> None:
    launch = run(fake())
    assert (launch.status, launch.detail, launch.invalid, launch.side, launch.slot) == (
        "ok",
        "",
        None,
        "head",
        3,
    )
    measured = [sample for sample in launch.samples if not sample.warmup]
    assert [(item.scenario, item.index, item.prompt_n, item.predicted_n) for item in measured] == [
        ("short", 0, 20, 6),
        ("short", 1, 20, 6),
    ]
    assert all(sample.problem is None and 0 < sample.ttft_ms <= sample.wall_ms for sample in launch.samples)
    assert 2 <= sum(sample.warmup for sample in launch.samples) <= 6
    assert launch.exit_code == 0
    assert {"leash", "environment"} <= set(launch.isolation)
    assert {"load", "warmup", "measure", "stop", "total", "process"} <= set(launch.seconds)
    assert not left_running(marker)


def test_the_servers_own_words_become_facts(fake: Fake) -> None:
    facts = run(fake()).facts
    assert facts.buffers == {"CUDA0.model": 100.0, "CUDA0.KV": 8.0, "CUDA0.compute": 20.0}
    assert facts.offloaded == (3, 3)
    assert facts.props["n_ctx"] == 2048
    assert facts.props["model"] == "tiny.gguf"
    assert facts.build == "b1-fake"
    assert facts.breakdown["CUDA0 (RTX 3060)"]["unaccounted"] == -10526
    assert facts.breakdown["Host"] == {"self": 547, "model": 515, "context": 0, "compute": 32}
    assert "memory breakdown" in BREAKDOWN


def test_the_servers_resident_memory_is_traced(fake: Fake) -> None:
    (trace,) = run(fake(token_ms=40.0)).memory
    assert trace.source == "rss"
    assert 1 < trace.loaded_mib <= trace.peak_mib < 500
    assert trace.min_free_mib > 0
    assert len(trace.points) >= 2
    assert all(late > early for (early, _), (late, _) in zip(trace.points, trace.points[1:], strict=False))


@pytest.mark.parametrize(
    ("fault", "status", "detail"),
    [
        ("crash_loading", "crashed_loading", "GGML_ASSERT(n_embd > 0) failed"),
        ("segfault_loading", "crashed_loading", "SIGSEGV"),
        ("killed_loading", "out_of_memory", "SIGKILL"),
        ("out_of_memory", "out_of_memory", "cudaMalloc failed: out of memory"),
        ("refused_flag", "refused_flag", "error: invalid argument: --frobnicate"),
        ("removed_flag", "refused_flag", "--draft-max"),
        ("bad_model", "bad_model", "invalid magic characters"),
        ("port_taken", "port_taken", "couldn't bind"),
        ("no_space", "no_space", "No space left on device"),
        ("crash_streaming", "crashed_serving", "SIGABRT: CUDA error: an illegal memory access"),
        ("out_of_memory_streaming", "out_of_memory", "CUDA error: out of memory"),
    ],
)
def test_a_server_that_dies_is_told_apart(
    fake: Fake, marker: str, fault: str, status: str, detail: str
) -> None:
    launch = run(fake(fault=fault))
    assert launch.status == status
    assert detail in launch.detail
    assert launch.log_tail or fault in ("segfault_loading", "killed_loading")
    assert not launch.is_valid
    assert not left_running(marker)


@pytest.mark.parametrize(
    ("fault", "detail"),
    [
        ("http_500", "HTTP 500"),
        ("not_http", "BadStatusLine"),
        ("garbage_stream", "{not json"),
        ("error_chunk", "Compute error."),
        ("error_line", "Compute error."),
        ("closes", ""),
        ("no_timings", "timings"),
    ],
)
def test_garbage_from_a_living_server_is_a_bad_response(
    fake: Fake, marker: str, fault: str, detail: str
) -> None:
    launch = run(fake(fault=fault))
    assert launch.status == "bad_response"
    assert detail in launch.detail
    assert not left_running(marker)


def test_a_server_that_never_gets_ready_hangs_while_loading(fake: Fake, marker: str) -> None:
    launch = run(fake(fault="hang_loading", timeouts={"load_s": 0.5}))
    assert (launch.status, launch.detail) == ("hung_loading", "not ready after 0.5 s")
    assert not left_running(marker)


def test_a_server_that_falls_silent_hangs_while_serving(fake: Fake, marker: str) -> None:
    launch = run(fake(fault="hang_streaming", timeouts={"stall_s": 0.5}))
    assert (launch.status, launch.detail) == ("hung_serving", "no byte for 0.5 s")
    assert not left_running(marker)


def test_pings_do_not_keep_a_hung_answer_alive_for_ever(fake: Fake, marker: str) -> None:
    launch = run(fake(fault="pings_forever", timeouts={"request_s": 0.5}))
    assert (launch.status, launch.detail) == ("hung_serving", "no end of the answer after 0.5 s")
    assert not left_running(marker)


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("wrong_prompt_n", "prompt_length"),
        ("cached", "cached"),
        ("truncated", "truncated"),
        ("short", "predicted_length"),
        ("stop_reason", "stop_reason"),
    ],
)
def test_a_request_that_was_not_the_planned_one_makes_the_launch_invalid(
    fake: Fake, fault: str, problem: str
) -> None:
    launch = run(fake(fault=fault))
    assert launch.status == "ok"
    assert launch.invalid == problem
    assert {sample.problem for sample in launch.samples} == {problem}
    assert launch.values("short", "decode") == []


def test_progress_chunks_are_not_the_first_token(fake: Fake) -> None:
    launch = run(fake(fault="progress", prompt_ms=3.0))
    assert all(sample.ttft_ms > 50 for sample in launch.samples)


def test_a_port_taken_once_is_tried_again_on_another(fake: Fake, tmp_path: Path) -> None:
    assert run(fake(fault="port_taken_once", state=str(tmp_path / "once"))).status == "ok"


def test_a_death_without_a_word_is_repeated_until_the_cause_is_heard(fake: Fake, tmp_path: Path) -> None:
    """A real server's log thread loses its last lines when the server exits at once."""
    assert run(fake(fault="mute_once", state=str(tmp_path / "once"))).status == "bad_model"


def test_a_death_that_does_not_repeat_stays_a_death(fake: Fake, tmp_path: Path, marker: str) -> None:
    launch = run(fake(fault="mute_then_well", state=str(tmp_path / "once")))
    assert (launch.status, launch.samples) == ("crashed_loading", ())
    assert launch.detail == "exit 1: warning: nothing of interest"
    assert not left_running(marker)


def test_a_server_that_always_dies_mute_is_given_up(fake: Fake) -> None:
    assert run(fake(fault="mute")).status == "crashed_loading"


def test_a_server_deaf_to_sigterm_is_killed(fake: Fake, marker: str) -> None:
    launch = run(fake(fault="ignores_sigterm", timeouts={"stop_s": 0.3}))
    assert (launch.status, launch.exit_code) == ("ok", -signal.SIGKILL)
    assert not left_running(marker)


def test_a_grandchild_in_its_own_session_does_not_survive(fake: Fake, marker: str) -> None:
    assert run(fake(fault="grandchild")).status == "ok"
    assert not left_running(marker)


def test_a_launch_that_takes_too_long_is_ended_from_outside(fake: Fake, marker: str) -> None:
    request = replace(fake(fault="hang_streaming"), deadline_s=1.5)
    launch = run(request)
    assert launch.status == "hung_serving"
    assert launch.samples == ()
    assert not left_running(marker)


def test_a_killed_launch_process_is_lost_and_leaves_nothing(
    fake: Fake, marker: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    dying = tmp_path / "dying.py"
    dying.write_text(
        "import os, runpy, sys, threading\n"
        "threading.Timer(0.6, lambda: os.kill(os.getpid(), 9)).start()\n"
        f"sys.path.append({str(Path(launch_module.__file__).parents[2])!r})\n"
        f"runpy.run_path({launch_module.__file__!r}, run_name='__main__')\n"
    )
    monkeypatch.setattr(launch_module, "__file__", str(dying))
    launch = run(fake(fault="hang_streaming"))
    assert (launch.status, launch.detail) == ("lost", "signal 9")
    assert not left_running(marker)


def test_a_binary_that_is_not_the_built_one_is_not_started(fake: Fake) -> None:
    request = fake()
    digest = hashlib.sha256(Path(request.argv[0]).read_bytes()).hexdigest()
    assert run(replace(request, hashes={request.argv[0]: digest})).status == "ok"
    changed = run(replace(request, hashes={request.argv[0]: "0" * 64}))
    assert (changed.status, changed.samples) == ("binary_changed", ())


def test_a_binary_that_is_gone_is_said_to_have_changed(fake: Fake) -> None:
    request = fake()
    Path(request.argv[0]).unlink()
    launch = run(request)
    assert launch.status == "binary_changed"
    assert "No such file" in launch.detail


def test_a_full_disk_is_told_apart_from_a_broken_build(fake: Fake, tmp_path: Path) -> None:
    request = fake(log="x" * 2**20)
    full = tmp_path / "full"
    full.mkdir()
    mount = f"mount -t tmpfs -o size=128k tmpfs {full} && exec {sys.executable} launched.py"
    if subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode:
        pytest.skip("needs the right to mount")
    (tmp_path / "launched.py").write_text(
        "from dataclasses import replace\nfrom pathlib import Path\n"
        "from bot.bench.runner import LaunchRequest, run_launch\nfrom bot.isolation import Box\n"
        f"request = LaunchRequest(argv={request.argv!r}, folder=Path({str(full)!r}), box=Box(level='none'))\n"
        "launch = run_launch(request, side='base', slot=0)\nprint(launch.status, launch.detail)\n"
    )
    command = ["unshare", "-m", "sh", "-c", mount]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.startswith("no_space"), done.stderr


def test_what_a_build_understands_is_asked_of_its_help(fake: Fake, tmp_path: Path) -> None:
    assert capabilities([fake().argv[0]], Box(reads=(ROOT,))).spelling("--cache-ram") == "--cache-ram"
    mute = tmp_path / "mute"
    mute.write_text("#!/bin/sh\necho broken >&2\nexit 3\n")
    mute.chmod(0o755)
    with pytest.raises(BotError, match=r"no-help.*broken"):
        capabilities([str(mute)])


def test_the_server_sees_only_the_gpu_that_is_watched(fake: Fake) -> None:
    request = replace(fake(), gpu_uuid="GPU-abc")
    assert _plan(request)["env"] == {"CUDA_VISIBLE_DEVICES": "GPU-abc", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}


def test_a_cuda_run_on_the_cpu_is_invalid_never_slow(fake: Fake) -> None:
    on_cpu = "load_tensors:   CPU_Mapped model buffer size =   100.00 MiB\n"
    launch = run(replace(fake(log=on_cpu), backend="cuda"))
    assert (launch.status, launch.invalid) == ("ok", "cpu_fallback")
    assert run(replace(fake(), backend="cuda")).invalid is None


def test_a_gpu_that_cannot_be_watched_makes_the_launch_invalid(fake: Fake) -> None:
    launch = run(replace(fake(), gpu_uuid="GPU-00000000-0000-0000-0000-000000000000"))
    assert (launch.status, launch.invalid) == ("ok", "nvml_lost")
    assert [trace.source for trace in launch.memory] == ["rss"]


def test_the_probe_launch_tokenizes_and_finds_the_bos(fake: Fake) -> None:
    request = replace(fake(), scenarios=(), texts={"chat": "Hi", "empty": ""})
    prepared = prepare(request, side="head")
    assert prepared.launch.status == "ok"
    assert prepared.texts["chat"].ids == (10 + ord("H"), 10 + ord("i"))
    assert prepared.texts["chat"].prefix == (1,)
    assert prepared.texts["empty"].ids == ()


def test_a_secret_of_ours_does_not_reach_the_server(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMA_ARG_CTX_SIZE", "77")
    request = fake()
    server = Path(request.argv[0])
    tell = "import os, sys\nos.write(2, repr(dict(os.environ)).encode())\n"
    server.write_text(server.read_text().replace("import sys\n", tell, 1))
    tail = run(replace(request, env={"CUDA_VISIBLE_DEVICES": "GPU-1"})).log_tail
    assert "LLAMA_ARG_CTX_SIZE" not in tail
    assert "GPU-1" in tail


def test_the_launch_process_starts_without_site_packages_and_fast() -> None:
    command = [sys.executable, "-I", "-S", "-X", "importtime", launch_module.__file__, "/nonexistent", "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    modules = [line.split("|")[-1].strip() for line in done.stderr.splitlines()]
    assert done.returncode == 2
    assert "bot.bench.session" in modules
    assert not {"pydantic", "httpx", "asyncio", "dataclasses", "inspect"} & set(modules)


def test_a_sigterm_ends_the_launch_in_order_with_a_result(fake: Fake, marker: str, tmp_path: Path) -> None:
    request = fake(fault="hang_streaming")
    plan, result = tmp_path / "p.json", tmp_path / "r.json"
    write_json(plan, _plan(request))
    process = subprocess.Popen(
        [sys.executable, "-I", "-S", launch_module.__file__, str(plan), str(result)],
        env={"PATH": os.environ["PATH"]},
    )
    deadline = time.monotonic() + 20
    while not left_running(marker) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.terminate()
    assert process.wait(20) == 0
    assert '"status": "lost"' in result.read_text()
    assert not left_running(marker)
