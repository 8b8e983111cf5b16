"""The one door to child processes: leashed, in a clean environment, with bounded time and memory.

Every command runs below `bot/leash`, which ends all that it started when it ends, when its time is up, and
when this process ends in any way, SIGKILL included. Code of others runs in a sandbox besides
(`bot.isolation`): then the leash is its process 1.
"""

import errno
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import IO, Any, Literal

from bot import isolation
from bot.errors import BotError, environment
from bot.isolation import Box
from bot.streams import CHUNK, Lines, OnBytes, OnLine, Reader, Tail, Writer

_PYTHON = (sys.executable, "-I", "-S", "-E")
_LEASH = Path(__file__).parent / "leash" / "main.py"
_XDG = ("CACHE_HOME", "CONFIG_HOME", "DATA_HOME", "STATE_HOME", "CONFIG_DIRS", "DATA_DIRS", "RUNTIME_DIR")
_KEPT = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TZ", *(f"XDG_{name}" for name in _XDG)}
)


@dataclass(frozen=True)
class Finished:
    """One command that is over.

    Exactly one of `code` and `signal` is set. `stopped`: it was ended by us, because its time was up
    (`timed_out`) or the leash was told to; a SIGKILL without `stopped` came from elsewhere. `oom_kills`
    counts what the kernel killed for want of memory meanwhile, anywhere on this machine. `output` holds both
    streams in the order of arrival; each text is the last `tail_bytes` of its stream. `isolation` names
    what was reached of "leash", "environment" and `bot.isolation.CODES`. `killed_leftovers` are processes
    that were still there after the command; `survivors` those that even SIGKILL could not end within 20 s.
    """

    argv: tuple[str, ...]
    code: int | None
    signal: int | None
    timed_out: bool
    stopped: bool
    stdout: str
    stderr: str
    output: str
    seconds: float
    isolation: tuple[str, ...]
    killed_leftovers: int
    survivors: int
    oom_kills: int


def clean_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """An environment for a child: what it needs of ours, then `extra`, which may hold anything.

    A list of what is allowed, because a list of what is forbidden forgets the next secret: PATH, HOME, USER,
    LOGNAME, SHELL, TMPDIR, TZ and the folders of XDG are kept; LANG is C.UTF-8, since messages are parsed.
    So LLAMA_*, GGML_* and CUDA_* cannot change what is measured, no token or proxy reaches upstream code, and
    LD_LIBRARY_PATH, CC or CUDA_VISIBLE_DEVICES are set only by a caller who means it.
    """
    kept = {name: value for name, value in os.environ.items() if _is_kept(name)}
    return {"PATH": os.defpath, **kept, "LANG": "C.UTF-8", **(extra or {})}


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout_s: float | None = None,
    grace_s: float = 5.0,
    log: Path | None = None,
    on_line: OnLine | None = None,
    tail_bytes: int = 1 << 18,
    network: Literal["host", "none"] = "host",
    box: Box | None = None,
    input: bytes | None = None,
    keep_running: bool = False,
) -> Finished:
    """Run one command to its end; whatever it started is dead when this returns or raises.

    `env` is the whole environment (default: `clean_environment()`). When the time is up the command gets
    SIGTERM, and `grace_s` later everything below it SIGKILL. `log` receives all output, `on_line` each line
    as it comes (a carriage return ends a line too, so that progress shows; undecodable bytes become U+FFFD);
    in memory only the last `tail_bytes` of each stream stay. `network="none"` leaves only a loopback of its
    own, where the kernel allows that. In a `box` there is none either, and what else is there the box says;
    HOME and TMPDIR are then empty folders. `keep_running` is for commands that start a service: after a
    normal end what they left stays, and their output is dropped, because a service must not hang on our pipe.

    Raises BotError (exit 4) when the command cannot be started, the log cannot be written, the leash itself
    was killed, or a sandbox is required and cannot be had.
    """
    started = time.monotonic()
    sandbox = _sandbox(box, cwd)
    variables = clean_environment() if env is None else dict(env)
    if sandbox:
        variables = isolation.inner_environment(variables)
    options = {"grace": str(grace_s), "network": _network(network, box, sandbox)}
    options |= {"timeout": str(timeout_s)} if timeout_s is not None else {}
    options |= {"keep": "1"} if keep_running else {}
    options |= {"sealed": "1"} if sandbox else {}
    with ExitStack() as stack:
        sinks = _Sinks(on_line, stack.enter_context(_open_log(log)) if log else None, tail_bytes)
        words = [*sandbox, *_PYTHON, str(_LEASH), *(f"{name}={value}" for name, value in options.items())]
        child, status = stack.enter_context(
            _leashed(words, argv, cwd, variables, stdin=input is not None, output=not keep_running)
        )
        fate = _pump(child, status, input or b"", sinks)
    if not fate:
        raise _lost(argv[0], sandbox, sinks)
    if fate["errno"] is not None:
        raise _cannot_start(argv[0], OSError(fate["errno"], os.strerror(fate["errno"])))
    reached = _isolation(fate, variables, is_boxed=bool(sandbox))
    return _finished(argv, fate, sinks, time.monotonic() - started, reached)


