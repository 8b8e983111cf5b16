"""Builders of whole records: the example run, with whatever a test wants different."""

import math
from typing import Any

from bot.records import (
    Build,
    BuildFailure,
    Comparison,
    Gpu,
    Launch,
    Machine,
    MemoryComparison,
    MemoryTrace,
    MetricKind,
    Model,
    Outcome,
    Pair,
    Plan,
    Profile,
    Round,
    Run,
    Sample,
    Scenario,
    ServerFacts,
    Side,
    Tag,
    Tool,
)

from .changelogs import commits

WEB = "https://github.com/ggml-org/llama.cpp"
BASE = Tag(name="b9556", sha="9556" + "a" * 36, number=9556)
HEAD = Tag(name="b9602", sha="9602" + "b" * 36, number=9602)
BOTH: tuple[MetricKind, ...] = ("ttft", "prefill")
CHAT = Scenario(name="chat", prompt_tokens=63, n_predict=8, requests=5, judged=BOTH)
DOCUMENT = Scenario(name="document", prompt_tokens=704, n_predict=8, requests=5, judged=BOTH)
CODING = Scenario(name="coding", prompt_tokens=532, n_predict=64, requests=5, judged=(*BOTH, "decode"))
SCENARIOS = (CHAT, DOCUMENT, CODING)
PRIMARY = frozenset({"decode:coding", "prefill:document"})
#: What the base does in each scenario: TTFT (ms), prefill and decode (t/s).
SPEEDS: dict[str, dict[MetricKind, float]] = {
    "chat": {"ttft": 420.8, "prefill": 149.7, "decode": 12.71},
    "document": {"ttft": 931.2, "prefill": 758.2, "decode": 12.64},
    "coding": {"ttft": 903.5, "prefill": 589.4, "decode": 12.68},
}
#: All that the program can shut a command off from.
ISOLATION = ("leash", "network", "pid", "filesystem", "environment")
#: Launch-to-launch noise (log-ratio): sums to zero over four rounds.
NOISE = (0.002, -0.002, 0.001, -0.001)

Changed = dict[str, Any]


def profile(**changes: Any) -> Profile:
    """The conditions of the example report."""
    values: Changed = {
        "name": "default",
        "model": Model(
            name="Qwen3.6-27B-Q4_K_M.gguf",
            sha256="5" * 64,
            size_mib=15811.0,
            architecture="qwen3next",
            quantization="Q4_K_M",
            layers=64,
        ),
        "backend": "cuda",
        "flags": ("-ngl", "50", "-c", "98304", "-b", "1024", "-fa", "on"),
        "scenarios": SCENARIOS,
        "margin": 0.03,
        "reserve_mib": 300,
        "hash": "profile-hash",
    }
    return Profile.model_validate(values | changes)


def machine(**changes: Any) -> Machine:
    """A home computer with one card."""
    values: Changed = {
        "id": "m" * 16,
        "cpu": "AMD Ryzen 7 7800X3D 8-Core Processor",
        "cores": 8,
        "ram_mib": 64000.0,
        "os": "Debian GNU/Linux 12",
        "kernel": "6.1.0-18-amd64",
        "gpu": Gpu(
            id="g" * 16,
            name="NVIDIA GeForce RTX 5080",
            driver="610.57",
            total_mib=16303.0,
            compute_capability="12.0",
        ),
    }
    return Machine.model_validate(values | changes)


def build(side: Side, **changes: Any) -> Build:
    """A finished CUDA build of that side."""
    tag = BASE if side == "base" else HEAD
    folder = f"builds/{tag.name}"
    values: Changed = {
        "side": side,
        "tag": tag.name,
        "sha": tag.sha,
        "key": f"{tag.name}-key",
        "backend": "cuda",
        "options": {
            "GGML_CUDA": "ON",
            "CMAKE_CUDA_ARCHITECTURES": "120a-real",
            "CMAKE_BUILD_TYPE": "Release",
        },
        "tools": (
            Tool(name="gcc", version="12.2.0", path="/usr/bin/g++"),
            Tool(name="nvcc", version="12.9", path="/usr/local/cuda/bin/nvcc"),
        ),
        "commands": (
            ("cmake", "-S", f"{folder}/src", "-B", f"{folder}/bld", "-DGGML_CUDA=ON"),
            ("cmake", "--build", f"{folder}/bld", "--target", "llama-server", "llama-bench"),
        ),
        "seconds": 240.0,
        "version": f"version: {tag.number} ({tag.sha[:9]})",
        "binaries": {"llama-server": ("b" if side == "base" else "h") * 64},
        "isolation": ISOLATION,
    }
    return Build.model_validate(values | changes)


