"""Area, type, severity and needs of single commits."""

from typing import Any

import pytest

from bot.changelog.circumstances import Circumstances
from bot.changelog.classify import Reading, read
from bot.changelog.drops import drop_reason
from bot.records import Commit
from tests.support.commits import PERSONA, commit, gold

CUDA = "ggml/src/ggml-cuda/ggml-cuda.cu"
SERVER = "tools/server/server-context.cpp"


def only(item: Commit) -> Reading:
    return read([item])[0]


@pytest.mark.parametrize(
    ("subject", "paths", "area"),
    [
        ("Only index by compile times", ["ggml/src/ggml-cuda/getrows.cu"], "cuda"),
        ("add fast matmul iquants", ["ggml/src/ggml-webgpu/wgsl-shaders/a.wgsl"], "webgpu"),
        ("fix(flash-attn): replace f32", ["ggml/src/ggml-webgpu/a.cpp"], "webgpu"),
        ("read n_ctx back after llama_context", ["examples/diffusion/diffusion-cli.cpp"], "tools"),
        ("Fixed gating logic", ["ggml/src/ggml-vulkan/ggml-vulkan.cpp"], "vulkan"),
        ("ci : add ccache to server builds", [".github/workflows/server.yml"], "ci"),
        ("server workflow jobs", [".github/workflows/server.yml"], "ci"),
        ("tests : add support", ["src/llama-context.cpp", "tests/test-a.cpp"], "core"),
        ("HIP: remove rocWMMA", ["ggml/src/ggml-cuda/fattn-wmma-f16.cu"], "hip"),
        ("CUDA/HIP: warp size", ["ggml/src/ggml-cuda/mmv.cu"], "cuda"),
        ("llama + spec: MTP", ["src/llama-context.cpp", "common/speculative.cpp"], "speculative"),
        ("common : reasoning budget sampler", ["common/chat.cpp", "common/reasoning-budget.cpp"], "sampling"),
        ("server : fix --threads-http arg", ["common/common.cpp"], "server"),
        ("security : disable disclosures", ["SECURITY.md"], "docs"),
        ('Revert "CUDA: add kernel (#1)" (#2)', [CUDA], "cuda"),
        ("vulkan: anything", [], "vulkan"),
    ],
)
def test_area_by_paths_first(subject: str, paths: list[str], area: str) -> None:
    assert only(commit(subject, *paths)).area == area


@pytest.mark.parametrize(
    ("subject", "path", "kind"),
    [
        ("Merge commit from fork", "ggml/src/ggml-rpc.cpp", "security"),
        ("rpc : RCE patch", "ggml/src/ggml-rpc/ggml-rpc.cpp", "security"),
        ("common : fix CVE-2026-1", "common/common.cpp", "security"),
        ("server : enable cache_prompt by default", SERVER, "breaking"),
        ("args: refactor mlock/mmap into load-mode", "common/arg.cpp", "breaking"),
        ("spec : remove draft-simple auto-enable", "common/arg.cpp", "breaking"),
        ("Remove redundant CUDA copies", CUDA, "perf"),
        ("increase cuda_cpy block size", CUDA, "perf"),
        ("CUDA: use mma PTX instructions for FlashAttention", CUDA, "perf"),
        ("Avoid PDL race conditions", CUDA, "bugfix"),
        ("server : do not clear slots", SERVER, "bugfix"),
        ("server : fix crash by default", SERVER, "bugfix"),
        ("server: add SSE ping interval", SERVER, "feature"),
        ("main : option to skip context shift", "examples/main/main.cpp", "feature"),
        ("model: add Mellum architecture", "src/models/mellum.cpp", "model"),
        ("CUDA: fix compilation for CUDA < 11.7", CUDA, "build"),
        ("kv-cache : refactor cells", "src/llama-kv-cache.cpp", "refactor"),
        ('Revert "x (#1)" (#2)', CUDA, "revert"),
        ("docs : fix crash text", "docs/a.md", "other"),
    ],
)
def test_type_by_ordered_rules(subject: str, path: str, kind: str) -> None:
    assert only(commit(subject, path)).type == kind


