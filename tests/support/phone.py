"""Services that Apprise can tell, on this machine: what reaches them over HTTP is kept."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

#: What makes an address a secret: it must not be found anywhere else.
SECRET = "t0k3nOfMine"


@dataclass
class Services:
    """A server; `status` is what it answers. `told`: path and JSON body of every message."""

    port: int = 0
    status: int = 200
    told: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    @property
    def json(self) -> str:
        """The address of Apprise's plain JSON service."""
        return f"json://user:{SECRET}@127.0.0.1:{self.port}/hook"

    @property
    def ntfy(self) -> str:
        """The address of a topic of ntfy."""
        return f"ntfy://user:{SECRET}@127.0.0.1:{self.port}/topic"

    @property
    def messages(self) -> list[str]:
        """The texts, in order."""
        return [str(body["message"]) for _, body in self.told]


@contextmanager
def services() -> Iterator[Services]:
    """A server that runs meanwhile."""
    made = Services()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            made.told.append((self.path, json.loads(content)))
            self.send_response(made.status)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            """Tests read stderr."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    made.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield made
    finally:
        server.shutdown()
        server.server_close()
