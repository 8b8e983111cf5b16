"""`changelog BASE..HEAD`: the highlights of a range for a profile, without building or measuring anything."""

import re
from dataclasses import dataclass, replace
from pathlib import Path

from bot import resources
from bot.changelog import Circumstances, circumstances, highlights, worded
from bot.config import Settings, load
from bot.errors import BotError, usage
from bot.flags import flag_value
from bot.gguf_header import Header
from bot.gpu import nvml
from bot.gpu.machine import fingerprint
from bot.gpu.nvml import Device
from bot.pipeline.begin import find_device, open_mirror
from bot.pipeline.commit_list import read_commits
from bot.pipeline.glossaries import lexicons, overrides
from bot.progress import Reporter
from bot.records import Backend, Commit, Highlights, Model, Profile

#: Suspects are named as if each of these had moved.
METRICS = ("vram", "prefill", "decode", "ttft")
_NAME = r"\w[\w-]*(?:[./][\w-]+)*"
_SPAN = re.compile(rf"({_NAME})\.\.({_NAME})")
_QUANTIZATION = re.compile(r"\b(i?q\d(?:_\w+)?|tq\d_\d|mxfp4|nvfp4|bf16|f16|f32)\b", re.IGNORECASE)
_MARGIN = 0.03


@dataclass(frozen=True)
class Question:
    """`span` is BASE..HEAD; `commits` a JSON list to read instead of the repository."""

    span: str
    commits: Path | None
    profile: str | None
    config: Path


@dataclass(frozen=True)
class Answer:
    """The highlights with suspects for every metric, and the languages to tell them in."""

    base: str
    head: str
    found: Highlights
    languages: tuple[str, ...]


def answer(question: Question, reporter: Reporter) -> Answer:
    """Read the commits, hold them against the profile. Raises BotError (exit 2) for a bad range or file."""
    base, head = _ends(question.span)
    settings = _settings(question.config)
    facts = assumed(settings, question.profile)
    commits = _commits(question, settings, base, head, reporter)
    corrections = overrides(settings.overrides)
    found = highlights(commits, facts, corrections, METRICS)
    told = worded(found, lexicons(settings.languages), corrections)
    return Answer(base=base, head=head, found=told, languages=settings.languages)


def assumed(settings: Settings, name: str | None) -> Circumstances:
    """The circumstances of a profile, also where neither its model nor its GPU is on this machine.

    What only they could tell is told by the file's name, or unknown; one GPU is taken for granted.
    """
    profile = settings.profile(name)
    device = _device(settings)
    record = Profile(
        name=profile.name,
        model=_model(profile.model),
        backend=_backend(settings, profile.flags, device),
        flags=profile.flags,
        scenarios=(),
        margin=_MARGIN,
    )
    return replace(circumstances(record, fingerprint(device)), gpus=1)


def _ends(span: str) -> tuple[str, str]:
    found = _SPAN.fullmatch(span)
    if found is None:
        raise usage("changelog-range", found=span)
    return found[1], found[2]


def _settings(path: Path) -> Settings:
    """The settings; those that come with the program where `./config.yml` does not exist."""
    is_default = path == Path("config.yml") and not path.exists()
    return load(resources.example_config() if is_default else path)


def _commits(
    question: Question, settings: Settings, base: str, head: str, reporter: Reporter
) -> tuple[Commit, ...]:
    if question.commits is not None:
        return read_commits(question.commits)
    mirror = open_mirror(settings, reporter)
    pair = mirror.pair(base, head)
    if pair.ancestor is None:
        raise usage("changelog-no-history", base=base, head=head)
    if not pair.ancestor:
        raise usage("changelog-order", base=base, head=head)
    return mirror.commits(pair.base.sha, pair.head.sha)


def _device(settings: Settings) -> Device | None:
    try:
        return find_device(settings)
    except BotError:
        return None


def _backend(settings: Settings, flags: tuple[str, ...], device: Device | None) -> Backend:
    """As configured; for `auto`, CUDA where there is a GPU or the flags put layers on one."""
    if settings.machine.backend == "auto":
        offloads = flag_value(flags, "-ngl") not in {None, "0"}
        return "cuda" if device or nvml.devices() or offloads else "cpu"
    return settings.machine.backend


def _model(path: Path) -> Model:
    """The model as its header says, unhashed; as its name says where it cannot be read."""
    found = _QUANTIZATION.search(path.name.removesuffix(".gguf").replace("-", " "))
    try:
        header = Header(path).values() if path.is_file() else {}
    except (OSError, ValueError, KeyError, IndexError, OverflowError):
        header = {}
    architecture = str(header.get("general.architecture", ""))
    layers = header.get(f"{architecture}.block_count")
    return Model(
        name=path.name,
        sha256="",
        size_mib=0.0,
        architecture=architecture,
        quantization=found[1].lower() if found else "",
        layers=int(layers) if isinstance(layers, int) else None,
    )
