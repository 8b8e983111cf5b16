"""The same conditions for every build: what its `--help` knows, and the flags that say so explicitly. Pure.

Defaults of llama-server move between tags (`--fit`, `-np`, `-c`, `-ngl`, `-fa`, checkpoints), so that equal
command lines are not equal configurations: whatever matters is passed, in the spelling this build knows.
"""

import re
from dataclasses import dataclass, field

from bot.flags import ALIASES, PROTOCOL_FLAGS, canonical, parse
from bot.records import Backend

__all__ = [
    "PORT",
    "PROTOCOL_FLAGS",
    "Capabilities",
    "Flag",
    "parse_help",
    "server_arguments",
    "user_arguments",
]

#: Stands in an argument list where the launch puts the port it found free.
PORT = "{port}"

_NAME = re.compile(r"-{1,2}[A-Za-z][A-Za-z0-9_-]*")
_DEFAULT = re.compile(r"default:\s*'?([^',)\s]+)")
_OFFLOAD_ALL = "999"


@dataclass(frozen=True)
class Flag:
    """One flag as a build's `--help` describes it."""

    names: tuple[str, ...]
    value: str = ""
    text: str = ""

    @property
    def default(self) -> str | None:
        """The default as printed, None where the text names none."""
        found = _DEFAULT.search(self.text)
        return found[1] if found else None


@dataclass(frozen=True)
class Capabilities:
    """What one build's llama-server understands. Flags that it only knows as removed are left out."""

    flags: dict[str, Flag] = field(default_factory=dict)

    def spelling(self, name: str) -> str | None:
        """A spelling of `name` that this build accepts, None if it has none."""
        if name in self.flags:
            return name
        others = ALIASES.get(canonical(name), ())
        if any(other.startswith(("--no-", "-no")) for other in others):
            return None  # a toggle's other spellings may mean the opposite
        return next((other for other in others if other in self.flags), None)

    @property
    def flash_attention_is_switch(self) -> bool:
        """Whether `-fa` takes no value (before b6325)."""
        flag = self.flags.get("-fa")
        return flag is not None and "on" not in flag.value

    @property
    def has_trace_level(self) -> bool:
        """Whether `-lv 4` means 'trace' (from b9151), not debug output per token."""
        flag = self.flags.get("-lv")
        return flag is not None and "trace" in flag.text


def parse_help(text: str) -> Capabilities:
    """Read `llama-server --help` of any era: entries start at the left edge, their text is indented."""
    entries: list[Flag] = []
    for line in text.splitlines():
        if re.match(r" {0,2}-{1,2}[A-Za-z]", line):
            entries.append(_entry(line.strip()))
        elif entries and line.startswith("   "):
            last = entries[-1]
            entries[-1] = Flag(last.names, last.value, f"{last.text} {line.strip()}".strip())
    known = [entry for entry in entries if "has been removed" not in entry.text]
    return Capabilities({name: entry for entry in known for name in entry.names})


def _entry(line: str) -> Flag:
    names: list[str] = []
    rest = line
    while found := _NAME.match(rest):
        names.append(found[0])
        rest = rest[found.end() :]
        if not (comma := re.match(r",\s*(?=-)", rest)):
            break
        rest = rest[comma.end() :]
    value, _, text = rest.partition("  ") if rest.startswith(" ") else ("", "", rest)
    return Flag(tuple(names), value.strip(), text.strip())


def server_arguments(
    caps: Capabilities,
    *,
    model: str,
    flags: tuple[str, ...],
    host: str = "127.0.0.1",
    port: int | str = PORT,
    backend: Backend = "cpu",
    threads: int | None = None,
) -> tuple[str, ...]:
    """The arguments of one build's llama-server (without the program) for a cold, single-slot measurement.

    `flags` are the user's own and win over ours, except the protocol's (the configuration refuses those).
    `threads` is passed as `-t` where the user has none; `-c 0` is the model's own context in every era.
    """
    words = ["-m", model, *_translated(caps, flags)]
    given = {canonical(name) for name, _ in parse(flags)}
    for name, value in (*_protocol(caps, host, port), *_defaults(caps, backend, threads)):
        if canonical(name) not in given and (spelling := caps.spelling(name)):
            words += [spelling, value] if value else [spelling]
    return tuple(words)


def user_arguments(
    caps: Capabilities,
    *,
    model: str,
    flags: tuple[str, ...],
    host: str = "127.0.0.1",
    port: int | str = PORT,
    backend: Backend = "cpu",
    threads: int | None = None,
) -> tuple[str, ...]:
    """As `server_arguments`, but as its user starts the server: caches, checkpoints and slots stay at this
    build's own defaults.

    Only what has no say in them is named: address, log level, threads, and no interface.
    """
    words = ["-m", model, *_translated(caps, flags)]
    given = {canonical(name) for name, _ in parse(flags)}
    ours = (*_protocol(caps, host, port), *_defaults(caps, backend, threads))
    kept = {"--host", "--port", "-lv", "-t", "--no-ui", "--no-webui", "--offline"}
    kept |= {"-ngl"} if backend == "cpu" else set()
    for name, value in ours:
        if name in kept and canonical(name) not in given and (spelling := caps.spelling(name)):
            words += [spelling, value] if value else [spelling]
    return tuple(words)


def _protocol(caps: Capabilities, host: str, port: int | str) -> list[tuple[str, str]]:
    verbose = [("-lv", "4")] if caps.has_trace_level else []
    return [
        ("--host", host),
        ("--port", str(port)),
        ("-np", "1"),
        ("--cache-ram", "0"),
        ("--fit", "off"),
        *verbose,
    ]


def _defaults(caps: Capabilities, backend: Backend, threads: int | None) -> list[tuple[str, str]]:
    interface = next((name for name in ("--no-ui", "--no-webui") if name in caps.flags), "--no-ui")
    return [
        ("-ngl", "0" if backend == "cpu" else _OFFLOAD_ALL),
        ("-c", "0"),
        ("-b", "2048"),
        ("-ub", "512"),
        *([("-t", str(threads))] if threads else []),
        *([] if caps.flash_attention_is_switch else [("-fa", "auto")]),
        ("--ctx-checkpoints", "0"),
        ("--slot-prompt-similarity", "0"),
        ("--no-cache-prompt", ""),
        ("--no-context-shift", ""),
        (interface, ""),
        ("--offline", ""),
    ]


def _translated(caps: Capabilities, flags: tuple[str, ...]) -> list[str]:
    """The user's flags in this build's spelling; one that it does not know stays, and is refused by it."""
    words: list[str] = []
    for name, values in parse(flags):
        if canonical(name) == "--flash-attn":
            words += _flash_attention(caps, values[0] if values else "on")
        elif canonical(name) == "--mmap":
            words += _load_mode(caps, name, values)
        elif name:
            words += [caps.spelling(name) or name, *values]
        else:
            words += values
    return words


def _flash_attention(caps: Capabilities, value: str) -> list[str]:
    wanted = {"1": "on", "true": "on", "0": "off", "false": "off"}.get(value, value)
    if not caps.flash_attention_is_switch:
        return ["-fa", wanted]
    return ["-fa"] if wanted == "on" else []


def _load_mode(caps: Capabilities, name: str, values: tuple[str, ...]) -> list[str]:
    """`--no-mmap` and its kin became `--load-mode` at b10105 and were removed later."""
    mode = {"--no-mmap": "none", "--mmap": "mmap", "--mlock": "mlock", "-dio": "dio", "--direct-io": "dio"}
    if name in caps.flags or name not in mode or "--load-mode" not in caps.flags:
        return [name, *values]
    return ["--load-mode", mode[name]]
