"""Does a commit apply to this profile? Its needs, held against the circumstances: yes, no or unknown."""

import re
from collections.abc import Callable, Sequence
from typing import Literal

from bot.changelog.circumstances import Circumstances
from bot.changelog.tables import tables
from bot.records import Reason

Answer = Literal["yes", "no", "unknown"]
Holds = bool | None
Check = Callable[[Circumstances, str], Holds]

#: Compute capabilities by generation, lowest and highest (NVIDIA, CUDA C++ programming guide, appendix).
GENERATIONS = {
    "pascal": ((6, 0), (6, 9)),
    "volta": ((7, 0), (7, 4)),
    "turing": ((7, 5), (7, 9)),
    "ampere": ((8, 0), (8, 8)),
    "ada": ((8, 9), (8, 9)),
    "hopper": ((9, 0), (9, 9)),
    "blackwell": ((10, 0), (12, 9)),
}
_VALUED = frozenset({"backend", "gpu", "model", "quant"})
_PLAIN_KV = frozenset({"f16", "bf16", "f32", ""})


def applies(area: str, needs: Sequence[str], facts: Circumstances) -> tuple[Answer, tuple[str, ...]]:
    """The answer, and the needs that do not hold (or, where none fails, those that nobody knows)."""
    answers = {need: holds(need, facts) for need in needs}
    failing = tuple(need for need, answer in answers.items() if answer is False)
    if failing:
        return "no", failing
    open_ = tuple(need for need, answer in answers.items() if answer is None)
    if open_:
        return "unknown", open_
    if area in tables().certain or needs:
        return "yes", ()
    return "unknown", ()


def holds(need: str, facts: Circumstances) -> Holds:
    """Whether one need holds; None where the profile does not say. Unknown needs are nobody's knowledge."""
    kind, _, value = need.partition(":")
    check = _CHECKS.get(need) or _CHECKS.get(kind)
    return check(facts, value) if check else None


def explain(need: str) -> Reason:
    """A need as a message of the catalogs: `spec:mtp` → `need-spec-mtp`, `gpu:ada|hopper` → `need-gpu`."""
    kind, _, value = need.partition(":")
    if kind in _VALUED:
        names = tables().names
        return Reason(
            code=f"need-{kind}", args={"value": " / ".join(names.get(v, v) for v in value.split("|"))}
        )
    return Reason(code="need-" + re.sub(r"[^a-z0-9]+", "-", need).strip("-"))


def names_model(text: str, facts: Circumstances) -> bool:
    """Whether a text names this profile's model or architecture (`qwen35`, `Qwen3.6`), spelling aside."""
    said = _plain(text)
    return any(name in said for name in _model_names(facts))


def _model_names(facts: Circumstances) -> tuple[str, ...]:
    stem = re.match(r"[A-Za-z]+[-_ ]?\d+(?:\.\d+)?", facts.model)
    names = (_plain(facts.architecture), _plain(stem.group(0)) if stem else "")
    return tuple(name for name in names if len(name) > 3)


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _backend(facts: Circumstances, value: str) -> Holds:
    if value == "rpc":
        return facts.has("--rpc")
    return value == facts.backend


def _spec(facts: Circumstances, value: str) -> Holds:
    chosen = facts.flags.get("--spec-type", "").lower()
    drafts = facts.has("--model-draft", "--hf-repo-draft", "--spec-draft-hf")
    if value == "mtp":
        return "mtp" in chosen
    if value == "ngram":
        return "ngram" in chosen or facts.has("--lookup-cache-static", "--lookup-cache-dynamic")
    return drafts or (bool(chosen) and chosen != "none")


def _kv_quantized(facts: Circumstances, _: str) -> Holds:
    given = (facts.flags.get(name, "").lower() for name in ("--cache-type-k", "--cache-type-v"))
    return any(text not in _PLAIN_KV for text in given)


def _kv_split(facts: Circumstances, _: str) -> Holds:
    if facts.has("--no-kv-unified"):
        return True
    return facts.number("--parallel") is not None and not facts.has("--kv-unified")


def _several_slots(facts: Circumstances, _: str) -> Holds:
    slots = facts.number("--parallel")
    return None if slots is None or slots < 0 else slots > 1


def _projector(facts: Circumstances, _: str) -> Holds:
    return facts.has("--mmproj", "--mmproj-url") and not facts.has("--no-mmproj")


def _gpu(facts: Circumstances, value: str) -> Holds:
    if facts.backend != "cuda":
        return False
    wanted = [name for name in value.split("|") if name != "amd"]
    if not wanted:
        return False
    if facts.compute_capability is None:
        return None
    return any(_is_generation(name, facts.compute_capability) for name in wanted)


def _is_generation(name: str, capability: tuple[int, int]) -> bool:
    least = re.fullmatch(r"cc>=(\d+)\.(\d)", name)
    if least:
        return capability >= (int(least.group(1)), int(least.group(2)))
    lowest, highest = GENERATIONS[name]
    return lowest <= capability <= highest


def _several_gpus(facts: Circumstances, _: str) -> Holds:
    if facts.backend == "cpu" or facts.flags.get("--split-mode") == "none":
        return False
    if facts.has("--tensor-split", "--split-mode") or "," in facts.flags.get("--device", ""):
        return True
    return None if facts.gpus is None else facts.gpus > 1


def _moe_offload(facts: Circumstances, _: str) -> Holds:
    return facts.has("--cpu-moe", "--n-cpu-moe", "--override-tensor", "-ot")


def _model(facts: Circumstances, value: str) -> Holds:
    if not facts.architecture:
        return None
    family = tables().families.get(value)
    if family:
        return bool(family.search(facts.architecture))
    return any(_plain(name) in _model_names(facts) for name in value.split("|"))


def _layers_auto(facts: Circumstances, _: str) -> Holds:
    return facts.flags.get("--n-gpu-layers", "auto") in {"auto", "-1"} and facts.flags.get("--fit") != "off"


def _quant(facts: Circumstances, value: str) -> Holds:
    return facts.quantization.startswith(value) if facts.quantization else None


def _given(*names: str) -> Check:
    return lambda facts, _: facts.has(*names)


_CHECKS: dict[str, Check] = {
    "backend": _backend,
    "spec": _spec,
    "kv:quantized": _kv_quantized,
    "kv:not-unified": _kv_split,
    "np>1": _several_slots,
    "mmproj": _projector,
    "gpu": _gpu,
    "multi-gpu": _several_gpus,
    "moe-offload": _moe_offload,
    "model": _model,
    "ngl:auto": _layers_auto,
    "quant": _quant,
    "lora": _given("--lora", "--lora-scaled"),
    "embedding": _given("--embedding", "--reranking", "--pooling"),
    "router": _given("--models-dir", "--models-preset"),
    "slot-save": _given("--slot-save-path"),
    "log-prompts": _given("--log-prompts-dir"),
}
