"""How late the streaming client sees a token, and how many it can take: beside httpx, in the same run.

A scripted server in a process of its own sends events shaped like llama-server's, each with the moment of its
own sending (CLOCK_MONOTONIC, which both processes share). Lag = the client's stamp minus that moment.
Throughput is events per second from the first byte until all are parsed, with a server that sends as fast as
it can.
"""

import argparse
import json
import multiprocessing
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median
from typing import Any

import httpx

from bot.bench import client

LAG_TARGET_MS = 0.3
RATE_TARGET = 10_000
TARGET_RATE_TOKENS = 300
PACES = (100, TARGET_RATE_TOKENS, 1000)
SECONDS = 2.0
BURST = 20_000

Stamped = list[tuple[float, dict[str, Any]]]
Reader = Callable[[int], Stamped]
Row = dict[str, Any]


def event(number: int, sent: float) -> bytes:
    """One HTTP chunk with one SSE event."""
    data = {
        "index": 0,
        "content": " word",
        "tokens": [300],
        "stop": False,
        "id_slot": 0,
        "tokens_predicted": number,
        "tokens_evaluated": 64,
        "sent": sent,
    }
    payload = b"data: " + json.dumps(data).encode() + b"\n\n"
    return f"{len(payload):x}\r\n".encode() + payload + b"\r\n"


def serve(listener: socket.socket, count: int, pace: float) -> None:
    """Answer connections for ever: `count` events, `pace` per second (0: no waiting)."""
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        received = b""
        while not received.endswith(b"{}"):  # what is left unread would reset the connection
            received += connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        due = time.perf_counter()
        for number in range(1, count + 1):
            if pace:
                due += 1 / pace
                time.sleep(max(0.0, due - time.perf_counter()))
            connection.sendall(event(number, time.perf_counter()))
        connection.sendall(b"0\r\n\r\n")
        connection.close()


@contextmanager
def server(count: int, pace: float) -> Iterator[int]:
    """The scripted server's port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        process = multiprocessing.get_context("fork").Process(
            target=serve, args=(listener, count, pace), daemon=True
        )
        process.start()
        try:
            yield listener.getsockname()[1]
        finally:
            process.kill()
            process.join()


def ours(port: int) -> Stamped:
    """The client of the launches."""
    found = client.stream(port, "/completion", b"{}", stall_s=30, request_s=60)
    return [(item.at, item.data) for item in client.events(found.reads)]


def peer(port: int) -> Stamped:
    """httpx as one would use it: stamp each line, parse later."""
    lines = []
    with httpx.Client() as session, session.stream("POST", f"http://127.0.0.1:{port}/", json={}) as answer:
        for line in answer.iter_lines():
            lines.append((time.perf_counter(), line))
    return [(at, json.loads(line[5:])) for at, line in lines if line.startswith("data:")]


def lag(read: Reader, pace: int) -> Row:
    """The median and the 99th percentile of the lag in ms at `pace` tokens per second."""
    with server(int(SECONDS * pace), pace) as port:
        lags = sorted((at - data["sent"]) * 1000 for at, data in read(port))
    return {"value": median(lags), "p99": lags[int(len(lags) * 0.99)], "unit": "ms"}


def throughput(read: Reader) -> Row:
    """Events per second, parsing included."""
    with server(BURST, 0) as port:
        begun = time.perf_counter()
        count = len(read(port))
        return {"value": count / (time.perf_counter() - begun), "unit": "events/s"}


def measure() -> list[Row]:
    """All rows; those with a `target` are judged."""
    rows: list[Row] = []
    for name, read in (("client", ours), ("httpx", peer)):
        rows += [{"name": f"{name} lag at {pace} tok/s", **lag(read, pace)} for pace in PACES]
        rows.append({"name": f"{name} throughput", **throughput(read)})
    for row in rows:
        if row["name"] == f"client lag at {TARGET_RATE_TOKENS} tok/s":
            row |= {"target": LAG_TARGET_MS, "met": row["value"] <= LAG_TARGET_MS}
        elif row["name"] == "client throughput":
            row |= {"target": RATE_TARGET, "met": row["value"] >= RATE_TARGET}
    return rows


def table(rows: list[Row]) -> str:
    """The rows for a reader."""
    lines = [f"{'':28}{'median':>12}{'p99':>10}  unit      target"]
    for row in rows:
        verdict = f"{row['target']:>8} {'met' if row['met'] else 'MISSED'}" if "target" in row else ""
        p99 = f"{row['p99']:.3f}" if "p99" in row else ""
        lines.append(f"{row['name']:28}{row['value']:>12.3f}{p99:>10}  {row['unit']:9} {verdict}")
    return "\n".join(lines)


def main() -> int:
    """Print the table or the rows; 1 when a target is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print the rows")
    arguments = parser.parse_args()
    rows = measure()
    print(json.dumps(rows, indent=1) if arguments.json else table(rows))
    return 0 if all(row.get("met", True) for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
