"""What is said about a GPU, its driver, its toolkit and its memory: judged from facts, without one."""

from dataclasses import replace
from pathlib import Path

import pytest

from bot.build import cuda
from bot.config import load
from bot.doctor import gpu, packages, tools
from bot.doctor.case import take
from bot.doctor.examine import examine
from bot.errors import BotError, environment
from bot.gpu import nvml
from tests.doctor.samples import GPU, NOTHING, WEIGHTS, Configure, Examined, toolset, with_capability


def uuid(number: int) -> str:
    return f"GPU-{number:08}-0000-0000-0000-000000000000"


@pytest.mark.parametrize(
    ("capability", "toolkit", "problem"),
    [
        ("8.6", "12.4", None),
        ("8.6", "11.6", ("old", "11.7")),
        ("8.9", "11.7", ("old", "11.8")),
        ("12.0", "12.6", ("old", "12.8")),
        ("12.0", "12.8", None),
        ("12.1", "12.8", ("old", "12.9")),
        ("6.1", "12.9", None),
        ("6.1", "13.0", ("new", "13.0")),
        ("7.5", "13.1", None),
        ("99.0", "12.4", None),
        (None, "12.10.1", None),
        (None, "11.0", ("old", "11.7")),
    ],
)
def test_a_toolkit_is_held_against_the_gpu(
    capability: str | None, toolkit: str, problem: tuple[str, str] | None
) -> None:
    found = cuda.toolkit_problem(toolkit, capability)
    assert (found and (found.case, found.needed)) == problem


@pytest.mark.parametrize(
    ("toolkit", "driver", "needed"),
    [
        ("12.4", "525.60.13", None),
        ("12.4", "470.82", "525"),
        ("13.0", "575.64", "580"),
        ("14.0", "580.1", None),
    ],
)
def test_a_driver_older_than_the_toolkit_needs_is_named(
    toolkit: str, driver: str, needed: str | None
) -> None:
    assert cuda.driver_needed(toolkit, driver) == needed


@pytest.mark.parametrize(
    ("toolkit", "gcc", "most"),
    [("12.4", "13.2.0", None), ("12.4", "14.2.0", "13"), ("12.10", "15.1", "14"), ("13.5", "17.1", None)],
)
def test_a_compiler_newer_than_the_toolkit_takes_is_named(toolkit: str, gcc: str, most: str | None) -> None:
    assert cuda.newest_gcc(toolkit, gcc) == most


def test_an_old_nvcc_for_a_new_gpu_stops_a_run() -> None:
    found = tools.judge_nvcc(toolset("12.4"), with_capability("12.0"))
    assert (found.check, found.status, found.message) == ("nvcc", "missing", "doctor-nvcc-old")
    assert found.args["needed"] == "12.8" and found.args["capability"] == "12.0"


def test_a_toolkit_without_cublas_stops_a_run() -> None:
    found = toolset("12.4", gcc="12.2.0")
    assert tools.judge_nvcc(found, GPU).status == "ok"
    found.found["cublas"] = None
    assert tools.judge_nvcc(found, GPU).message == "doctor-nvcc-cublas"


def test_clang_is_not_measured_by_the_table_of_gcc(tmp_path: Path) -> None:
    (tmp_path / "clang-18").touch()
    (tmp_path / "c++").symlink_to(tmp_path / "clang-18")
    found = toolset("12.0", gcc="18.1.3")
    compiler = found.found["c++"]
    assert compiler
    assert tools.judge_nvcc(found, GPU).message == "doctor-nvcc-gcc"
    found.found["c++"] = compiler.model_copy(update={"path": str(tmp_path / "c++")})
    assert tools.judge_nvcc(found, GPU).status == "ok"


@pytest.mark.parametrize(
    ("flags", "needed"),
    [
        (("-ngl", "99"), 16384.0),
        (("-ngl", "13"), 16384.0 * 13 / 65),
        (("-ngl", "0"), 0.0),
        (("-ngl", "auto"), 16384.0),
        ((), 16384.0),
        (("-ngl", "99", "--n-cpu-moe", "20"), 0.0),
        (("-ngl", "99", "-ot", "exps=CPU"), 0.0),
    ],
)
def test_what_goes_to_the_gpu_follows_from_the_flags(flags: tuple[str, ...], needed: float) -> None:
    assert gpu.gpu_mib(WEIGHTS, flags) == pytest.approx(needed)


