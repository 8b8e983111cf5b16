"""What a profile's server flags may hold, and the files they name."""

from collections.abc import Iterator
from pathlib import Path

from bot.flags import ALIASES, PROTOCOL_FLAGS, canonical, flag_value, is_flag

#: Other ways to say which model: the profile's `model` does that, or a server would start without one.
MODEL_FLAGS = frozenset(
    [
        "-m",
        "--model",
        "-mu",
        "--model-url",
        "-hf",
        "-hfr",
        "--hf-repo",
        "-hff",
        "--hf-file",
        "-dr",
        "--docker-repo",
        "--models-dir",
        "--models-preset",
    ]
)
#: These would lock the measuring client out, hide the log it reads, or put a secret into a report.
LOCKING_FLAGS = frozenset(
    [
        "--api-key",
        "--api-key-file",
        "--api-prefix",
        "--ssl-key-file",
        "--ssl-cert-file",
        "--log-disable",
        "--log-file",
        "-hft",
        "--hf-token",
        "--reuse-port",
    ]
)
#: Flags whose value is a file or folder; `--lora` and `--control-vector` take several, with commas between.
PATH_FLAGS = frozenset(
    [
        "-md",
        "--model-draft",
        "--spec-draft-model",
        "-mm",
        "--mmproj",
        "--lora",
        "--control-vector",
        "--chat-template-file",
        "--grammar-file",
        "-jf",
        "--json-schema-file",
        "-lcs",
        "--lookup-cache-static",
        "-lcd",
        "--lookup-cache-dynamic",
        "--slot-save-path",
        "--media-path",
    ]
)


#: What only the measuring protocol needs as it is: slots, prompt cache, the choice of what fits.
DAILY_FLAGS = frozenset(
    spelling for name in ("--parallel", "--cache-ram", "--fit") for spelling in ALIASES[name]
)


def with_paths(flags: list[str], folder: Path) -> Iterator[str]:
    """The flags with `~` and relative paths resolved: no shell reads them, and a server starts elsewhere."""
    previous = ""
    for word in flags:
        yield _resolved(word, folder) if previous in PATH_FLAGS else word
        previous = word


def _resolved(value: str, folder: Path) -> str:
    return ",".join(str(folder / Path(part).expanduser()) for part in value.split(","))


def refused(flags: tuple[str, ...], allowed: frozenset[str] = frozenset()) -> tuple[str, str] | None:
    """The first flag that a profile may not set, and why: `flag-model`, `flag-protocol` or `flag-word`.

    `allowed`: those of the measuring protocol that may be set here.
    """
    if flags and not is_flag(flags[0]):
        return "flag-word", flags[0]
    for word in flags:
        name = word.partition("=")[0]
        if not is_flag(word):
            continue
        if name in MODEL_FLAGS:
            return "flag-model", name
        if name in (PROTOCOL_FLAGS - allowed) | LOCKING_FLAGS:
            return "flag-protocol", name
    return None


def context_size(flags: tuple[str, ...]) -> int | None:
    """The context in tokens that the flags ask for; None where they leave it to the model."""
    value = flag_value(flags, canonical("-c")) or ""
    return int(value) or None if value.isdigit() else None