def own_build(side: Side = "base") -> Build:
    """The user's own binaries."""
    tool = Tool(name="compiler", version="GNU 14.2.0", path="")
    return build(side, source="path", options={}, tools=(tool,), commands=(), seconds=0.4, isolation=())


def archive_build(side: Side = "head") -> Build:
    """Upstream's release archive with CUDA."""
    tag = BASE if side == "base" else HEAD
    name = f"llama-{tag.name}-bin-ubuntu-cuda-12.8-x64.tar.gz"
    place = f"builds/{tag.name}/bld/bin"
    versions = {"compiler": "GNU 14.2.0", "cudart": "12.8", "cublas": "12.8.4"}
    return build(
        side,
        source="archive",
        native=False,
        options={},
        tools=tuple(Tool(name=name, version=version, path="") for name, version in versions.items()),
        commands=(
            ("mkdir", "-p", place),
            ("curl", "-fLO", f"{WEB}/releases/download/{tag.name}/{name}"),
            ("tar", "-xzf", name, "-C", place, "--strip-components=1"),
        ),
        archives={name: "a" * 64},
        isolation=(),
    )


def comparison(
    kind: MetricKind,
    scenario: str,
    change: float = 0.001,
    outcome: Outcome = "within",
    half: float | None = None,
    **changes: Any,
) -> Comparison:
    """One decided metric: the base's usual speed, and `change` = head/base - 1 in its own unit.

    `half`: half the width of its interval, as a log-ratio.
    """
    base = SPEEDS.get(scenario, SPEEDS["coding"])[kind]
    own = math.log1p(change)
    effect = -own if kind == "ttft" else own
    half = half or (0.061 if outcome == "inconclusive" else 0.0072)
    metric = f"{kind}:{scenario}"
    values: Changed = {
        "metric": metric,
        "kind": kind,
        "scenario": scenario,
        "primary": metric in PRIMARY,
        "outcome": outcome,
        "rounds": 6,
        "frozen": outcome == "within",
        "effect": effect,
        "low": effect - half,
        "high": effect + half,
        "level": 0.968,
        "se": half / 2.54,
        "sd_round": half / 2.54 * math.sqrt(6),
        "base": base,
        "head": base * (1 + change),
        "hodges_lehmann": effect,
    }
    return Comparison.model_validate(values | changes)


def comparisons(**special: Comparison) -> tuple[Comparison, ...]:
    """Every metric of the example, all within; `special` replaces by `kind_scenario`."""
    quiet = {
        "ttft_chat": comparison("ttft", "chat", 0.0048),
        "prefill_chat": comparison("prefill", "chat", -0.0042),
        "ttft_document": comparison("ttft", "document", -0.0055),
        "prefill_document": comparison("prefill", "document", 0.0059),
        "ttft_coding": comparison("ttft", "coding", -0.0028),
        "prefill_coding": comparison("prefill", "coding", 0.0031),
        "decode_coding": comparison("decode", "coding", -0.0008),
    }
    return tuple((quiet | special).values())


def memory(base: float = 15535.0, head: float = 15359.0, **changes: Any) -> MemoryComparison:
    """VRAM of both sides on a 16 GB card."""
    outcome = "same" if abs(head - base) <= 64 else "more" if head > base else "less"
    values: Changed = {
        "source": "nvml",
        "base_mib": base,
        "head_mib": head,
        "base_range_mib": 4.0,
        "head_range_mib": 2.0,
        "tolerance_mib": 64.0,
        "total_mib": 16303.0,
        "baseline_mib": 412.0,
        "base_headroom_mib": 16303.0 - base,
        "head_headroom_mib": 16303.0 - head,
        "outcome": outcome,
    }
    return MemoryComparison.model_validate(values | changes)


def host_memory(base: float = 812.0, head: float = 815.0) -> MemoryComparison:
    """The servers' resident sets, on a machine without a GPU."""
    free = 5321.0
    return memory(
        base,
        head,
        source="rss",
        total_mib=7950.0,
        baseline_mib=0.0,
        base_headroom_mib=free - base,
        head_headroom_mib=free - head,
    )