def test_memory_that_another_program_holds_is_a_warning_with_numbers() -> None:
    held = replace(GPU, used_mib=20480.0)
    found = gpu.judge_vram(held, 16384.0, has_hook=False)
    assert (found.status, found.message) == ("warning", "doctor-vram-taken")
    assert found.args == {"free": "4.0 GiB", "total": "24.0 GiB", "needed": "16.0 GiB"}
    assert gpu.judge_vram(held, 16384.0, has_hook=True).status == "ok"
    assert gpu.judge_vram(held, 25000.0, has_hook=True).status == "missing"


def test_ignored_variables_are_named_and_others_not() -> None:
    names = [
        "CUDA_VISIBLE_DEVICES",
        "CUDA_HOME",
        "LLAMA_ARG_CTX_SIZE",
        "GGML_CUDA_FORCE_MMQ",
        "PATH",
        "LLAMA_CACHE",
    ]
    found = gpu.judge_environment(names)
    assert found.status == "warning"
    assert found.args["names"] == "CUDA_VISIBLE_DEVICES, GGML_CUDA_FORCE_MMQ, LLAMA_ARG_CTX_SIZE"


@pytest.mark.parametrize(
    ("bindings", "is_current", "on_cpu", "on_gpu"),
    [
        ({"nvidia-ml-py": "13.6"}, True, "ok", "ok"),
        ({"nvidia-ml-py": "13.6", "pynvml": "13.0.1"}, True, "warning", "warning"),
        ({"nvidia-ml-py": "13.6", "pynvml": "11.5.0"}, True, "warning", "missing"),
        ({"nvidia-ml-py": "13.6", "nvidia-ml-py3": "7.352.0"}, True, "warning", "missing"),
        ({"nvidia-ml-py": "13.6"}, False, "warning", "missing"),
    ],
)
def test_a_clash_of_nvml_packages_stops_only_runs_on_a_gpu(
    bindings: dict[str, str], is_current: bool, on_cpu: str, on_gpu: str
) -> None:
    found = packages.Packages((), bindings, is_current)
    assert packages.judge(found, "cpu").status == on_cpu
    assert packages.judge(found, "cuda").status == on_gpu


def test_this_environment_has_every_package() -> None:
    found = packages.look()
    assert found.absent == () and found.is_current and "nvidia-ml-py" in found.bindings
    assert packages.judge(NOTHING, "cuda").status == "ok"


def test_an_nvidia_card_without_a_driver_is_seen_on_the_bus(tmp_path: Path) -> None:
    for name, vendor, kind in (
        ("a", "0x10de", "0x030000"),
        ("b", "0x10de", "0x040300"),
        ("c", "0x1002", "0x030000"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "vendor").write_text(vendor + "\n")
        (tmp_path / name / "class").write_text(kind + "\n")
    assert gpu.nvidia_cards(tmp_path) == 1
    assert [item.message for item in gpu.judge_driver(None, 1)] == ["doctor-driver-unloaded"]
    assert list(gpu.judge_driver(None, 0)) == []


@pytest.mark.skipif(bool(nvml.devices()), reason="this machine has a GPU")
def test_cuda_without_a_gpu_is_missing_and_nothing_is_said_about_its_memory(examined: Examined) -> None:
    found = {item.check: item for item in examine(examined(machine={"backend": "cuda"}))}
    assert (found["driver"].status, found["driver"].message) == ("missing", "doctor-driver-missing")
    assert not {"gpu", "vram", "turn"} & set(found)


@pytest.mark.parametrize(
    ("configured", "message"),
    [("auto", "doctor-gpu-several"), (uuid(9), "doctor-gpu-unknown"), (uuid(2), "doctor-gpu-ok")],
)
def test_one_of_several_gpus_has_to_be_named(
    configured: str, message: str, configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = (replace(GPU, uuid=uuid(1)), replace(GPU, uuid=uuid(2)))
    monkeypatch.setattr(nvml, "devices", lambda: both)
    path = configure(machine={"backend": "cuda", "gpu": configured})
    found = list(gpu.gpu(take(path, load(path))))
    assert [item.message for item in found] == [message]
    assert uuid(2) in str(found[0].args)


def test_a_driver_that_waits_for_a_restart_is_told_under_driver() -> None:
    error: BotError = environment("driver-mismatch")
    assert [item.message for item in gpu.judge_driver(error, 1)] == ["doctor-driver-mismatch"]
    assert list(gpu.judge_gpu(error, is_configured=False)) == []
