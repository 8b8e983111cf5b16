"""The stand-in itself, over real HTTP: every request and every answer judged, faults on demand."""

import contextlib
import copy
import json
import socket
import struct
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from tests.support.github import (  # noqa: F401 - three of them register what they answer
    assumed,
    contract,
    graph,
    rest,
    runners,
    upstream,
    workflow_runs,
)
from tests.support.github.faults import STORED, Call, Faults, Kind
from tests.support.github.rest import Reply, Request
from tests.support.github.state import Grant, Person, World

PREFIX = "/api/v3"


class FakeClock:
    """Time that passes only when someone waits."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.waits: list[float] = []

    def now(self) -> float:
        """Seconds since the epoch."""
        return self.world.now

    def sleep(self, seconds: float) -> None:
        """Time passes, for the stand-in too."""
        self.waits.append(seconds)
        self.world.now += seconds


@dataclass(frozen=True)
class Raw:
    """A REST request as it came."""

    method: str
    path: str
    query: dict[str, str]
    body: bytes


@dataclass
class Github:
    """A GitHub for tests. `violations` must be empty at the end: see the fixture `github`."""

    world: World = field(default_factory=World)
    faults: Faults = field(default_factory=Faults)
    calls: list[Call] = field(default_factory=list)
    violations: list[str] = field(default_factory=list)
    #: Reads after the next write that show the world before it; `stale_reads` counts them down.
    lag: int = 0
    stale_reads: int = 0
    _before: World | None = None
    _server: ThreadingHTTPServer | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        """Time stands still until someone waits."""
        self.clock = FakeClock(self.world)

    def start(self) -> None:
        """Serve on a free port of this machine."""
        owner = self

        class Handler(_Handler):
            github = owner

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        ).start()

    def stop(self) -> None:
        """Stop serving."""
        assert self._server
        self._server.shutdown()
        self._server.server_close()

    @property
    def url(self) -> str:
        """The REST address, as of a GitHub Enterprise server."""
        assert self._server
        return f"http://127.0.0.1:{self._server.server_address[1]}{PREFIX}"

    def writes(self) -> list[Call]:
        """The calls that changed something, or tried to."""
        return [call for call in self.calls if call.write]

    # --- one request -----------------------------------------------------------------------------

    def answer(self, method: str, target: str, body: bytes, token: str) -> tuple[Reply, Kind | None, Call]:
        """Judge, fail or do, judge again."""
        with self._lock:
            url = urlsplit(target)
            graphql = url.path == "/api/graphql"
            call = self._call(method, url.path, body, graphql=graphql)
            self.calls.append(call)
            kind = self.faults.take(call)
            early = self._early(kind, token)
            if early is not None and not graphql:
                self._judge_fault(call, early)
            if early is None:
                query = dict(parse_qsl(url.query, keep_blank_values=True))
                early = self._done(call, Raw(method, url.path, query, body), token)
            call.status = early.status
            return early, kind, call

    def _call(self, method: str, path: str, body: bytes, *, graphql: bool) -> Call:
        if not graphql:
            return Call(method, path.removeprefix(PREFIX), method != "GET", False, self.world.now)
        operation, name = graph.operation_of(_json(body).get("query", ""))
        return Call(method, "/graphql", operation == "mutation", True, self.world.now, operation=name)

    def _early(self, kind: Kind | None, token: str) -> Reply | None:
        """The answer to a request that is not done."""
        if kind is None or kind in STORED:
            return None
        if kind == "token_expired":
            self.world.tokens.pop(token, None)
            return None
        return _fault_reply(kind, self.world.now)

    def _judge_fault(self, call: Call, reply: Reply) -> None:
        """Faults are answers too, and must look like GitHub's."""
        found = rest.template_of(call.method, _by_id(self.world, call.path))
        if found and reply.data is not None:
            answer = _bytes(reply)
            self.violations += contract.judge_answer(
                call.method, call.path, reply.status, answer, template=found[0]
            )

    def _done(self, call: Call, raw: Raw, token: str) -> Reply:
        grant = self.world.grant(token)
        if not token and not call.write and not call.graphql:
            grant = Grant(Person("nobody"), permissions={})
        is_app = raw.path.startswith(f"{PREFIX}/app")
        if grant is None and not (is_app and token.count(".") == 2):
            return _error(401, assumed.BAD_CREDENTIALS)
        world = self._visible(call)
        if call.graphql:
            return self._graphql(world, grant, raw.body)
        person = grant or next(iter(world.installations.values()))
        return self._rest(world, person, raw)

    def _visible(self, call: Call) -> World:
        """The world, or for a stale read the world before the last write."""
        if call.write:
            self._before = copy.deepcopy(self.world)
            self.stale_reads, self.lag = self.lag or self.stale_reads, 0
        elif self.stale_reads and self._before is not None:
            self.stale_reads -= 1
            return self._before
        return self.world

    def _graphql(self, world: World, grant: Grant | None, body: bytes) -> Reply:
        assert grant
        given = _json(body)
        wrong = graph.faults_of(given.get("query", ""))
        self.violations += [f"GraphQL: {message}" for message in wrong]
        return Reply(200, graph.execute(world, grant, given.get("query", ""), given.get("variables") or {}))

    def _rest(self, world: World, grant: Grant, raw: Raw) -> Reply:
        if not raw.path.startswith(PREFIX):
            self.violations.append(f"{raw.method} {raw.path}: not below {PREFIX}")
        path = _by_id(world, raw.path.removeprefix(PREFIX))
        found = rest.template_of(raw.method, path)
        if found is None or f"{raw.method} {found[0]}" not in rest.HANDLERS:
            self.violations.append(f"{raw.method} {path}: not in the stand-in's subset")
            return _error(404, "Not Found")
        wrong = contract.judge_request(raw.method, path, raw.query, raw.body)
        if wrong:
            self.violations += wrong
            return _error(422, "Invalid request.")
        request = Request(raw.method, path, raw.query, _json(raw.body), grant, found[1], found[0])
        reply = rest.answer(world, request)
        answer = _bytes(reply)
        self.violations += contract.judge_answer(raw.method, path, reply.status, answer, template=found[0])
        if reply.headers.get("Location", "").startswith("/"):
            reply.headers["Location"] = self.url + reply.headers["Location"]
        return reply


