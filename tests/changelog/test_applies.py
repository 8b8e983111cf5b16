"""Whether a commit can act on a profile."""

import pytest

from bot.changelog import circumstances
from bot.changelog.applies import applies, explain, holds
from bot.changelog.circumstances import Circumstances, read_flags
from bot.records import Gpu, Machine, Model, Profile
from tests.support.commits import PERSONA


def having(flags: str = "", **changes: object) -> Circumstances:
    values: dict[str, object] = {"architecture": "qwen35", "flags": read_flags(flags.split())}
    return Circumstances(**(values | changes))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("need", "flags", "answer"),
    [
        ("spec:mtp", "", False),
        ("spec:mtp", "--spec-type draft-mtp", True),
        ("spec:draft", "-md small.gguf", True),
        ("spec:draft", "--spec-type none", False),
        ("spec:ngram", "--spec-type ngram-map-k4v", True),
        ("kv:quantized", "", False),
        ("kv:quantized", "-ctk q8_0 -ctv q8_0", True),
        ("kv:quantized", "-ctk bf16", False),
        ("kv:not-unified", "", False),
        ("kv:not-unified", "-np 4", True),
        ("kv:not-unified", "-np 4 -kvu", False),
        ("kv:not-unified", "-no-kvu", True),
        ("np>1", "", None),
        ("np>1", "-np 1", False),
        ("np>1", "--parallel=4", True),
        ("mmproj", "", False),
        ("mmproj", "--mmproj p.gguf", True),
        ("multi-gpu", "", None),
        ("multi-gpu", "-sm none", False),
        ("multi-gpu", "-ts 1,1", True),
        ("moe-offload", "-ncmoe 10", True),
        ("ngl:auto", "", True),
        ("ngl:auto", "-ngl 50", False),
        ("ngl:auto", "--fit off", False),
        ("backend:rpc", "", False),
        ("backend:rpc", "--rpc host:1", True),
        ("request:tools", "", None),
        ("nobody:knows", "", None),
    ],
)
def test_a_need_against_the_flags(need: str, flags: str, answer: bool | None) -> None:
    assert holds(need, having(flags)) is answer


@pytest.mark.parametrize(
    ("need", "capability", "answer"),
    [
        ("gpu:volta", (7, 0), True),
        ("gpu:volta", (7, 5), False),
        ("gpu:volta|turing", (7, 5), True),
        ("gpu:ampere", (8, 6), True),
        ("gpu:ampere", (8, 9), False),
        ("gpu:blackwell", (12, 0), True),
        ("gpu:cc>=9.0", (12, 0), True),
        ("gpu:cc>=9.0", (8, 9), False),
        ("gpu:volta", None, None),
        ("gpu:amd", (8, 9), False),
    ],
)
def test_a_need_against_the_gpu(need: str, capability: tuple[int, int] | None, answer: bool | None) -> None:
    assert holds(need, having(compute_capability=capability)) is answer


@pytest.mark.parametrize(
    ("need", "architecture", "answer"),
    [
        ("model:mamba", "mamba2", True),
        ("model:mamba", "qwen35", False),
        ("model:gdn", "qwen35", True),
        ("model:swa", "gemma3", True),
        ("model:moe", "qwen35moe", True),
        ("model:sinks", "gpt-oss", True),
        ("model:plamo2", "qwen35", False),
        ("model:step35|qwen35", "qwen35", True),
        ("model:mamba", "", None),
    ],
)
def test_a_need_against_the_model(need: str, architecture: str, answer: bool | None) -> None:
    assert holds(need, having(architecture=architecture)) is answer


def test_one_need_that_fails_is_a_no_whatever_else_is_open() -> None:
    assert applies("server", ["np>1", "kv:not-unified"], PERSONA) == ("no", ("kv:not-unified",))


def test_an_open_need_is_unknown() -> None:
    assert applies("cuda", ["gpu:cc>=9.0"], PERSONA) == ("unknown", ("gpu:cc>=9.0",))


def test_without_needs_the_area_decides() -> None:
    assert applies("server", [], PERSONA) == ("yes", ())
    assert applies("build", [], PERSONA) == ("unknown", ())


def test_a_need_becomes_a_message_with_its_value() -> None:
    assert explain("np>1").code == "need-np-1"
    assert explain("gpu:ada|cc>=9.0").args == {"value": "Ada / compute capability ≥ 9.0"}


def test_circumstances_come_from_profile_and_machine() -> None:
    profile = Profile(
        name="p",
        model=Model(name="m.gguf", sha256="0", size_mib=1, architecture="Qwen35", layers=64),
        backend="cuda",
        flags=("-ngl", "50", "--jinja", "-fa", "on"),
        scenarios=(),
        margin=0.03,
    )
    gpu = Gpu(id="g", name="RTX 5080", driver="1", total_mib=16303, compute_capability="12.0")
    machine = Machine(id="m", cpu="Neoverse-V2", cores=8, ram_mib=1, os="Linux", kernel="6.1", gpu=gpu)
    facts = circumstances(profile, machine)
    assert facts.compute_capability == (12, 0)
    assert facts.architecture == "qwen35"
    assert facts.flags == {"--n-gpu-layers": "50", "--jinja": "", "--flash-attn": "on"}
    assert facts.platforms == {"arm"}
    assert facts.uses_cpu


def test_a_cpu_profile_has_no_gpu_even_on_a_gpu_machine() -> None:
    profile = Profile(
        name="p",
        model=Model(name="m", sha256="0", size_mib=1),
        backend="cpu",
        flags=(),
        scenarios=(),
        margin=0.03,
    )
    gpu = Gpu(id="g", name="x", driver="1", total_mib=1, compute_capability="8.9")
    machine = Machine(id="m", cpu="Xeon", cores=8, ram_mib=1, os="Linux", kernel="6.1", gpu=gpu)
    assert circumstances(profile, machine).compute_capability is None
    assert holds("gpu:ada", circumstances(profile, machine)) is False
