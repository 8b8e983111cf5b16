"""Logs of several eras, read leniently."""

import signal
from pathlib import Path

import pytest

from bot.bench import logs

OLD = """load_tensors: offloading 32 repeating layers to GPU
load_tensors: offloaded 33/33 layers to GPU
load_tensors:        CUDA0 model buffer size =  8148.38 MiB
llama_kv_cache_init:      CUDA0 KV buffer size =   512.00 MiB
llama_init_from_model:      CUDA0 compute buffer size =   298.75 MiB
llama_init_from_model:  CUDA_Host compute buffer size =    16.01 MiB
"""
NEW = """ggml_cuda_init: found 1 CUDA devices (Total VRAM: 11906 MiB):
  Device 0: NVIDIA GeForce RTX 3060, compute capability 8.6, VMM: yes, VRAM: 11906 MiB
0.00.100.000 I load_tensors:        CUDA0 model buffer size =  9999.00 MiB
0.00.110.000 I llama_kv_cache:      CUDA0 KV buffer size =   99.00 MiB
0.00.200.000 I load_tensors:        CUDA0 model buffer size =   700.00 MiB
0.00.200.000 I load_tensors:   CPU_Mapped model buffer size =   100.00 MiB
0.00.210.000 I llama_kv_cache:      CUDA0 KV buffer size =    20.00 MiB
0.00.211.000 I llama_kv_cache:      CUDA0 KV buffer size =     4.50 MiB
0.00.220.000 I sched_reserve:      CUDA0 compute buffer size =    64.00 MiB
"""


def test_buffers_of_an_old_build() -> None:
    facts = logs.server_facts(OLD)
    assert facts["buffers"] == {
        "CUDA0.model": 8148.38,
        "CUDA0.KV": 512.0,
        "CUDA0.compute": 298.75,
        "CUDA_Host.compute": 16.01,
    }
    assert facts["offloaded"] == [33, 33]
    assert (facts["devices"], facts["breakdown"]) == ([], {})


def test_the_last_set_counts_and_parts_of_one_kind_add_up() -> None:
    facts = logs.server_facts(NEW)
    assert facts["buffers"] == {
        "CUDA0.model": 700.0,
        "CPU_Mapped.model": 100.0,
        "CUDA0.KV": 24.5,
        "CUDA0.compute": 64.0,
    }
    assert facts["devices"] == ["NVIDIA GeForce RTX 3060 (cc 8.6)"]


def test_a_silent_log_leaves_everything_empty() -> None:
    assert logs.server_facts("") == {"buffers": {}, "breakdown": {}, "offloaded": None, "devices": []}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (OLD, False),
        (NEW, False),
        ("warning: no usable GPU found, --gpu-layers option will be ignored\n", True),
        ("ggml_cuda_init: failed to initialize CUDA: no CUDA-capable device\n", True),
        ("CPU_Mapped model buffer size = 1.0 MiB\nCPU KV buffer size = 1.0 MiB\n", True),
        ("", False),
    ],
)
def test_a_fall_back_to_the_cpu_is_seen(text: str, expected: bool) -> None:
    assert logs.on_cpu_only(text) is expected


@pytest.mark.parametrize(
    ("text", "code", "status"),
    [
        ("warning: failed to mlock 1 bytes: Cannot allocate memory\nerror loading model: x", 1, "bad_model"),
        ("failed to allocate compute pp buffers\nexiting due to model loading error", 1, "out_of_memory"),
        ("terminate called after throwing an instance of 'std::bad_alloc'", -6, "out_of_memory"),
        ("error while loading shared libraries: libcuda.so.1: cannot open", 127, "crashed_loading"),
        ("all fine", 137, "out_of_memory"),
        ("", -signal.SIGILL, "crashed_loading"),
    ],
)
def test_why_a_server_died_while_loading(text: str, code: int, status: str) -> None:
    assert logs.classify(text, code, loading=True).status == status


def test_a_serving_crash_is_not_explained_by_what_was_said_while_loading() -> None:
    text = "error: invalid argument: x\nfailed to load model\nGGML_ASSERT(x) failed"
    end = logs.classify(text, -signal.SIGABRT, loading=False)
    assert (end.status, end.detail.split(":")[0]) == ("crashed_serving", "SIGABRT")


def test_a_tail_is_bounded_in_lines_and_characters() -> None:
    assert logs.tail("\n".join(str(n) for n in range(100)), lines=3) == "97\n98\n99"
    assert logs.tail("x" * 10, characters=4) == "xxxx"


def test_a_line_without_end_is_cut_and_costs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "server.log"
    path.write_text("x" * 3_000_000 + "\n" + OLD)
    text = logs.read(path)
    assert len(text) < 10_000
    assert logs.server_facts(text)["offloaded"] == [33, 33]
    assert logs.read(path, most_bytes=20).endswith("16.01 MiB")
    assert logs.read(tmp_path / "none") == ""