def _is_kept(name: str) -> bool:
    return name in _KEPT


def _sandbox(box: Box | None, cwd: Path | None) -> list[str]:
    """The words that put a command into its box; none where there is no box or no sandbox to be had."""
    if box is None or box.level == "none":
        return []
    means = isolation.demand(box.level)
    try:
        return isolation.enclose(means.bwrap, box, cwd, means.users) if means.bwrap else []
    except OSError as error:
        path = str(error.filename or "")
        raise environment("cannot-write", path=path, why=error.strerror or str(error)) from error


def _network(asked: str, box: Box | None, sandbox: Sequence[str]) -> str:
    """What is left to the leash: nothing where the sandbox sees to it, else as much as it can."""
    if sandbox:
        return "host"
    return "none" if box is not None and box.level != "none" else asked


def _lost(program: str, sandbox: Sequence[str], sinks: "_Sinks") -> BotError:
    """Why the leash said nothing at its end: it was killed, or the sandbox around it never stood."""
    said = sinks.stderr.text().strip().splitlines()
    if sandbox and said and said[-1].startswith("bwrap: "):
        return environment("sandbox-failed", why=said[-1])
    return environment("leash-lost", program=program)


@contextmanager
def _leashed(
    words: Sequence[str],
    argv: Sequence[str],
    cwd: Path | None,
    variables: Mapping[str, str],
    *,
    stdin: bool,
    output: bool,
) -> Iterator[tuple[subprocess.Popen[bytes], IO[bytes]]]:
    """The leash, started by `words`, and the pipe of its status line.

    Leaving the block ends everything below and waits for it.
    """
    with ExitStack() as stack:
        lifeline, held = _pipe(stack)
        status, told = _pipe(stack)
        pipes = [f"lifeline={lifeline.fileno()}", f"status={told.fileno()}", "--"]
        try:
            child = subprocess.Popen(
                [*words, *pipes, *argv],
                cwd=cwd,
                env=variables,
                stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
                stdout=subprocess.PIPE if output else subprocess.DEVNULL,
                stderr=subprocess.PIPE if output else subprocess.DEVNULL,
                pass_fds=(lifeline.fileno(), told.fileno()),
                start_new_session=True,  # Ctrl-C comes to us alone, and we end the rest
                bufsize=0,
            )
        except OSError as error:
            raise _cannot_start(argv[0], error) from error
        with child:
            lifeline.close()
            told.close()
            try:
                yield child, status
            finally:
                held.close()
                child.wait()


def _pipe(stack: ExitStack) -> tuple[IO[bytes], IO[bytes]]:
    reading, writing = os.pipe()
    return (
        stack.enter_context(os.fdopen(reading, "rb", buffering=0)),
        stack.enter_context(os.fdopen(writing, "wb", buffering=0)),
    )


