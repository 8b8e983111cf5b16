"""What of a profile and a machine decides whether a commit can act on them. Pure; flags are read by name."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bot.changelog.tables import tables
from bot.records import Machine, Profile

_FLAG = re.compile(r"^--?[A-Za-z]")
_ARM = re.compile(r"\barm|aarch64|neoverse|cortex|graviton|grace|ampere|apple|kryo", re.IGNORECASE)


@dataclass(frozen=True)
class Circumstances:
    """The conditions a commit is held against.

    `flags`: long flag name → its value ("" for a switch); `spelled`: → as the profile writes it.
    `compute_capability` as NVIDIA's (major, minor); `architecture` and `model` as the GGUF and its file
    name say; `layers` of the model, None unknown; `gpus` None where the machine's count is unknown;
    `platforms`: those of `rules.toml` that this is.
    """

    backend: str = "cuda"
    compute_capability: tuple[int, int] | None = None
    architecture: str = ""
    model: str = ""
    quantization: str = ""
    layers: int | None = None
    gpus: int | None = None
    flags: Mapping[str, str] = field(default_factory=dict)
    spelled: Mapping[str, str] = field(default_factory=dict)
    platforms: frozenset[str] = frozenset()

    def has(self, *names: str) -> bool:
        """Whether any of these long flags was given."""
        return any(name in self.flags for name in names)

    def number(self, name: str) -> int | None:
        """A flag's whole number; None where absent or not a number (`auto`)."""
        text = self.flags.get(name, "")
        return int(text) if re.fullmatch(r"-?\d{1,9}", text) else None

    @property
    def uses_cpu(self) -> bool:
        """Whether model layers may run on the CPU: a CPU run, or fewer layers offloaded than there are."""
        if self.backend == "cpu" or self.has("--cpu-moe", "--n-cpu-moe"):
            return True
        offloaded = self.number("--n-gpu-layers")
        if offloaded is None or offloaded < 0:
            return False
        return offloaded < (self.layers or 99)


def circumstances(profile: Profile, machine: Machine) -> Circumstances:
    """The circumstances of one run."""
    gpu = machine.gpu if profile.backend == "cuda" else None
    return Circumstances(
        backend=profile.backend,
        compute_capability=_capability(gpu.compute_capability if gpu else None),
        architecture=profile.model.architecture.lower() or named_architecture(profile.model.name),
        model=profile.model.name,
        quantization=profile.model.quantization.lower(),
        layers=profile.model.layers,
        flags=read_flags(profile.flags),
        spelled=spellings(profile.flags),
        gpus=1 if gpu else None,
        platforms=_platforms(machine),
    )


def named_architecture(model: str) -> str:
    """The architecture that a file's name speaks of, where its header was not read; empty if none."""
    name = model.lower()
    return next((key for pattern, key in tables().models if pattern.match(name)), "")


def read_flags(argv: Sequence[str]) -> dict[str, str]:
    """`-ngl 50 --jinja --a=b` → {"--n-gpu-layers": "50", "--jinja": "", "--a": "b"}."""
    flags: dict[str, str] = {}
    name = ""
    for word in argv:
        if _FLAG.match(word):
            given, _, value = word.partition("=")
            name = _long(given)
            flags[name] = value
        elif name and not flags[name]:
            flags[name] = word
    return flags


def spellings(argv: Sequence[str]) -> dict[str, str]:
    """`-ngl 50` → {"--n-gpu-layers": "-ngl"}: how each flag was written."""
    given = (word.partition("=")[0] for word in argv if _FLAG.match(word))
    return {_long(word): word for word in given}


def _long(given: str) -> str:
    """The name this room knows a flag by; a negation stays one."""
    flag = next((flag for flag in tables().flags if given in flag.names), None)
    if flag is None or given.startswith("--no-"):
        return given
    return flag.names[0]


def _capability(text: str | None) -> tuple[int, int] | None:
    found = re.fullmatch(r"(\d{1,2})\.(\d)", text or "")
    return (int(found.group(1)), int(found.group(2))) if found else None


def _platforms(machine: Machine) -> frozenset[str]:
    found = {"arm"} if _ARM.search(machine.cpu) else set()
    if "microsoft" in machine.kernel.lower() or "windows" in machine.os.lower():
        found.add("windows")
    return frozenset(found)
