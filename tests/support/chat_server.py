"""A chat endpoint in this process: the test says what each request is answered with."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import SimpleNamespace
from typing import Any

from bot.bench.line import Line
from bot.bench.plan import LaunchStop

Json = dict[str, Any]
#: Chunks of a stream, or an HTTP status with an error's message.
Answer = list[Json] | tuple[int, str] | Json


@dataclass
class Chat:
    """A running endpoint: what it was asked, and the line to it."""

    line: Line
    asked: list[tuple[str, Json]] = field(default_factory=list)


@contextmanager
def chat_server(answer: Callable[[str, Json], Answer]) -> Iterator[Chat]:
    """Serve `answer(path, body)` on a free port."""
    asked: list[tuple[str, Json]] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            """Silent."""

        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            self._answer(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))

        def _answer(self, body: Json) -> None:
            asked.append((self.path, body))
            found = answer(self.path, body)
            if isinstance(found, tuple):
                self._send(found[0], json.dumps({"error": {"code": found[0], "message": found[1]}}))
            elif isinstance(found, dict):
                self._send(200, json.dumps(found))
            else:
                lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in found]
                self._send(200, "".join([*lines, "data: [DONE]\n\n"]))

        def _send(self, status: int, text: str) -> None:
            data = text.encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    stub: Any = SimpleNamespace(
        port=server.server_address[1],
        explain_broken=lambda what: LaunchStop("crashed_serving", what),
        check_alive=lambda loading: None,
    )
    try:
        times: Any = {"stall_s": 5.0, "request_s": 10.0, "load_s": 5.0, "stop_s": 1.0}
        yield Chat(Line(stub, times), asked)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def spoken(text: str, finish: str = "stop", **more: Any) -> list[Json]:
    """A streamed answer: the role, the text in two pieces, the end."""
    middle = len(text) // 2
    deltas = [{"role": "assistant", "content": None}, {"content": text[:middle]}, {"content": text[middle:]}]
    chunks = [{"choices": [{"delta": delta, "finish_reason": None}]} for delta in deltas]
    return [*chunks, {"choices": [{"delta": {}, "finish_reason": finish}]}, {"choices": [], **more}]


def called(*calls: Json, finish: str = "tool_calls") -> list[Json]:
    """A streamed answer of tool calls, each in three pieces: id and name, then its arguments by halves."""
    parts: list[Json] = []
    for index, call in enumerate(calls):
        text = call["arguments"]
        place = {"index": call.get("index", index)}
        head = {"id": call.get("id", f"call-{index}"), "function": {"name": call.get("name", "get_weather")}}
        parts.append({**place, **head})
        parts += [{**place, "function": {"arguments": half}} for half in (text[:5], text[5:])]
    chunks = [{"choices": [{"delta": {"tool_calls": [part]}, "finish_reason": None}]} for part in parts]
    return [*chunks, {"choices": [{"delta": {}, "finish_reason": finish}]}]