class _Sinks:
    """Where the output goes: log, lines, and the kept ends."""

    def __init__(self, on_line: OnLine | None, log: OnBytes | None, tail_bytes: int) -> None:
        self.stdout, self.stderr, self.both = Tail(tail_bytes), Tail(tail_bytes), Tail(tail_bytes)
        self._lines = [Lines(on_line), Lines(on_line)] if on_line else []
        self._log = log

    def readers(self, child: subprocess.Popen[bytes]) -> list[Reader]:
        streams = ((child.stdout, self.stdout, self._lines[:1]), (child.stderr, self.stderr, self._lines[1:]))
        shared: list[OnBytes] = [self._log] if self._log else []
        return [
            Reader(pipe, *shared, tail.add, self.both.add, *(item.add for item in lines))
            for pipe, tail, lines in streams
            if pipe is not None
        ]

    def finish(self) -> None:
        for lines in self._lines:
            lines.add(b"", final=True)


def _pump(child: subprocess.Popen[bytes], status: IO[bytes], data: bytes, sinks: _Sinks) -> dict[str, Any]:
    """Move bytes until the leash is gone; its status line, {} where it left none.

    The end is that of the status pipe, which the leash alone holds: an output pipe may have been passed on to
    a process that got away, and would never end.
    """
    readers = sinks.readers(child)
    line = Tail(CHUNK)
    told = Reader(status, line.add)
    with DefaultSelector() as selector:
        for reader in (*readers, told):
            selector.register(reader.pipe, EVENT_READ, reader)
        if child.stdin is not None:
            selector.register(child.stdin, EVENT_WRITE, Writer(child.stdin, data))
        while told.pipe in selector.get_map():
            for key, _ in selector.select():
                if not key.data.step():
                    selector.unregister(key.fd)
    for reader in readers:
        reader.drain()
    sinks.finish()
    fate: dict[str, Any] = json.loads(line.text() or "{}")
    return fate


@contextmanager
def _open_log(path: Path) -> Iterator[Callable[[bytes], None]]:
    def failed(error: OSError) -> BotError:
        return environment("cannot-write", path=str(path), why=error.strerror or str(error))

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("wb", buffering=0)
    except OSError as error:
        raise failed(error) from error

    def write(data: bytes) -> None:
        left = memoryview(data)
        try:
            while left:
                left = left[file.write(left) or 0 :]
        except OSError as error:
            raise failed(error) from error

    with file:
        yield write


def _isolation(fate: Mapping[str, Any], variables: Mapping[str, str], *, is_boxed: bool) -> tuple[str, ...]:
    """What was reached; "environment" when nothing but what is allowed was inherited."""
    inherited = [name for name, value in variables.items() if os.environ.get(name) == value]
    is_clean = all(_is_kept(name) or name == "LANG" for name in inherited)
    boxed = dict.fromkeys(isolation.CODES, is_boxed) | {"network": is_boxed or fate["network"]}
    reached = {"leash": True, **boxed, "environment": is_clean}
    return tuple(name for name, is_reached in reached.items() if is_reached)


def _finished(
    argv: Sequence[str], fate: Mapping[str, Any], sinks: _Sinks, seconds: float, isolation: tuple[str, ...]
) -> Finished:
    return Finished(
        argv=tuple(argv),
        code=fate["exit"],
        signal=fate["signal"],
        timed_out=fate["timed_out"],
        stopped=fate["stopped"],
        stdout=sinks.stdout.text(),
        stderr=sinks.stderr.text(),
        output=sinks.both.text(),
        seconds=seconds,
        isolation=isolation,
        killed_leftovers=fate["killed_leftovers"],
        survivors=fate["survivors"],
        oom_kills=fate["oom_kills"],
    )


def _cannot_start(program: str, error: OSError) -> BotError:
    where = f" ({error.filename})" if error.filename else ""
    if error.errno == errno.ENOENT and not where:
        return environment("program-missing", program=program)
    return environment("program-unusable", program=program, why=f"{error.strerror}{where}")
