"""What was asked, on which machine, and how it was to go."""

from typing import Annotated

from pydantic import Field

from bot.records.base import Backend, MetricKind, Reason, Record


class Scenario(Record):
    """One prompt shape: exact prompt length in tokens, fixed answer length, K requests per launch."""

    name: str
    prompt_tokens: int
    n_predict: int
    requests: int
    judged: tuple[MetricKind, ...] = ("ttft", "prefill")


class Model(Record):
    """The model file as its header and bytes say; `name` is the file's name, never its path.

    `context`: tokens of context that it was trained for.
    """

    name: str
    sha256: str
    size_mib: float
    architecture: str = ""
    quantization: str = ""
    layers: int | None = None
    context: int | None = None
    license: str = ""


class Profile(Record):
    """The conditions of a run, as configured. `flags` are the user's own server flags."""

    name: str
    model: Model
    backend: Backend
    flags: tuple[str, ...]
    scenarios: tuple[Scenario, ...]
    margin: Annotated[float, Field(gt=0, lt=1)]
    primary: tuple[str, ...] = ()
    reserve_mib: int = 300
    preset: str | None = None
    hash: str = ""


class Gpu(Record):
    """One GPU; `id` is a hash of its UUID."""

    id: str
    name: str
    driver: str
    total_mib: float
    compute_capability: str | None = None


class Machine(Record):
    """Where it ran; `id` is a hash of the host name."""

    id: str
    cpu: str
    cores: int
    ram_mib: float
    os: str
    kernel: str
    virtual: bool = False
    gpu: Gpu | None = None


class Plan(Record):
    """How the run was to go. `cuts` are the reasons for anything the budget or preset shortened."""

    seed: int
    max_rounds: int
    looks: tuple[int, ...]
    budget_s: float
    estimate_s: float
    launch_s: float
    warmups: int = 2
    cuts: tuple[Reason, ...] = ()
