"""A profile's server flags as llama-bench spells them, by what its own `--help` knows. Pure.

llama-bench has its own names and values: `-fa` took 0 and 1 up to b9436, a comma separates alternatives to be
run one after the other, memory mapping was `-mmp` and is `-lm` since b10105.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from bot.bench.conditions import Capabilities, parse_help
from bot.flags import canonical, parse
from bot.records import Backend

_ALL_LAYERS = "999"
#: Flags whose value llama-bench takes as the server does.
_AS_IS = {
    "--batch-size": "-b",
    "--ubatch-size": "-ub",
    "--threads": "-t",
    "--cache-type-k": "-ctk",
    "--cache-type-v": "-ctv",
    "--n-cpu-moe": "-ncmoe",
    "--main-gpu": "-mg",
    "--split-mode": "-sm",
    "--cpu-mask": "-C",
    "--cpu-strict": "--cpu-strict",
    "--poll": "--poll",
    "--numa": "--numa",
    "--prio": "--prio",
}
#: Flags that are a switch in the server and take a value in llama-bench.
_SWITCHES = {
    "-nkvo": ("-nkvo", "1"),
    "--no-kv-offload": ("-nkvo", "1"),
    "--no-op-offload": ("-nopo", "1"),
    "--no-host": ("--no-host", "1"),
    "--no-repack": ("--repack", "0"),
    "-nr": ("--repack", "0"),
    "--cpu-moe": ("-ncmoe", _ALL_LAYERS),
    "-cmoe": ("-ncmoe", _ALL_LAYERS),
}
_MODES = {"--no-mmap": "none", "--mmap": "mmap", "--mlock": "mlock", "-dio": "dio", "--direct-io": "dio"}
_OLD_MODES = {"none": ("-mmp", "0"), "mmap": ("-mmp", "1"), "dio": ("-dio", "1")}
#: What makes a server faster or slower and has no counterpart in llama-bench.
_LEFT_OUT = re.compile(r"--?(spec-|lora|control-vector|model-draft|md$|threads-batch|tb$|swa-full|rpc|draft)")
#: A short first name without a comma after it, as in `-ot --override-tensor <...>`.
_UNSEPARATED = re.compile(r"^( {0,2}-[a-z]+) (--[a-z-]+)", re.MULTILINE)

Pair = tuple[str, str]


@dataclass(frozen=True)
class BenchFlags:
    """`words` for this build's llama-bench. `unknown`: flags that this build's llama-bench has no name for;
    `left_out`: those of the profile that move a server's speed and that no llama-bench can follow.
    """

    words: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def bench_help(text: str) -> Capabilities:
    """What one build's llama-bench understands, from its `--help`."""
    return parse_help(_UNSEPARATED.sub(r"\1, \2", text))


def bench_flags(
    caps: Capabilities, flags: tuple[str, ...], *, backend: Backend, threads: int | None
) -> BenchFlags:
    """The settings of the profile, ours where it has none: every default of llama-bench has moved once."""
    pairs = {"-ngl": "0" if backend == "cpu" else _ALL_LAYERS, "-b": "2048", "-ub": "512", "-fa": "auto"}
    pairs |= {"-t": str(threads)} if threads else {}
    left_out = []
    for name, values in parse(flags):
        found = _own(caps, name, values[0] if values else "")
        if found:
            pairs |= dict([found])
        elif _LEFT_OUT.match(name):
            left_out.append(name)
    pairs["-fa"] = _flash_attention(caps, pairs["-fa"])
    unknown = tuple(name for name in pairs if name not in caps.flags)
    words = tuple(word for pair in pairs.items() for word in pair)
    return BenchFlags(words, unknown, tuple(left_out))


def _own(caps: Capabilities, name: str, value: str) -> Pair | None:
    """llama-bench's flag and value for one of the server's; None where there is none."""
    if name in _SWITCHES:
        return _SWITCHES[name]
    if canonical(name) == "--mmap":
        return _load_mode(caps, _MODES.get(name, value))
    if canonical(name) in _AS_IS and value:
        return _AS_IS[canonical(name)], value
    own = _changed().get(canonical(name))
    return own(value) if own else None


@cache
def _changed() -> dict[str, Callable[[str], Pair]]:
    """Flags whose values are written in another way. A comma would mean: run both."""
    return {
        "--gpu-layers": lambda value: ("-ngl", value if value.isdigit() else _ALL_LAYERS),
        "--flash-attn": lambda value: ("-fa", value or "on"),
        "--tensor-split": lambda value: ("-ts", value.replace(",", "/")),
        "--override-tensor": lambda value: ("-ot", value.replace(",", ";")),
        "--device": lambda value: ("-dev", value.replace(",", "/")),
        "-dev": lambda value: ("-dev", value.replace(",", "/")),
    }


def _load_mode(caps: Capabilities, mode: str) -> Pair | None:
    if "-lm" in caps.flags:
        return "-lm", mode
    return _OLD_MODES.get(mode)


def _flash_attention(caps: Capabilities, value: str) -> str:
    """`on`, `off` and `auto`, or 0 and 1; where there is no `auto` it is on, as a server decides on a GPU."""
    wanted = {"1": "on", "true": "on", "0": "off", "false": "off"}.get(value, value)
    flag = caps.flags.get("-fa")
    if flag is not None and "on" in flag.value:
        return wanted
    return "0" if wanted == "off" else "1"


def with_case(caps: Capabilities, *, prompt: int, generated: int, depth: int) -> Iterator[str]:
    """The words of one case; depth 0 is said by silence, because `-d` came only at b5212."""
    yield from ("-p", str(prompt), "-n", str(generated))
    if depth:
        yield from (caps.spelling("-d") or "-d", str(depth))
