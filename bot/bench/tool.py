"""One of a build's other programs, run to its end: llama-bench, llama-perplexity."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from bot import process
from bot.bench import logs
from bot.bench.boxed import boxed
from bot.bench.conditions import Capabilities
from bot.errors import environment
from bot.isolation import PLAIN, Box

_HELP_S = 60.0


@dataclass(frozen=True)
class ToolEnd:
    """What it printed and how it ended: `status` is `ok`, `timeout`, `crashed`, or one of
    `records.LaunchStatus`; `detail` is the line that says why.
    """

    stdout: str
    stderr: str
    seconds: float
    status: str = "ok"
    detail: str = ""


def tool_help(
    program: Sequence[str], read: Callable[[str], Capabilities], needed: str, box: Box = PLAIN
) -> Capabilities:
    """What a build's program understands; `needed` is a flag that every one of its kind has.

    Raises BotError (exit 4) when `--help` does not tell.
    """
    box = boxed(box, program)
    finished = process.run([*program, "--help"], timeout_s=_HELP_S, network="none", box=box)
    known = read(finished.stdout)
    if finished.code != 0 or known.spelling(needed) is None:
        why = (finished.stderr.strip().splitlines() or [f"exit {finished.code}"])[-1]
        raise environment("no-help", path=program[-1], why=why)
    return known


def run_tool(argv: Sequence[str], *, env: Mapping[str, str], timeout_s: float, box: Box = PLAIN) -> ToolEnd:
    """Run it in the clean environment plus `env`. Raises BotError (exit 4) where it cannot be started."""
    finished = process.run(
        argv,
        env=process.clean_environment(env),
        timeout_s=timeout_s,
        box=boxed(box, argv),
    )
    told = finished.stdout, finished.stderr, finished.seconds
    if finished.timed_out:
        return ToolEnd(*told, "timeout", f"{timeout_s:.0f} s")
    if finished.code == 0:
        return ToolEnd(*told)
    code = -finished.signal if finished.signal else finished.code or 0
    end = logs.classify(finished.stderr, code, loading=True)
    status = "crashed" if end.status == "crashed_loading" else end.status
    return ToolEnd(*told, status, end.detail)