class _Handler(BaseHTTPRequestHandler):
    github: Github
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self._serve()

    do_POST = do_PATCH = do_DELETE = do_GET  # noqa: N815 - http.server's names

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _serve(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        token = (self.headers.get("authorization") or "").split(" ")[-1]
        reply, kind, call = self.github.answer(self.command, self.path, body, token)
        if self.command == "GET" and self.headers.get("if-none-match") == _etag(_bytes(reply)):
            call.status, reply = 304, Reply(304, None, {**reply.headers, "ETag": _etag(_bytes(reply))})
        if kind in ("timeout", "timeout_after"):
            self._hold()
        elif kind in ("reset", "reset_after"):
            self._reset()
        elif kind == "502_after":
            call.status = 502
            self._send(_error(502, "Server Error"))
        elif kind == "malformed":
            self._send(reply, half=True)
        elif kind == "slow":
            self._send(reply, one_by_one=True)
        else:
            self._send(reply)

    def _send(self, reply: Reply, *, one_by_one: bool = False, half: bool = False) -> None:
        content = b'[{"number": 1, "tit' if half else _bytes(reply)
        self.send_response(reply.status)
        for name, value in {"ETag": _etag(content), **reply.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        for start in range(0, len(content), 64 if one_by_one else max(1, len(content))):
            self.wfile.write(content[start : start + (64 if one_by_one else len(content))])
            self.wfile.flush()

    def _hold(self) -> None:
        """Say nothing until the client hangs up."""
        self.connection.settimeout(60)
        with contextlib.suppress(OSError):
            self.connection.recv(1)
        self.close_connection = True

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True


def _fault_reply(kind: Kind, now: float) -> Reply:
    limits = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(now) + 600)}
    replies = {
        "primary_403": _error(403, assumed.PRIMARY, limits),
        "primary_429": _error(429, assumed.PRIMARY, limits),
        "secondary_403": _error(403, assumed.SECONDARY),
        "secondary_403_retry_after": _error(403, assumed.SECONDARY, {"Retry-After": "45"}),
        "secondary_429": _error(429, assumed.SECONDARY),
        "secondary_429_retry_after": _error(429, assumed.SECONDARY, {"Retry-After": "45"}),
        "graphql_rate_limited": Reply(200, _graphql_error("RATE_LIMITED", "API rate limit exceeded"), limits),
        "graphql_forbidden": Reply(200, _graphql_error("FORBIDDEN", assumed.FORBIDDEN)),
        "redirect_307": _error(307, "Temporary Redirect", {"Location": "/elsewhere"}),
        "not_modified_304": Reply(304),
        "too_long_422": _error(422, assumed.TOO_LONG),
        "malformed": Reply(200),
    }
    return replies.get(kind, _error(502, "Server Error"))


def _graphql_error(kind: str, message: str) -> dict[str, Any]:
    return {"data": None, "errors": [{"type": kind, "message": message, "path": ["it"]}]}


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> Reply:
    body = {"message": message, "documentation_url": "https://docs.github.com/rest"}
    return Reply(status, body, headers or {})


def _json(body: bytes) -> dict[str, Any]:
    try:
        data = json.loads(body) if body else {}
    except ValueError:
        return {}
    return data if isinstance(data, dict) else {}


def _bytes(reply: Reply) -> bytes:
    return b"" if reply.data is None else json.dumps(reply.data, ensure_ascii=False).encode()


def _etag(content: bytes) -> str:
    return f'W/"{abs(hash(content))}"'


def _by_id(world: World, path: str) -> str:
    """`/repositories/ID/...`, where redirects lead to, as the path that the description knows."""
    if not path.startswith("/repositories/"):
        return path
    number, _, rest_ = path.removeprefix("/repositories/").partition("/")
    repo = next(item for item in world.repos.values() if str(item.id) == number)
    return "/".join([f"/repos/{repo.full_name}", *([rest_] if rest_ else [])])
