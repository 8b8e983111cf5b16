"""The sections of config.yml. The descriptions here are those of `config.schema.json`."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bot.config.fields import (
    Architectures,
    Commands,
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
    one_of,
    prompt_file,
    whole,
)
from bot.records import MetricKind

UPSTREAM = "https://github.com/ggml-org/llama.cpp"
#: What the method allows (docs/measuring.md): fewer than 3 requests per launch fail in simulation, 12 are
#: no better than 7; the decision looks at these numbers of rounds and no others.
FEWEST_REQUESTS, MOST_REQUESTS = 3, 12
LOOKS = (4, 6, 8, 10, 12)

Requests = Annotated[int, whole(FEWEST_REQUESTS, MOST_REQUESTS)]
Rounds = Annotated[Literal[4, 6, 8, 10, 12], one_of(*LOOKS)]
Metric = Annotated[MetricKind, one_of("ttft", "prefill", "decode")]


class Section(BaseModel):
    """Base of all sections: immutable, unknown keys are errors, nothing is converted silently."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, populate_by_name=True)


class UpstreamConfig(Section):
    """Where the tags come from."""

    url: Url = Field(UPSTREAM, description="Git address of llama.cpp, or the path of a local repository.")


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
    reserve_mib: Annotated[int, whole(0, 1_000_000)] = Field(
        300, description="VRAM in MiB that must stay free; less after the upgrade means `hold`."
    )
    isolation: Annotated[Literal["auto", "required", "none"], one_of("auto", "required", "none")] = Field(
        "auto",
        description="Servers without network or write access. `required`: no run where that is impossible.",
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


class PresetConfig(Section):
    """A shorter run: each key only ever shortens what the profile says."""

    requests: Requests | None = Field(None, description="At most this many requests per launch.")
    rounds: Rounds | None = Field(None, description="At most this many rounds.")
    scenarios: Kept = Field(
        ("all",), description="`all`, `primary` (those with a primary metric), or a list of names."
    )


QUICK = PresetConfig(requests=FEWEST_REQUESTS, rounds=4, scenarios=("primary",))


def builtin_presets() -> dict[str, PresetConfig]:
    """The presets that exist without being configured."""
    return {"quick": QUICK}
