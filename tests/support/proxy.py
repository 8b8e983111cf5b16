"""A thin HTTP proxy before a real server, to plant what a build loses: `proxy.py FAULT KEY SERVER ARGS...`.

FAULT `drop`: KEY is taken out of every request's body, as by a build that does not know it. FAULT `die`: the
server is killed by the first request that has KEY.
"""

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def planted(fault: str, key: str) -> tuple[str, ...]:
    """Words before a server's command."""
    return (sys.executable, "-IS", __file__, fault, key)


class Handler(BaseHTTPRequestHandler):
    """Passes everything on, and the answer back as it comes."""

    fault, key, port = "", "", 0
    server_process: Any = None

    def log_message(self, *_: object) -> None:
        """Silent."""

    def do_GET(self) -> None:
        """Pass it on."""
        self._pass_on(None)

    def do_POST(self) -> None:
        """Pass it on, with the fault."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.key in body and self.fault == "die":
            self.server_process.kill()
            os._exit(134)
        body.pop(self.key, None)
        self._pass_on(json.dumps(body).encode())

    def _pass_on(self, body: bytes | None) -> None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(self.command, self.path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
        except OSError:  # not up yet
            self.send_error(503)
            return
        self.send_response(answer.status)
        self.send_header("Content-Type", answer.getheader("Content-Type") or "")
        self.end_headers()
        while data := answer.read1(65536):
            self.wfile.write(data)
            self.wfile.flush()


def main(fault: str, key: str, *command: str) -> None:
    """Start the server on another port, and stand before it."""
    if "--port" not in command:
        os.execv(command[0], list(command))
    words = list(command)
    place = words.index("--port") + 1
    asked, words[place] = int(words[place]), str(_free_port())
    Handler.fault, Handler.key, Handler.port = fault, key, int(words[place])
    Handler.server_process = subprocess.Popen(words)
    front = ThreadingHTTPServer(("127.0.0.1", asked), Handler)
    front.daemon_threads = True
    threading.Thread(target=front.serve_forever, daemon=True).start()
    os._exit(Handler.server_process.wait())


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
