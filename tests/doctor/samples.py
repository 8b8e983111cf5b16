"""One finding for every sentence that the doctor can say, from the judgements themselves."""

from collections.abc import Callable, Iterator
from pathlib import Path

from bot.config import Settings
from bot.config.commands import CommandsConfig
from bot.config.github import GithubConfig
from bot.config.models import ProfileConfig
from bot.config.notify import AddressSource
from bot.config.watch import MachineEntry, WatchConfig
from bot.doctor import actions, gpu, neighbours, packages, phones, quiet, room, self_tests, sources, tools
from bot.doctor.case import Case
from bot.doctor.conditions import judge_model
from bot.doctor.finding import Finding, crashed, ok
from bot.doctor.repository_facts import Group, Repository, Runner
from bot.doctor.weights import Weights
from bot.errors import environment, usage
from bot.gpu.nvml import Device
from bot.isolation import Level, Means
from bot.records import Tool
from tests.support.self_tests import calibration

#: Writes a configuration with the given top-level keys changed, and gives its path.
Configure = Callable[..., Path]
#: The case of such a configuration.
Examined = Callable[..., Case]

GPU = Device("GPU-1f2e", "NVIDIA GeForce RTX 3090", "550.54", 24576.0, 1024.0, "8.6")
WEIGHTS = Weights("big.gguf", 2, 16384.0, "Q4_K_M", 64, hashed=False)
NOTHING = packages.Packages((), {"nvidia-ml-py": "13.6"}, is_current=True)
STILL = quiet.Noise(0.2, 8, frozenset({"performance"}), battery=False, swap_mib=0.0, ram_mib=32768.0)


def tool(name: str, version: str) -> Tool:
    return Tool(name=name, version=version, path=f"/opt/{name}")


def toolset(nvcc: str, gcc: str = "12.2.0") -> tools.Tools:
    compiler = Tool(name="c++", version=gcc, path="/nowhere/g++")
    return tools.Tools({"cc": tool("cc", gcc), "c++": compiler, "nvcc": tool("nvcc", nvcc)})


def without_cublas() -> tools.Tools:
    found = toolset("12.4")
    return tools.Tools({**found.found, "cublas": None})


def every_finding() -> Iterator[Finding]:
    yield crashed("disk", ZeroDivisionError("division by zero"), "warning")
    yield from _conditions()
    yield from _sources()
    yield from _phones()
    yield from _tools()
    yield from _gpu()
    yield from _machine()
    yield from _neighbours()
    yield from _actions()


def _conditions() -> Iterator[Finding]:
    yield ok("settings", path="config.yml", count=2, names="a, b")
    yield ok("profile", name="mine", scenarios="chat", margin="3%")
    yield ok("flags", flags="-ngl 50")
    yield ok("flags", "none")
    yield judge_model(WEIGHTS, "mine")
    yield judge_model(usage("model-missing", path="/m.gguf"), "mine")
    yield judge_model(usage("model-not-gguf", path="/m.gguf"), "mine")
    yield judge_model(usage("model-damaged", path="/m.gguf", why="cut"), "mine")
    yield judge_model(usage("model-not-first", path="/m.gguf", first="/1.gguf"), "mine")
    yield judge_model(usage("model-shard-missing", path="/m.gguf", missing="/2.gguf", count=3), "mine")
    yield judge_model(environment("no-space", path="/m.gguf"), "mine")
    yield judge_model(usage("cannot-read", path="/m.gguf", why="Permission denied"), "mine")


def _phones() -> Iterator[Finding]:
    folder = Path(__file__).parent
    yield ok("phone", services="ntfy", source="env:PHONE")
    yield phones.judge_source(AddressSource(variable="NO_SUCH_VARIABLE_IS_SET"))
    yield phones.judge_source(AddressSource(path=folder / "samples.py"))


def _sources() -> Iterator[Finding]:
    yield sources.judge_git("git version 2.39.5")
    yield sources.judge_git("git version 2.20.1")
    yield Finding("git", "missing", "doctor-git-missing")
    yield sources.judge_upstream(sources.Upstream("https://x", "b9602", 6512))
    yield sources.judge_upstream(sources.Upstream("https://x", why="no route", mirrored="b9601"))
    yield sources.judge_upstream(sources.Upstream("https://x", why="no route"))
    yield sources.judge_upstream(sources.Upstream("https://x"))


def _tools() -> Iterator[Finding]:
    found = toolset("12.4")
    yield tools.judge_compiler(found)
    yield tools.judge_compiler(tools.Tools(found.found, "error: no string"))
    yield tools.judge_compiler(tools.Tools({}))
    yield tools.judge_package("ninja", tool("ninja", "1.11"))
    yield tools.judge_package("ninja", None)
    yield tools.judge_nvcc(found, GPU)
    yield tools.judge_nvcc(without_cublas(), GPU)
    yield tools.judge_nvcc(tools.Tools({}), GPU)
    yield tools.judge_nvcc(toolset("11.0"), None)
    yield tools.judge_nvcc(toolset("12.4"), with_capability("12.0"))
    yield tools.judge_nvcc(toolset("13.0"), with_capability("6.1"))
    yield tools.judge_nvcc(toolset("13.0"), GPU)
    yield tools.judge_nvcc(toolset("12.0", gcc="13.1.0"), GPU)
    yield packages.judge(NOTHING, "cpu")
    yield packages.judge(packages.Packages(("httpx",), {}, is_current=True), "cpu")
    yield packages.judge(packages.Packages((), {"nvidia-ml-py3": "7.352.0"}, is_current=False), "cuda")
    yield packages.judge(packages.Packages((), {"pynvml": "13.0.1"}, is_current=True), "cuda")


