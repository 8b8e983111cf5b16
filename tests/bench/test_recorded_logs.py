"""Logs of real servers of three eras through the log reader (see logs/README.md for what was recorded)."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.bench import logs
from bot.records import ServerFacts

FOLDER = Path(__file__).with_name("logs")
RECORDED = sorted(path.stem for path in FOLDER.glob("*.log") if not path.stem.startswith("assumed"))
#: What a server that ended by itself says, and the status it comes to.
ENDS = {
    "refused": ("refused_flag", "error: invalid argument: --frobnicate"),
    "bad-model": ("bad_model", "invalid magic characters: 'this', expected 'GGUF'"),
    "unknown-architecture": ("bad_model", "unknown model architecture: 'gemma3'"),
    "out-of-memory": ("out_of_memory", "failed to allocate buffer of size"),
}


def log(name: str) -> str:
    return logs.read(FOLDER / f"{name}.log")


def facts(name: str) -> dict[str, Any]:
    return logs.server_facts(log(name))


@pytest.mark.parametrize(
    ("name", "buffers", "host"),
    [
        (
            "2025-tiny",
            {"CPU_Mapped.model": 0.56, "CPU.KV": 0.5, "CPU.output": 0.0, "CPU.compute": 10.51},
            None,
        ),
        (
            "b9601-tiny",
            {"CPU_Mapped.model": 0.56, "CPU.KV": 0.5, "CPU.output": 0.0, "CPU.compute": 2.01},
            {"self": 3.0, "model": 0.0, "context": 0.0, "compute": 2.0},
        ),
        (
            "b11434-tiny",
            {"CPU_Mapped.model": 0.56, "CPU.KV": 0.5, "CPU.output": 0.0, "CPU.compute": 2.14},
            {"self": 3.0, "model": 0.0, "context": 0.0, "compute": 2.0},
        ),
        (
            "b9601-gemma",
            {
                "CPU_Mapped.model": 235.16,
                "CPU_REPACK.model": 12.66,
                "CPU.KV": 21.0,  # 6 of the full context, 15 of the sliding window
                "CPU.output": 1.0,
                "CPU.compute": 20.77,
            },
            {"self": 276.0, "model": 235.0, "context": 21.0, "compute": 20.0},
        ),
        (
            "b11434-gemma",
            {
                "CPU.model": 222.51,
                "CPU_REPACK.model": 12.66,
                "CPU.KV": 21.0,
                "CPU.output": 1.0,
                "CPU.compute": 21.28,
            },
            {"self": 264.0, "model": 222.0, "context": 21.0, "compute": 21.0},
        ),
    ],
)
def test_what_a_server_that_served_says_of_its_memory(
    name: str, buffers: dict[str, float], host: dict[str, float] | None
) -> None:
    found = facts(name)
    assert found["buffers"] == buffers
    assert found["breakdown"].get("Host") == host
    assert (found["offloaded"], found["devices"]) == (None, [])
    assert logs.on_cpu_only(log(name))


@pytest.mark.parametrize("name", [name for name in RECORDED if name.partition("-")[2] in ENDS])
def test_why_a_server_ended_by_itself(name: str) -> None:
    status, line = ENDS[name.partition("-")[2]]
    end = logs.classify(log(name), 1, loading=True)
    assert end.status == status
    assert line in end.detail


def test_every_era_tells_of_every_end() -> None:
    eras = {name.partition("-")[0] for name in RECORDED}
    assert eras == {"2025", "b9601", "b11434"}
    for era in eras:
        assert {"tiny", "refused", "bad-model", "out-of-memory"} <= {
            name.partition("-")[2] for name in RECORDED if name.startswith(era)
        }


def test_a_memory_shortage_keeps_the_buffers_that_were_had() -> None:
    assert facts("2025-out-of-memory")["buffers"]["CPU.KV"] == 439.45
    assert facts("b9601-out-of-memory")["buffers"] == facts("b11434-out-of-memory")["buffers"]


def test_a_cuda_build_of_2025_as_its_source_prints_it() -> None:
    found = facts("assumed-cuda-2025")
    assert found["buffers"] == {
        "CPU_Mapped.model": 281.81,
        "CUDA0.model": 8148.38,
        "CUDA0.KV": 512.0,
        "CUDA_Host.output": 0.49,
        "CUDA0.compute": 298.75,
        "CUDA_Host.compute": 16.01,
    }
    assert (found["offloaded"], found["devices"]) == ([33, 33], ["NVIDIA GeForce RTX 3060 (cc 8.6)"])
    assert not logs.on_cpu_only(log("assumed-cuda-2025"))


def test_a_cuda_build_of_2026_on_two_gpus_after_a_dry_load() -> None:
    found = facts("assumed-cuda-2026")
    assert found["offloaded"] == [50, 65]
    assert found["buffers"]["CUDA0.model"] == 11000.5  # not the 21000 of the load that was not kept
    assert found["buffers"]["CUDA0.KV"] == 1120.5
    assert (found["buffers"]["CUDA0.RS"], found["buffers"]["CUDA1.compute"]) == (149.06, 260.0)
    assert found["breakdown"]["CUDA1 (RTX 3060)"]["unaccounted"] == -10526.0
    assert found["breakdown"]["CUDA0 (RTX 4090)"] == {
        "total": 24576.0,
        "free": 11600.0,
        "self": 12568.0,
        "model": 11000.0,
        "context": 1269.0,
        "compute": 298.0,
        "unaccounted": 407.0,
    }
    assert found["devices"] == ["NVIDIA GeForce RTX 3060 (cc 8.6)", "NVIDIA GeForce RTX 4090 (cc 8.9)"]


def test_a_cuda_build_that_runs_out_of_memory() -> None:
    end = logs.classify(log("assumed-cuda-out-of-memory"), -11, loading=True)
    assert (end.status, "allocating 2048.00 MiB on device 0" in end.detail) == ("out_of_memory", True)
    assert not logs.on_cpu_only(log("assumed-cuda-out-of-memory"))


def test_the_recordings_name_no_place_of_the_machine_they_come_from() -> None:
    for path in FOLDER.glob("*.log"):
        assert path.stat().st_size < 60_000
        assert not {"/home/", "/root/", "/tmp/"} & set(path.read_text().split("'"))
        assert "/root" not in path.read_text() and "/home" not in path.read_text()


#: A line that a later tag may print: anything but the words that the reader looks for.
UNKNOWN = st.text(st.characters(codec="utf-8", exclude_characters="|\n\r"), max_size=80).filter(
    lambda line: not any(word in line for word in ("buffer size", "offloaded", "Device", "memory breakdown"))
)


@given(st.sampled_from(RECORDED), st.lists(st.tuples(st.integers(0, 300), UNKNOWN), max_size=8))
def test_unknown_lines_change_nothing_that_is_read(name: str, strange: list[tuple[int, str]]) -> None:
    lines = log(name).splitlines()
    for place, line in strange:
        lines.insert(min(place, len(lines)), line)
    assert logs.server_facts("\n".join(lines)) == facts(name)


@given(st.sampled_from(RECORDED), st.integers(0, 20_000))
def test_a_log_that_is_cut_anywhere_is_read_as_far_as_it_goes(name: str, length: int) -> None:
    text = log(name)[:length]
    found = ServerFacts.model_validate(logs.server_facts(text))
    assert set(found.buffers) <= set(facts(name)["buffers"])
    assert logs.classify(text, 1, loading=True).status


@given(st.text(max_size=400))
def test_no_text_at_all_breaks_the_reader(text: str) -> None:
    ServerFacts.model_validate(logs.server_facts(text))
    ServerFacts.model_validate(logs.server_facts(f"| memory breakdown [MiB] |\n|   - {text} | {text} |"))
    assert logs.classify(text, -6, loading=False).status
    assert isinstance(logs.on_cpu_only(text), bool)


@pytest.mark.parametrize("size", ["1.2.3", "9" * 400, "", "٣", "1e9", "-5.00"])
def test_a_size_that_is_no_size_is_left_out(size: str) -> None:
    text = f"CUDA0 model buffer size = {size} MiB\nCUDA0 KV buffer size = 8.00 MiB\n"
    found = ServerFacts.model_validate(logs.server_facts(text))
    assert found.buffers == {"CUDA0.KV": 8.0}


def test_a_number_without_end_in_the_memory_table_breaks_nothing() -> None:
    text = f"| memory breakdown [MiB] |\n|   - CUDA0 | {'9' * 700} = 1 |\n"
    ServerFacts.model_validate(logs.server_facts(text))
    assert logs.server_facts(f"offloaded {'9' * 5000}/9 layers to GPU")["offloaded"] is None