@pytest.mark.parametrize(
    ("subject", "severity"),
    [
        ("CUDA: Fix ssm_scan_f32 data-races", "corruption"),
        ("server : fix crash on bad json", "crash"),
        ("server : fix missing lock", "corruption"),
        ("rpc : RCE patch", "security"),
        ("server : more informative crash text fix", None),
        ("server : fix endpoint name", None),
        ("server : add crash reporter support", None),
    ],
)
def test_severity_only_of_fixes(subject: str, severity: str | None) -> None:
    assert only(commit(subject, SERVER)).severity == severity


@pytest.mark.parametrize(
    ("subject", "path", "reason"),
    [
        ("sync : ggml", "scripts/sync-ggml.last", "vendor"),
        ("ggml : bump version to 0.14.0 (ggml/1533)", "ggml/CMakeLists.txt", "vendor"),
        ("ggml-cpu : fix rms_norm_back", "ggml/src/ggml-cpu/ops.cpp", "training"),
        ("ggml-cpu: use runtime SVE width", "ggml/src/ggml-cpu/ops.cpp", "platform"),
        ("vulkan: faster", "ggml/src/ggml-vulkan/a.cpp", "backend"),
        ("clean up unused variables warnings", CUDA, "trivial"),
        ("convert : fix crash", "convert_hf_to_gguf.py", "convert"),
        ("server : fix --jinja (typo was forcing JSON)", SERVER, None),
        ("CUDA: fix name conflict for Windows build", CUDA, None),
        ("rpc : fix known RCE in rpc-server", "examples/rpc/rpc-server.cpp", None),
    ],
)
def test_what_is_dropped_and_why(subject: str, path: str, reason: str | None) -> None:
    assert drop_reason(only(commit(subject, path)), PERSONA) == reason


def test_a_commit_over_all_backends_is_spared_when_it_touches_this_one() -> None:
    paths = [f"ggml/src/ggml-{name}/a.cpp" for name in ("vulkan", "metal", "sycl", "hexagon", "webgpu")]
    spared = commit("Remove multiple D2D copies for MTP", CUDA, *paths)
    assert drop_reason(only(spared), PERSONA) is None
    assert drop_reason(only(commit("Remove multiple D2D copies for MTP", *paths)), PERSONA) == "backend"


def test_the_other_backend_is_cuda_on_a_cpu_machine() -> None:
    on_cpu = Circumstances(backend="cpu")
    assert drop_reason(only(commit("CUDA: faster", CUDA)), on_cpu) == "backend"
    assert drop_reason(only(commit("cpu: faster", "ggml/src/ggml-cpu/ops.cpp")), on_cpu) is None


def test_an_arm_machine_keeps_arm_commits() -> None:
    sve = only(commit("ggml-cpu: use runtime SVE width", "ggml/src/ggml-cpu/ops.cpp"))
    assert drop_reason(sve, Circumstances(backend="cpu", platforms=frozenset({"arm"}))) is None


def _tricky(row: dict[str, Any]) -> Reading:
    files = [{"path": path} for path in row["files"]]
    fields = {key: row[key] for key in ("sha", "subject", "body", "pr")}
    return only(Commit.model_validate(fields | {"files": files}))


def test_thirty_tricky_subjects() -> None:
    rows = gold("tricky")
    readings = [(row["expected"], _tricky(row)) for row in rows]
    area = sum(item.area == expected["area"] for expected, item in readings)
    kind = sum(item.type in expected["type_ok"] for expected, item in readings)
    reverts = [item.parsed.revert for _, item in readings]
    named = sum(
        bool(revert and revert.is_named) == bool(expected["revert_of"])
        for revert, (expected, _) in zip(reverts, readings, strict=True)
    )
    relevant = sum(_is_relevant(item) == expected["relevant_to_cuda_server"] for expected, item in readings)
    assert area >= 27
    assert kind >= 30
    assert relevant >= 27
    assert named == 30


def _is_relevant(item: Reading) -> bool:
    return drop_reason(item, PERSONA) is None and item.area not in {"rpc", "tools"}