def _gpu() -> Iterator[Finding]:
    failed = environment("nvml-failed", why="Unknown Error")
    for device in (GPU, environment("no-gpu"), environment("driver-mismatch"), failed, None):
        yield from gpu.judge_driver(device, 2)
    several = environment("several-gpus", uuids="GPU-1, GPU-2")
    unknown = environment("unknown-gpu", uuid="GPU-3", uuids="GPU-1, GPU-2")
    for problem in (GPU, several, unknown, with_capability(None), None):
        yield from gpu.judge_gpu(problem, is_configured=False)
    yield from gpu.judge_gpu(None, is_configured=True)
    yield gpu.judge_vram(GPU, 16384.0, has_hook=False)
    yield gpu.judge_vram(GPU, 24000.0, has_hook=False)
    yield gpu.judge_vram(GPU, 24000.0, has_hook=True)
    yield gpu.judge_vram(GPU, 30000.0, has_hook=True)
    yield gpu.judge_vram(Device("GPU-1", "GB10", "580.95", None, None, "12.1"), 30000.0, has_hook=False)
    yield gpu.judge_environment(["PATH", "CUDA_HOME"])
    yield gpu.judge_environment(["PATH", "CUDA_VISIBLE_DEVICES", "LLAMA_ARG_THREADS"])


def _machine() -> Iterator[Finding]:
    yield room.judge_ram(32768.0, 20000.0, 16384.0)
    yield room.judge_ram(32768.0, 10000.0, 16384.0)
    yield room.judge_ram(8192.0, 6000.0, 16384.0)
    for free in (100.0, 400.0, 9000.0):
        yield from room.judge_disk([room.Place(Path("/cache"), 1, free, 300.0)])
    for check in ("cache", "runs"):
        yield room.judge_folder(check, room.Folder(Path("/cache"), "", runnable=True))
        yield room.judge_folder(check, room.Folder(Path("/cache"), "Read-only file system", runnable=True))
    yield room.judge_folder("cache", room.Folder(Path("/cache"), "", runnable=False))
    yield from quiet.judge(STILL)
    yield self_tests.judge(None, is_automatic=True)
    yield self_tests.judge(None, is_automatic=False)
    for outcome in ("quiet", "open", "alarm"):
        yield self_tests.judge(calibration("quiet", outcome), is_automatic=True)
    yield from quiet.judge(quiet.Noise(3.5, 8, frozenset({"powersave"}), True, 4096.0, 32768.0))


def _neighbours() -> Iterator[Finding]:
    has, lacks, refused = Means(Path("/usr/bin/bwrap")), Means(None), Means(None, "bwrap: Permission denied")
    levels: tuple[Level, ...] = ("none", "auto", "required")
    for level in levels:
        yield from (neighbours.judge_isolation(level, found) for found in (has, lacks, refused))
    stop, start = ["systemctl", "stop", "x"], ["systemctl", "start", "x"]
    yield neighbours.judge_hooks([], [], [])
    yield neighbours.judge_hooks([stop], [start], [])
    yield neighbours.judge_hooks([stop], [], [])
    yield neighbours.judge_hooks([stop], [start], ["systemctl"])
    yield neighbours.judge_leftovers([])
    yield neighbours.judge_leftovers([neighbours.Leftover(("systemctl start x",))])
    yield ok("turn")
    yield neighbours.judge_busy(
        environment("busy", pid="77", since="2026-06-01T10:00:00+0200", run="b1-b2-7")
    )
    yield neighbours.judge_busy(environment("lock-unusable", path="/run/lock", why="Permission denied"))


def _actions() -> Iterator[Finding]:
    whole: dict[str, object] = {name: {"on": "workflow_call", "jobs": {}} for name in actions.NEEDED}
    open_to_all = {"x.yml": {"on": ["pull_request"], "jobs": {"a": {"runs-on": "gpu"}}}}
    den = MachineEntry(labels=("gpu",))
    cache = {"uses": "actions/cache@v4"}
    for watch, workflows, private in (
        (WatchConfig(targets=("issue:a/b#1",)), whole, True),
        (WatchConfig(targets=("issue:ggml-org/llama.cpp#1",)), {}, False),
        (WatchConfig(machines={"den": den}), {**whole, **open_to_all}, None),
        (WatchConfig(), {"y.yml": {"jobs": {"a": {"runs-on": "gpu", "steps": [cache]}}}}, None),
    ):
        settings = Settings(profiles={"mine": ProfileConfig(model=Path("m.gguf"))}, watch=watch)
        yield from actions.judge(settings, Repository(workflows, private))
    yield from _runners(whole)


def _runners(workflows: dict[str, object]) -> Iterator[Finding]:
    labels = frozenset({"self-hosted", "gpu"})
    fresh, kept = Runner("den", labels, True, True, 2), Runner("attic", labels, False, False)
    path = "a/b/.github/workflows/bench.yml@refs/heads/main"
    alone, every = Group("gpu", ("a/b",), (path,)), Group("all", None, None)
    loose = Group("loose", ("a/b",), None)
    untrusted = GithubConfig(commands=CommandsConfig(untrusted=True))
    settings = Settings(profiles={"mine": ProfileConfig(model=Path("m.gguf"))}, github=untrusted)
    for approval, runners, groups in (
        ("all_external_contributors", (fresh,), {2: alone}),
        ("first_time_contributors", (fresh,), {2: every}),
        (None, (fresh,), {2: loose}),
        (None, (fresh,), None),
        (None, (kept,), {}),
        (None, (), {}),
        (None, None, None),
    ):
        yield from actions.judge(settings, Repository(workflows, False, "a/b", approval, runners, groups))


def with_capability(capability: str | None) -> Device:
    return Device(GPU.uuid, GPU.name, GPU.driver, GPU.total_mib, GPU.used_mib, capability)
