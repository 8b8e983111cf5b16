"""One streaming request on http.client: raw reads are stamped first and parsed after the stream has ended.

Standard library only. The clock starts just before the send on a connection that is already open; headers are
no event at all (from b9425 on they come before the prefill). Measured lag: see `benchmarks/client.py`.
"""

import gc
import http.client
import json
import time
from typing import Any, NamedTuple

from bot.bench.plan import LaunchStop

_READ = 65536
_MOST_BYTES = 256 * 2**20
_ERROR_EXCERPT = 400


class Broken(Exception):  # noqa: N818
    """The connection ended before the answer did: the server has died, or closed it."""


class Exchange(NamedTuple):
    """When the request was sent, what arrived when, and when the stream ended (`perf_counter` seconds)."""

    sent: float
    reads: list[tuple[float, bytes]]
    ended: float


class Event(NamedTuple):
    """One `data:` object of the stream and the moment its last byte was there."""

    at: float
    data: dict[str, Any]


def stream(port: int, path: str, body: bytes, *, stall_s: float, request_s: float) -> Exchange:
    """POST `body` to 127.0.0.1 and stamp the answer's bytes as they come.

    Raises LaunchStop (hung_serving, bad_response) and Broken.
    """
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=stall_s)
    enabled = gc.isenabled()
    try:
        connection.connect()
        gc.disable()
        return _exchange(connection, path, body, request_s)
    except TimeoutError as error:
        raise LaunchStop("hung_serving", f"no byte for {stall_s:g} s") from error
    except (OSError, http.client.IncompleteRead, http.client.RemoteDisconnected) as error:
        raise Broken(f"{type(error).__name__}: {error}") from error
    except http.client.HTTPException as error:
        raise LaunchStop("bad_response", f"{type(error).__name__}: {error}"[:_ERROR_EXCERPT]) from error
    finally:
        if enabled:
            gc.enable()
        connection.close()


def _exchange(connection: http.client.HTTPConnection, path: str, body: bytes, request_s: float) -> Exchange:
    clock = time.perf_counter
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    sent = clock()
    connection.request("POST", path, body, headers)
    response = connection.getresponse()
    if response.status != http.client.OK:
        excerpt = response.read(_ERROR_EXCERPT).decode(errors="replace")
        raise LaunchStop("bad_response", f"HTTP {response.status}: {excerpt}")
    reads: list[tuple[float, bytes]] = []
    size, deadline = 0, sent + request_s
    while data := response.read1(_READ):
        now = clock()
        reads.append((now, data))
        size += len(data)
        if now > deadline:
            raise LaunchStop("hung_serving", f"no end of the answer after {request_s:g} s")
        if size > _MOST_BYTES:
            raise LaunchStop("bad_response", f"more than {_MOST_BYTES} bytes for one answer")
    return Exchange(sent, reads, clock())


def events(reads: list[tuple[float, bytes]]) -> list[Event]:
    """The `data:` objects of a stream; comments (pings) and other fields are passed over.

    Raises LaunchStop (bad_response) for an error reported in the stream (`error:` lines of old builds,
    `{"error": …}` of new ones) and for data that is not a JSON object.
    """
    found: list[Event] = []
    rest = b""
    for at, data in reads:
        *lines, rest = (rest + data).split(b"\n")
        found += [event for line in lines if (event := _event(at, line.strip())) is not None]
    return found


def _event(at: float, line: bytes) -> Event | None:
    if line.startswith(b"error:"):
        raise LaunchStop("bad_response", _excerpt(line))
    if not line.startswith(b"data:") or line == b"data: [DONE]":
        return None
    try:
        data = json.loads(line[5:])
    except ValueError as error:
        raise LaunchStop("bad_response", _excerpt(line)) from error
    if not isinstance(data, dict) or "error" in data:
        raise LaunchStop("bad_response", _excerpt(line))
    return Event(at, data)


def _excerpt(line: bytes) -> str:
    return line[:_ERROR_EXCERPT].decode(errors="replace")


def carries_token(data: dict[str, Any]) -> bool:
    """Whether a chunk brings something generated: content, reasoning or a tool call.

    Passed over: progress chunks (their token is a made-up 0), the role chunk of a chat (content null), the
    final native chunk (empty). A native chunk with empty content but a token id counts: a control token has
    no text. A first token that is half a UTF-8 character brings no chunk in any build until the character is
    whole.
    """
    if "prompt_progress" in data:
        return False
    if "choices" in data:
        return any(_has_delta(choice) for choice in data["choices"])
    return bool(data.get("content") or (data.get("tokens") and not data.get("stop")))


def _has_delta(choice: dict[str, Any]) -> bool:
    delta = choice.get("delta") or {}
    keys = ("content", "reasoning_content", "reasoning", "tool_calls")
    return bool(choice.get("text") or any(delta.get(key) for key in keys))


def get(port: int, path: str, *, timeout_s: float) -> tuple[int, bytes]:
    """One GET on 127.0.0.1: status and body. Raises OSError or http.client.HTTPException."""
    return _plain(port, "GET", path, None, timeout_s)


def post(port: int, path: str, body: dict[str, Any], *, timeout_s: float) -> tuple[int, bytes]:
    """One JSON POST on 127.0.0.1: status and body. Raises OSError or http.client.HTTPException."""
    return _plain(port, "POST", path, json.dumps(body).encode(), timeout_s)


def _plain(port: int, method: str, path: str, body: bytes | None, timeout_s: float) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout_s)
    try:
        connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
        response = connection.getresponse()
        return response.status, response.read(_MOST_BYTES)
    finally:
        connection.close()
