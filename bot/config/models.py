"""The sections of config.yml. The descriptions here are those of `config.schema.json`."""

import os
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bot.config.fields import (
    Architectures,
    Commands,
    Duration,
    FilePath,
    Flags,
    Fraction,
    GpuId,
    Kept,
    Name,
    Names,
    Prompt,
    ScenarioName,
    Url,
    distinct,
    matching,
    one_of,
    prompt_file,
    whole,
)
from bot.records import EvidenceKind, MetricKind

UPSTREAM = "https://github.com/ggml-org/llama.cpp"
#: No secret goes there, and nothing but `/props` is asked.
SERVER = r"https?://[^\s/?#@]+(/[^\s?#]*)?"
ISSUES = r"auto|none|[A-Za-z0-9][A-Za-z0-9-]{0,38}/(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}"
#: What the method allows (docs/measuring.md): fewer than 3 requests per launch fail in simulation, 12 are
#: no better than 7; the decision looks at these numbers of rounds and no others.
FEWEST_REQUESTS, MOST_REQUESTS = 3, 12
LOOKS = (4, 6, 8, 10, 12)

Requests = Annotated[int, whole(FEWEST_REQUESTS, MOST_REQUESTS)]
Rounds = Annotated[Literal[4, 6, 8, 10, 12], one_of(*LOOKS)]
Metric = Annotated[MetricKind, one_of("ttft", "prefill", "decode")]
Evidence = Annotated[EvidenceKind, one_of(*get_args(EvidenceKind))]
#: Cheap beside the rounds, and what speed alone cannot see.
DEFAULT_EVIDENCE: tuple[EvidenceKind, ...] = ("warm_chat", "canary")


