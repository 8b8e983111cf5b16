"""Starts a server, lets it answer one short request, stops it; prints its fate as one JSON line.

Runs as a program of its own (standard library only), inside the isolation of whoever starts it:
`smoke_start.py SERVER MODEL SECONDS`. Prints {"ready": bool, "code": exit code or null}; a negative code
is the signal that ended the server.
"""

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

#: Long enough that the batched kernels run, not only those of a single token.
_PROMPT = [1] * 32


def main(server: str, model: str, seconds: float) -> None:
    """Print what became of the server; it is gone when this returns."""
    port = _free_port()
    argv = [server, "-m", model, "-c", "256", "--host", "127.0.0.1", "--port", str(port)]
    child = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    ready = False
    try:
        ready = _is_ready(child, f"http://127.0.0.1:{port}", time.monotonic() + seconds)
        if ready:
            _ask(f"http://127.0.0.1:{port}")
    finally:
        code = _stop(child)
    print(json.dumps({"ready": ready, "code": code}), flush=True)  # noqa: T201 - this is its answer


def _is_ready(child: "subprocess.Popen[bytes]", address: str, deadline: float) -> bool:
    while child.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/health", timeout=5):  # noqa: S310 - our own address
                return True
        except OSError:
            time.sleep(0.05)
    return False


def _ask(address: str) -> None:
    body = json.dumps({"prompt": _PROMPT, "n_predict": 2, "cache_prompt": False}).encode()
    headers = {"Content-Type": "application/json"}
    request = urllib.request.Request(f"{address}/completion", body, headers)  # noqa: S310 - our own address
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            answer.read()
    except OSError:
        return  # what it answers is measured elsewhere; here only whether it lives


def _stop(child: "subprocess.Popen[bytes]") -> int | None:
    """The exit code of a server that ended by itself; None for one that had to be stopped."""
    time.sleep(0)
    code = child.poll()
    if code is not None:
        return code
    child.terminate()
    try:
        child.wait(10)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    return None


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], float(sys.argv[3]))