def launch(side: Side, slot: int, scenarios: tuple[Scenario, ...] = SCENARIOS, **changes: Any) -> Launch:
    """One finished launch with the base's speeds and a little noise."""
    factor = math.exp(NOISE[slot // 2 % len(NOISE)])
    values: Changed = {
        "side": side,
        "slot": slot,
        "status": "ok",
        "argv": (
            f"builds/{BASE.name if side == 'base' else HEAD.name}/bld/bin/llama-server",
            "-m",
            "Qwen3.6-27B-Q4_K_M.gguf",
            "-ngl",
            "50",
            "-c",
            "98304",
        ),
        "seconds": {"load": 14.2, "total": 78.4},
        "samples": tuple(_sample(item, factor) for item in scenarios),
        "memory": (
            MemoryTrace(
                source="nvml",
                total_mib=16303.0,
                baseline_mib=412.0,
                loaded_mib=15240.0,
                peak_mib=15535.0 if side == "base" else 15359.0,
                min_free_mib=768.0,
            ),
        ),
        "facts": ServerFacts(
            props={"n_ctx": 98304}, buffers={"CUDA0.KV": 4915.2, "CUDA0.model": 9800.0}, offloaded=(50, 65)
        ),
        "isolation": ISOLATION,
    }
    return Launch.model_validate(values | changes)


def _sample(scenario: Scenario, factor: float) -> Sample:
    speed = SPEEDS.get(scenario.name, SPEEDS["coding"])
    return Sample(
        scenario=scenario.name,
        index=0,
        warmup=False,
        prompt_n=scenario.prompt_tokens,
        cache_n=0,
        predicted_n=scenario.n_predict,
        prompt_ms=scenario.prompt_tokens * 1000 / (speed["prefill"] * factor),
        predicted_ms=(scenario.n_predict - 1) * 1000 / (speed["decode"] * factor),
        ttft_ms=speed["ttft"] / factor,
        wall_ms=2000.0,
    )


def rounds(count: int = 6, head: Changed | None = None, base: Changed | None = None) -> tuple[Round, ...]:
    """That many rounds; `head` and `base` change every launch of that side."""
    return tuple(
        Round(
            index=index,
            order="AB" if index % 2 == 0 else "BA",
            launches=(
                launch("base", 2 * index, **(base or {})),
                launch("head", 2 * index + 1, **(head or {})),
            ),
        )
        for index in range(count)
    )


def plan(**changes: Any) -> Plan:
    """Twelve rounds in 45 minutes."""
    values: Changed = {
        "seed": 2718281828,
        "max_rounds": 12,
        "looks": (4, 6, 8, 10, 12),
        "budget_s": 2700.0,
        "estimate_s": 1900.0,
        "launch_s": 78.4,
    }
    return Plan.model_validate(values | changes)


def run(**changes: Any) -> Run:
    """The example's run: everything within, 176 MiB less VRAM."""
    values: Changed = {
        "id": "b9556-b9602-1a2b3c4d",
        "program": "0.1.0",
        "created": "2026-06-14T08:30:00Z",
        "pair": Pair(base=BASE, head=HEAD, ancestor=True, commits=4, web=WEB),
        "profile": profile(),
        "machine": machine(),
        "builds": (build("base"), build("head")),
        "plan": plan(),
        "rounds": rounds(),
        "comparisons": comparisons(),
        "memory": memory(),
        "changes": commits(),
        "seconds": {"build": 420.0, "rounds": 1440.0},
    }
    return Run.model_validate(values | changes)


def unmeasured(**changes: Any) -> Run:
    """A run that never came to numbers."""
    nothing: Changed = {
        "plan": None,
        "rounds": (),
        "comparisons": (),
        "memory": None,
        "seconds": {"build": 95.0},
    }
    return run(**(nothing | changes))


def failed_build(side: Side, **changes: Any) -> Build:
    """A build that failed to compile."""
    failure = BuildFailure(
        stage="compile",
        kind="code",
        cause="compile-error",
        excerpt="ggml/src/ggml-cuda/fattn.cu(412): error: ambiguous operator half+half",
        tail='FAILED: fattn.cu.o\n1 error detected in the compilation of "fattn.cu".\nninja: build stopped',
    )
    values: Changed = {"status": "failed", "failure": failure, "binaries": {}, "version": None}
    return build(side, **(values | changes))


CRASH: Changed = {
    "status": "crashed_serving",
    "detail": "SIGABRT: ggml/src/ggml-cuda/ggml-cuda.cu:104: CUDA error",
    "log_tail": "slot 0 | prompt processing\nillegal memory access\nggml-cuda.cu:104: CUDA error",
    "samples": (),
    "exit_code": -6,
}
