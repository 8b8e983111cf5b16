"""Paths to areas, in the layouts of 2024 and 2026."""

import pytest

from bot.changelog import by_area
from bot.changelog.areas import area_of
from bot.records import FileChange
from tests.support.commits import real_range


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("ggml/src/ggml-cuda/mmq.cu", "cuda"),
        ("ggml/src/ggml-cuda.cu", "cuda"),
        ("ggml-cuda.cu", "cuda"),
        ("ggml-cuda/fattn-vec-f32.cuh", "cuda"),
        ("ggml/src/ggml-cuda/template-instances/mmq-instance-q4_k.cu", "cuda"),
        ("ggml/src/ggml-cuda/vendors/hip.h", "hip"),
        ("ggml/src/ggml-cuda/vendors/musa.h", "musa"),
        ("tools/server/server-context.cpp", "server"),
        ("examples/server/server.cpp", "server"),
        ("examples/server/webui/src/main.ts", "ui"),
        ("examples/server/public/index-new.html", "ui"),
        ("tools/ui/src/app.css", "ui"),
        ("tools/server/tests/unit/test_completion.py", "tests"),
        ("examples/server/tests/features/steps/steps.py", "tests"),
        ("tools/server/README.md", "docs"),
        ("src/llama-kv-cache.cpp", "kv"),
        ("src/llama-memory-recurrent.cpp", "kv"),
        ("src/llama-sampler.cpp", "sampling"),
        ("src/llama-sampling.cpp", "sampling"),
        ("common/json-schema-to-grammar.cpp", "sampling"),
        ("src/llama-vocab.cpp", "vocab"),
        ("unicode-data.cpp", "vocab"),
        ("src/models/qwen35.cpp", "model"),
        ("src/llama-arch.h", "model"),
        ("src/llama-context.cpp", "core"),
        ("include/llama.h", "core"),
        ("llama.cpp", "core"),
        ("ggml.c", "ggml"),
        ("ggml/include/ggml.h", "ggml"),
        ("ggml/src/ggml-backend.cpp", "sched"),
        ("ggml-alloc.c", "sched"),
        ("ggml/src/ggml-cpu/ops.cpp", "cpu"),
        ("ggml/src/llamafile/sgemm.cpp", "cpu"),
        ("ggml/src/ggml-vulkan/vulkan-shaders/mul_mm.comp", "vulkan"),
        ("ggml-metal.m", "metal"),
        ("ggml/src/ggml-sycl.cpp", "sycl"),
        ("ggml/src/ggml-rpc/ggml-rpc.cpp", "rpc"),
        ("examples/rpc/rpc-server.cpp", "rpc"),
        ("ggml/src/ggml-zdnn/ggml-zdnn.cpp", "other-backend"),
        ("common/chat.cpp", "chat"),
        ("common/arg.cpp", "args"),
        ("common/fit.cpp", "args"),
        ("common/speculative.cpp", "speculative"),
        ("common/common.cpp", "common"),
        ("tools/mtmd/clip.cpp", "mm"),
        ("examples/llava/clip.cpp", "mm"),
        ("CMakeLists.txt", "build"),
        ("ggml/CMakeLists.txt", "build"),
        ("Makefile", "build"),
        (".github/workflows/build.yml", "ci"),
        (".devops/nix/package.nix", "ci"),
        ("flake.lock", "ci"),
        ("convert_hf_to_gguf.py", "convert"),
        ("conversion/nemotron.py", "convert"),
        ("scripts/sync-ggml.last", "scripts"),
        ("vendor/cpp-httplib/httplib.cpp", "vendor"),
        ("tools/llama-bench/llama-bench.cpp", "tools"),
        ("something-new.xyz", "other"),
        ("", "other"),
    ],
)
def test_a_path_has_one_area(path: str, area: str) -> None:
    assert area_of(path) == area


def test_trees_are_told_by_size_with_noise_and_other_backends_last() -> None:
    changes = by_area(
        [
            FileChange(path="docs/build.md", added=900, deleted=1),
            FileChange(path="tools/server/server.cpp", added=5, deleted=2),
            FileChange(path="tools/server/server-task.cpp", added=1, deleted=0),
            FileChange(path="ggml/src/ggml-cuda/mmq.cu", added=40, deleted=1),
            FileChange(path="ggml/src/ggml-vulkan/ggml-vulkan.cpp", added=300, deleted=0),
            FileChange(path=".github/workflows/a.yml", added=2, deleted=2),
        ]
    )
    assert [(item.area, item.files, item.added, item.deleted) for item in changes] == [
        ("cuda", 1, 40, 1),
        ("server", 2, 6, 2),
        ("docs", 1, 900, 1),
        ("vulkan", 1, 300, 0),
        ("ci", 1, 2, 2),
    ]


def test_no_files_no_areas() -> None:
    assert by_area([]) == ()


def test_few_real_paths_have_no_area() -> None:
    paths = {file.path for item in real_range("b4000-b4500") for file in item.files}
    paths |= {file.path for item in real_range("b10104-b10152") for file in item.files}
    unknown = [path for path in paths if area_of(path) == "other"]
    assert len(unknown) <= 0.02 * len(paths), unknown
