"""One llama-server process: started, waited for, stopped. Standard library only."""

import contextlib
import errno
import http.client
import os
import signal
import socket
import subprocess
import time
from pathlib import Path

from bot.bench import logs
from bot.bench.client import get
from bot.bench.plan import PORT, LaunchStop

_POLL_S = (0.01, 0.1)
_PROBE_S = 2.0
_DEATH_S = 1.0
_START_ERRORS = {
    errno.ENOSPC: "no_space",
    errno.EDQUOT: "no_space",
    errno.ENOENT: "binary_changed",
    errno.EACCES: "binary_changed",
    errno.ENOMEM: "out_of_memory",
}


def free_port() -> int:
    """A port of 127.0.0.1 that nobody has right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A started server in a process group of its own, its output in a log file."""

    def __init__(self, argv: list[str], env: dict[str, str], log: Path) -> None:
        self.port = free_port()
        self.argv = [str(self.port) if word == PORT else word for word in argv]
        self.log = log
        self.started = time.monotonic()
        try:
            with log.open("wb") as output:
                self.process = subprocess.Popen(
                    self.argv,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    env={**os.environ, **env},
                    process_group=0,
                )
        except OSError as error:
            status = _START_ERRORS.get(error.errno or 0, "crashed_loading")
            raise LaunchStop(status, f"{argv[0]}: {error.strerror}") from error

    def wait_ready(self, timeout_s: float) -> None:
        """Return once /health says 200. Raises LaunchStop with the reason when it never does.

        503 means that the model is being loaded; a refused connection that nobody listens yet.
        """
        deadline = self.started + timeout_s
        while not self._healthy():
            self.check_alive(loading=True)
            if time.monotonic() > deadline:
                raise LaunchStop("hung_loading", f"not ready after {timeout_s:g} s")
            time.sleep(min(_POLL_S[1], max(_POLL_S[0], (time.monotonic() - self.started) / 50)))
        self.check_alive(loading=True)

    def _healthy(self) -> bool:
        try:
            return get(self.port, "/health", timeout_s=_PROBE_S)[0] == http.client.OK
        except (OSError, http.client.HTTPException):
            return False

    def check_alive(self, *, loading: bool) -> None:
        """Raises LaunchStop with the cause of death when the server has ended."""
        code = self.process.poll()
        if code is not None:
            raise self._death(code, loading=loading)

    def explain_broken(self, what: str) -> LaunchStop:
        """Why a connection broke: a server that died within moments, or one that lives and closed it."""
        try:
            return self._death(self.process.wait(_DEATH_S), loading=False)
        except subprocess.TimeoutExpired:
            return LaunchStop("bad_response", what)

    def _death(self, code: int, *, loading: bool) -> LaunchStop:
        end = logs.classify(logs.read(self.log), code, loading=loading)
        return LaunchStop(end.status, end.detail)

    def stop(self, grace_s: float) -> int:
        """SIGTERM, and SIGKILL to the whole group after `grace_s`. Returns the exit code."""
        self._signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(grace_s)
        self._signal(signal.SIGKILL)
        return self.process.wait()

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)
