"""What an errand may ask of a running server. Standard library only.

A refusal (an HTTP error, an error within a stream) is an answer; a server that died or hangs ends the launch.
"""

import json
import re
from http.client import OK, HTTPException

from bot.bench import client
from bot.bench.client import Broken, Exchange
from bot.bench.plan import Json, LaunchStop, Timeouts
from bot.bench.server import Server

_SAID = re.compile(r'"message":\s*"([^"]*)')


class Refused(Exception):  # noqa: N818 - an answer
    """The server lives and said no; the text is its own, short."""


class Line:
    """The connection to one server, with its time limits."""

    def __init__(self, server: Server, times: Timeouts) -> None:
        self.server = server
        self.times = times

    def ask(self, method: str, path: str, body: Json | None = None) -> Json:
        """One plain request's JSON object. Raises Refused, and LaunchStop (died, hung)."""
        timeout = self.times["stall_s"]
        try:
            if body is None:
                status, data = client.get(self.server.port, path, timeout_s=timeout)
            else:
                status, data = client.post(self.server.port, path, body, timeout_s=timeout)
            answer = json.loads(data)
        except TimeoutError as error:
            raise LaunchStop("hung_serving", f"{method} {path}: no answer for {timeout:g} s") from error
        except ValueError as error:
            raise Refused(f"{method} {path}: no JSON") from error
        except (OSError, HTTPException) as error:
            raise self.server.explain_broken(f"{method} {path}: {type(error).__name__}") from error
        if status != OK or not isinstance(answer, dict):
            raise Refused(f"HTTP {status}: {_message(answer)}")
        return answer

    def stream(self, path: str, body: Json) -> Exchange:
        """One streamed request with its stamps. Raises Refused, and LaunchStop (died, hung)."""
        times = self.times
        try:
            return client.stream(
                self.server.port,
                path,
                json.dumps(body).encode(),
                stall_s=times["stall_s"],
                request_s=times["request_s"],
            )
        except Broken as error:
            raise self.server.explain_broken(str(error)) from error
        except LaunchStop as stop:
            self.server.check_alive(loading=False)
            if stop.status == "bad_response":
                raise Refused(_said(stop.detail)) from stop
            raise


def _said(detail: str) -> str:
    """What an error's body says, without the JSON around it; the body may be cut short."""
    found = _SAID.search(detail)
    return f"{detail.partition(':')[0]}: {found[1]}" if found else detail


def _message(answer: object) -> str:
    error = answer.get("error") if isinstance(answer, dict) else None
    text = error.get("message") if isinstance(error, dict) else error
    return str(text or "no JSON object")[:200]
