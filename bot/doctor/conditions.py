"""What is to be measured: settings, profile, model file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from bot.doctor.finding import Finding, missing, ok, refused, size
from bot.doctor.weights import Weights
from bot.errors import BotError
from bot.report.numbers import share

if TYPE_CHECKING:
    from bot.doctor.case import Case

#: What can be wrong with a model file, as `bot.model` names it.
_MODEL_PROBLEMS = (
    *("model-missing", "model-not-gguf", "model-damaged", "model-not-first", "model-shard-missing"),
    "cannot-read",
)


def settings(case: "Case") -> Iterator[Finding]:
    """The file was read; a wrong one never gets here."""
    profiles = case.settings.profiles
    yield ok("settings", path=str(case.config), count=len(profiles), names=", ".join(profiles))


def profile(case: "Case") -> Iterator[Finding]:
    """The conditions, as they will be used."""
    chosen = case.profile
    yield ok(
        "profile",
        name=chosen.name,
        scenarios=", ".join(item.name for item in chosen.scenarios),
        margin=share(chosen.margin),
    )
    # Which flags a build knows, only the built server can say.
    yield ok("flags", "ok" if chosen.flags else "none", flags=" ".join(chosen.flags))


def model(case: "Case") -> Iterator[Finding]:
    """The model file is there, whole, and a GGUF."""
    if isinstance(case.weights, Exception) and not isinstance(case.weights, BotError):
        raise case.weights
    yield judge_model(case.weights, case.profile.name)


def judge_model(weights: Weights | BotError, profile: str) -> Finding:
    """`profile` is where to mend the path."""
    if isinstance(weights, BotError):
        if weights.code not in _MODEL_PROBLEMS:
            return refused("model", weights)
        args = {name: str(value) for name, value in weights.values.items()}
        return missing("model", weights.code.removeprefix("model-"), **args, profile=profile)
    return ok(
        "model",
        name=weights.name,
        quantization=weights.quantization or "?",
        size=size(weights.size_mib),
        files=weights.files,
        hash="known" if weights.hashed else "unknown",
    )
