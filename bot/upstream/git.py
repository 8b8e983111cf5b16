"""The one door to git: GitPython's `Git`, never interactive, every exit code checked."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# Without this, importing GitPython on a machine that has no git ends in a traceback.
os.environ.setdefault("GIT_PYTHON_REFRESH", "quiet")

from git import Git as GitPython
from git.cmd import handle_process_output
from git.exc import GitCommandError, GitCommandNotFound
from git.remote import RemoteProgress

from bot.errors import BotError, environment

#: Called with (done, total), in git's own objects of the current phase.
Progress = Callable[[float, float], None]

#: A clone of all of llama.cpp without its blobs takes minutes on a slow line.
TRANSFER_S = 3600.0
#: Listing 6,500 tags takes seconds.
LIST_S = 180.0

_SECRET = re.compile(r"(?<=://)[^/@\s]+@")
#: A stalled transfer ends after a minute instead of at the time-out.
_PATIENCE = ("-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60")


class Git:
    """Git on one bare repository. `url`, where it is known, names the remote in errors."""

    def __init__(self, path: Path, url: str = "") -> None:
        self.path = path.absolute()
        self.url = url
        self._git = GitPython(str(self.path))
        self._git.update_environment(**_quiet(self.path))

    def text(self, *args: str, stdin: bytes | None = None) -> str:
        """Standard output, decoded. Raises BotError (exit 4) unless git exits 0."""
        return self.raw(*args, stdin=stdin).decode(errors="replace")

    def raw(self, *args: str, stdin: bytes | None = None) -> bytes:
        """As `text`, undecoded."""
        code, out, err = self._execute(args, stdin)
        if code != 0:
            raise environment("git-failed", command=f"git {args[0]}", why=reason(err))
        return out

    def test(self, *args: str) -> bool:
        """A yes or no by exit code 0 or 1. Raises BotError (exit 4) for any other code."""
        code, _, err = self._execute(args, None)
        if code not in (0, 1):
            raise environment("git-failed", command=f"git {args[0]}", why=reason(err))
        return code == 0

    def network(
        self,
        *args: str,
        timeout_s: float,
        stdin: bytes | None = None,
        env: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> str:
        """A command that may talk to the remote; returns standard output.

        Raises BotError (exit 4) when it fails or takes longer than `timeout_s` seconds.
        """
        out: list[str] = []
        meter = _Meter(progress)
        try:
            with _file(stdin) as source:
                running = self._git.execute(
                    ["git", *_PATIENCE, *args],
                    istream=source,
                    as_process=True,
                    universal_newlines=True,
                    env=dict(env or {}),
                )
                handle_process_output(
                    running, out.append, meter.line, decode_streams=False, kill_after_timeout=timeout_s
                )
                running.wait()
        except GitCommandNotFound as error:
            raise environment("git-missing") from error
        except GitCommandError as error:
            raise self._failure(str(error.stderr), meter, timeout_s) from error
        return "".join(out)

    def _failure(self, stderr: str, meter: "_Meter", timeout_s: float) -> BotError:
        url = public(self.url)
        if "kill_after_timeout" in stderr:
            return environment("upstream-timeout", url=url, seconds=round(timeout_s))
        return environment("upstream-unreachable", url=url, why=meter.reason())

    def _execute(self, args: tuple[str, ...], stdin: bytes | None) -> tuple[int, bytes, str]:
        try:
            with _file(stdin) as source:
                code, out, err = self._git.execute(
                    ["git", *args],
                    istream=source,
                    with_extended_output=True,
                    with_exceptions=False,
                    stdout_as_string=False,
                    strip_newline_in_stdout=False,
                )
        except GitCommandNotFound as error:
            raise environment("git-missing") from error
        return code, out, str(err)


class _Meter(RemoteProgress):
    """Git's progress lines as numbers; what is no progress is kept for the error message."""

    def __init__(self, progress: Progress | None) -> None:
        super().__init__()
        self._progress = progress

    def line(self, line: str) -> None:
        self._parse_progress_line(line.rstrip("\n"))

    def reason(self) -> str:
        return reason("\n".join([*self.error_lines, *self.other_lines]))

    def update(
        self, op_code: int, cur_count: str | float, max_count: str | float | None = None, message: str = ""
    ) -> None:
        if self._progress and max_count:
            self._progress(float(cur_count), float(max_count))


def public(url: str) -> str:
    """The address without a password or token in it."""
    return _SECRET.sub("", url)


def reason(stderr: str) -> str:
    """Git's own word on a failure: its first `fatal:` or `error:` line, else its last line."""
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    told = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return public((told or lines[-1:] or ["?"])[0])


@contextmanager
def _file(stdin: bytes | None) -> Iterator[Any]:
    if stdin is None:
        yield None
        return
    with tempfile.TemporaryFile() as file:  # git reads from a real file only
        file.write(stdin)
        file.seek(0)
        yield file


def _quiet(path: Path) -> dict[str, str]:
    """Never a prompt, and this repository even where a hook's GIT_DIR points at another."""
    return {
        "GIT_DIR": str(path),
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "false",
        "SSH_ASKPASS_REQUIRE": "force",
        "GIT_OPTIONAL_LOCKS": "0",
    }