class Section(BaseModel):
    """Base of all sections: immutable, unknown keys are errors, nothing is converted silently."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class UpstreamConfig(Section):
    """Where the tags come from."""

    url: Url = Field(UPSTREAM, description="Git address of llama.cpp, or the path of a local repository.")
    issues: Annotated[str, matching(ISSUES, "repository", "auto", "none", "ggml-org/llama.cpp")] = Field(
        "auto",
        description="GitHub repository (`owner/name`) whose open issues are read before a report recommends "
        "an upgrade. `auto`: that of `url`; `none`: not at all.",
    )


def default_isolation() -> Literal["auto", "required"]:
    """In GitHub Actions others say what is built: there it must be shut in, or not be started at all."""
    return "required" if os.environ.get("GITHUB_ACTIONS") == "true" else "auto"


class MachineConfig(Section):
    """This machine: what measures, and what must be out of the way meanwhile."""

    name: Name | None = Field(None, description="Name of this machine in `/bench`; reports never show it.")
    backend: Annotated[Literal["auto", "cpu", "cuda"], one_of("auto", "cpu", "cuda")] = Field(
        "auto", description="What to build for. `auto`: CUDA where there is an NVIDIA GPU, else CPU."
    )
    gpu: GpuId = Field(
        "auto",
        description="The GPU's UUID, as `nvidia-smi -L` prints it; of several that one server is to use, "
        "all with commas between. `auto`: the only one.",
    )
    cuda_architectures: Architectures = Field(
        (), description="GPU architectures to build for, for a fleet. Default: this machine's own."
    )
    builds_kept: Annotated[int, whole(2, 1000)] = Field(
        12, description="Finished builds that are kept; the one used longest ago goes first."
    )
    builds_gib: Annotated[int, whole(1, 10_000)] = Field(
        40, description="Disk space in GiB for builds; what is over it goes in the same order."
    )
    server: Annotated[str, matching(SERVER, "server-url", "http://127.0.0.1:8080")] | None = Field(
        None,
        description="Your own server; a run without `--base` asks it which build it is, as the base.",
    )
    reserve_mib: Annotated[int, whole(0, 1_000_000)] = Field(
        300, description="VRAM in MiB that must stay free; less after the upgrade means `hold`."
    )
    isolation: Annotated[Literal["auto", "required", "none"], one_of("auto", "required", "none")] = Field(
        default_factory=default_isolation,
        description="Compiling and measuring without network, other processes and other files. `required`: "
        "no run where that is impossible, the default in GitHub Actions; `auto`: as far as it is possible.",
        json_schema_extra={"default": "auto"},
    )
    self_test: Annotated[Literal["auto", "always", "never"], one_of("auto", "always", "never")] = Field(
        "auto",
        description="Compare the base with itself (A/A) before the first comparison of a model with its "
        "flags on this GPU and driver, and every 90 days. `auto`: on a GPU; `always`: on a CPU too; `never`.",
    )
    self_test_budget_s: Duration = Field(
        45 * 60,
        alias="self_test_budget",
        description="Time for that self-test, on top of `budget`.",
        json_schema_extra={"default": "45m"},
    )
    before: Commands = Field(
        (), description="Commands (argument lists) before a run, such as stopping your own server."
    )
    after: Commands = Field((), description="Commands after a run, also after one that was killed.")


class ScenarioConfig(Section):
    """One prompt shape."""

    prompt: Prompt = Field(description="A built-in text (chat, document, coding) or a text file of yours.")
    prompt_tokens: Annotated[int, whole(16, 1_000_000)] = Field(
        description="Exact prompt length; the text is cut to it."
    )
    n_predict: Annotated[int, whole(1, 4096)] | None = Field(
        None, description="Answer length in tokens. Default: 64 where decode is judged (at least 32), else 8."
    )
    requests: Requests = Field(5, description="Measured requests per launch (K).")
    judged: Annotated[tuple[Metric, ...], Field(min_length=1), AfterValidator(distinct)] | None = Field(
        None,
        description="What is judged here. Default: ttft and prefill, and decode as `decode_in` says.",
    )


def _scenarios() -> dict[str, ScenarioConfig]:
    sizes = {"chat": 63, "document": 704, "coding": 532}
    return {
        name: ScenarioConfig(prompt=prompt_file(name), prompt_tokens=size) for name, size in sizes.items()
    }


class ProfileConfig(Section):
    """One model with the flags you run it with, and how it is judged."""

    model: FilePath = Field(description="The GGUF file (the first part of a split one).")
    flags: Flags = Field((), description="Your llama-server flags, as one line or a list.")
    margin: Fraction = Field(
        0.03,
        description="Smallest change that matters; smaller ones are within measurement error.",
        json_schema_extra={"default": "3%"},
    )
    scenarios: Annotated[dict[ScenarioName, ScenarioConfig], Field(min_length=1)] = Field(
        default_factory=_scenarios, description="By name. Default: chat, document and coding."
    )
    decode_in: Names | None = Field(
        None, description="Scenarios in which decode is judged. Default: the last one, as one is enough."
    )
    primary: Names | None = Field(
        None,
        description="Metrics that must be decided for a verdict, such as `decode:coding`. "
        "Default: decode, and prefill of the longest prompt.",
    )
    rounds: Rounds = Field(12, description="Most rounds of a run; it ends earlier when all is decided.")
    evidence: Annotated[tuple[Evidence, ...], AfterValidator(distinct)] = Field(
        DEFAULT_EVIDENCE,
        description="What is looked at besides speed and memory, in this order, within `evidence_budget`.",
    )
    daily_flags: Flags = Field(
        (),
        description="Flags that you run the server with besides, such as `-np 1 --cache-ram 2048`: "
        "for the evidence `warm_chat` and `canary` only.",
    )
    variants: dict[ScenarioName, Flags] = Field(
        {},
        description="For the evidence `variant`: flags in the place of the profile's own, by name.",
        json_schema_extra={"examples": [{"kv_q8": "-ctk q8_0 -ctv q8_0"}]},
    )


class PresetConfig(Section):
    """A shorter run: each key only ever shortens what the profile says."""

    requests: Requests | None = Field(None, description="At most this many requests per launch.")
    rounds: Rounds | None = Field(None, description="At most this many rounds.")
    scenarios: Kept = Field(
        ("all",), description="`all`, `primary` (those with a primary metric), or a list of names."
    )
    evidence: Annotated[tuple[Evidence, ...], AfterValidator(distinct)] | None = Field(
        None, description="Kinds of evidence that are kept; default: all. `[]`: none."
    )


QUICK = PresetConfig(requests=FEWEST_REQUESTS, rounds=4, scenarios=("primary",), evidence=())


def builtin_presets() -> dict[str, PresetConfig]:
    """The presets that exist without being configured."""
    return {"quick": QUICK}
