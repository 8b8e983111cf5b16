"""What one step of a memory flag costs on the GPU, from the server's own log.

Formulas over the model's header fail on hybrid and sliding-window models, so nothing here uses them.
"""

from dataclasses import dataclass

from bot.records import Launch, Profile, Run, ServerFacts

SOME_EXPERTS = ("--n-cpu-moe", "-ncmoe")
_ALL_EXPERTS = frozenset({"--cpu-moe", "-cmoe"})
#: With these, a mean over the buffers says nothing of one layer: tensors placed by hand, a second model.
_UNEVEN = frozenset(
    {"-ot", "--override-tensor", "-ts", "--tensor-split", "-md", "--model-draft", "--spec-draft-model"}
)


@dataclass(frozen=True)
class Costs:
    """GPU memory of one step of each flag, MiB; None where the log does not tell.

    `layer` is the mean over the layers on the GPU, with their share of the KV cache; `experts` the mean of
    one layer's experts that lie in host memory.
    """

    token: float | None
    layer: float | None
    experts: float | None


def costs(run: Run) -> Costs:
    """From the log of head's first valid launch."""
    launch = told_by(run)
    if launch is None:
        return Costs(None, None, None)
    facts, profile = launch.facts, run.profile
    even = _UNEVEN.isdisjoint(profile.flags)
    return Costs(
        token=kv_mib_per_token(facts),
        layer=layer_mib(facts) if even and layers_in_host_memory(profile) is None else None,
        experts=experts_mib(facts, profile) if even else None,
    )


def kv_mib_per_token(facts: ServerFacts) -> float | None:
    """GPU share of the KV buffers per token of context."""
    size, context = _on_gpu(facts, "KV"), context_of(facts)
    return size / context if size and context else None


def context_of(facts: ServerFacts) -> int | None:
    """Tokens of context that the server runs with."""
    context = facts.props.get("n_ctx") or facts.props.get("default_generation_settings.n_ctx")
    return context if isinstance(context, int) and not isinstance(context, bool) and context > 0 else None


def layer_mib(facts: ServerFacts) -> float | None:
    """Mean size of the layers on the GPU, with what the context keeps for them; None unless some are left."""
    size = _on_gpu(facts, "model")
    if facts.offloaded is None or not size or not 0 < facts.offloaded[0] < facts.offloaded[1]:
        return None
    return (size + _on_gpu(facts, "KV") + _on_gpu(facts, "RS")) / facts.offloaded[0]


def experts_mib(facts: ServerFacts, profile: Profile) -> float | None:
    """Mean size of one layer's experts in host memory: what of the file is not on the GPU, per such layer.

    A little too much, because that part holds the token embeddings too; mapped host buffers would tell less,
    as the log prints the whole range of the file for them.
    """
    layers, size = layers_in_host_memory(profile), _on_gpu(facts, "model")
    if not layers or not size or facts.offloaded is None or facts.offloaded[0] != facts.offloaded[1]:
        return None
    rest = profile.model.size_mib - size
    return rest / layers if rest > 0 else None


def told_by(run: Run) -> Launch | None:
    """The launch whose log is read: head's first valid one."""
    return next((item for item in run.launches("head") if item.is_valid), None)


def _on_gpu(facts: ServerFacts, kind: str) -> float:
    return sum(
        mib
        for name, mib in facts.buffers.items()
        if name.endswith(f".{kind}") and name.startswith("CUDA") and not name.startswith("CUDA_Host")
    )


def layers_in_host_memory(profile: Profile) -> int | None:
    """How many layers' experts stay in host memory; None where no flag says so."""
    if not _ALL_EXPERTS.isdisjoint(profile.flags):
        return profile.model.layers or 0
    for flag, value in zip(profile.flags, profile.flags[1:], strict=False):
        if flag in SOME_EXPERTS and value.isdecimal():
            return int(value)
    return None
