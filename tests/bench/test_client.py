"""What a stream means: events, the first token, the sample and its evidence."""

import gc
import json
import socket
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from bot.bench.client import Broken, Exchange, carries_token, events, stream
from bot.bench.plan import Json, LaunchStop
from bot.bench.samples import completion_body, rate, sample

TIMINGS = {"cache_n": 0, "prompt_n": 4, "prompt_ms": 50.0, "predicted_n": 3, "predicted_ms": 20.0}
FINAL = {
    "content": "",
    "tokens": [],
    "stop": True,
    "tokens_evaluated": 4,
    "truncated": False,
    "stop_type": "limit",
}


def line(data: Any) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def token(number: int, content: str = " w") -> bytes:
    return line({"content": content, "tokens": [300], "stop": False, "tokens_predicted": number})


def exchange(*reads: tuple[float, bytes]) -> Exchange:
    return Exchange(10.0, list(reads), reads[-1][0])


def good(**timings: Any) -> Exchange:
    final = line({**FINAL, "tokens_predicted": 3, "timings": {**TIMINGS, **timings}})
    return exchange((10.05, token(1)), (10.06, token(2)), (10.07, token(3) + final))


def made(answer: Exchange) -> Json:
    return sample("short", 0, [1, 2, 3, 4], 3, answer)


def test_a_sample_has_the_raw_timings_and_the_clients_clock() -> None:
    found = made(good())
    assert found["ttft_ms"] == pytest.approx(50.0)
    assert found["wall_ms"] == pytest.approx(70.0)
    assert found["problem"] is None
    assert found["disturbed"] is False
    assert rate(found, "decode") == pytest.approx(100.0)
    assert rate(found, "prefill") == pytest.approx(80.0)


def test_timings_count_only_from_the_last_chunk() -> None:
    stale = line(
        {"content": "a", "tokens": [1], "tokens_predicted": 1, "timings": {**TIMINGS, "prompt_n": 99}}
    )
    answer = good()
    assert made(Exchange(10.0, [(10.01, stale), *answer.reads], 10.07))["prompt_n"] == 4


@pytest.mark.parametrize("cut", range(1, 40, 7))
def test_a_read_may_end_anywhere(cut: int) -> None:
    whole = token(1)
    split = exchange((10.05, whole[:cut]), (10.08, whole[cut:]), (10.09, good().reads[2][1]))
    assert events(split.reads)[0].at == 10.08


def test_comments_and_done_are_no_events() -> None:
    reads = [(1.0, b":\n\n"), (2.0, b"event: x\nid: 1\n" + token(1)), (3.0, b"data: [DONE]\n\n")]
    assert [event.at for event in events(reads)] == [2.0]


@pytest.mark.parametrize(
    "data",
    [
        b'error: {"code":500}\n\n',
        b'data: {"error":{"code":500}}\n\n',
        b"data: nonsense\n\n",
        b"data: [1]\n\n",
        b"data: \xff\xfe\n\n",
    ],
)
def test_errors_and_garbage_in_the_stream_are_bad_responses(data: bytes) -> None:
    with pytest.raises(LaunchStop) as stop:
        events([(1.0, data)])
    assert stop.value.status == "bad_response"


@pytest.mark.parametrize(
    ("data", "carries"),
    [
        ({"content": "", "tokens": [0], "prompt_progress": {"total": 3}}, False),
        ({"content": "", "tokens": [], "stop": False}, False),
        ({"content": "", "tokens": [7], "stop": False}, True),
        ({"content": "x"}, True),
        ({"content": "", "tokens": [7], "stop": True}, False),
        ({"choices": [{"delta": {"role": "assistant", "content": None}}]}, False),
        ({"choices": [{"delta": {"content": ""}}]}, False),
        ({"choices": [{"delta": {"reasoning_content": "hm"}}]}, True),
        ({"choices": [{"delta": {"tool_calls": [{}]}}]}, True),
        ({"choices": [], "usage": {}}, False),
    ],
)
def test_the_first_token_is_the_first_thing_generated(data: Any, carries: bool) -> None:
    assert carries_token(data) is carries


def test_a_client_that_disagrees_with_the_server_is_flagged_but_counted() -> None:
    found = made(good(predicted_ms=10.0))
    assert (found["disturbed"], found["problem"]) == (True, None)
    assert made(good(predicted_ms=17.5))["disturbed"] is False


def test_a_held_back_first_token_does_not_look_like_a_disturbance() -> None:
    final = line({**FINAL, "tokens_predicted": 3, "timings": TIMINGS})
    late = exchange((10.06, token(2, "é")), (10.07, token(3)), (10.07, final))
    assert made(late)["disturbed"] is False


@pytest.mark.parametrize(
    "timings",
    [{}, {"prompt_n": 4}, {**TIMINGS, "prompt_ms": 0}, {**TIMINGS, "predicted_ms": None}],
)
def test_unusable_timings_are_a_bad_response(timings: Json) -> None:
    answer = exchange((10.05, token(1)), (10.06, line({**FINAL, "timings": timings})))
    with pytest.raises(LaunchStop) as stop:
        made(answer)
    assert stop.value.status == "bad_response"


def test_builds_without_cache_n_are_judged_by_prompt_n() -> None:
    final = {**FINAL, "timings": {key: value for key, value in TIMINGS.items() if key != "cache_n"}}
    found = made(exchange((10.05, token(1)), (10.07, line(final))))
    assert (found["cache_n"], found["problem"]) == (None, None)


def test_the_request_pins_sampling_and_forbids_the_cache() -> None:
    body = json.loads(completion_body([5, 6], 8))
    expected = {
        "prompt": [5, 6],
        "n_predict": 8,
        "cache_prompt": False,
        "ignore_eos": True,
        "temperature": 0,
        "stream": True,
    }
    assert expected.items() <= body.items()


@pytest.fixture
def speak() -> Iterator[Any]:
    """Serves one connection: what it is given is sent raw, then the connection is closed."""
    sockets = []

    def start(answer: bytes, *, close: bool = True) -> int:
        listener = socket.create_server(("127.0.0.1", 0))
        sockets.append(listener)

        def serve() -> None:
            connection, _ = listener.accept()
            sockets.append(connection)
            connection.recv(65536)
            connection.sendall(answer)
            if close:
                connection.shutdown(socket.SHUT_RDWR)

        threading.Thread(target=serve, daemon=True).start()
        return int(listener.getsockname()[1])

    yield start
    for item in sockets:
        item.close()


HEAD = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_a_connection_that_ends_early_is_broken(speak: Any) -> None:
    with pytest.raises(Broken):
        stream(speak(HEAD + b"5\r\nda"), "/", b"{}", stall_s=5, request_s=5)
    with pytest.raises(Broken):
        stream(speak(b""), "/", b"{}", stall_s=5, request_s=5)


def test_a_silent_connection_is_a_hang(speak: Any) -> None:
    with pytest.raises(LaunchStop) as stop:
        stream(speak(HEAD, close=False), "/", b"{}", stall_s=0.2, request_s=5)
    assert stop.value.status == "hung_serving"


def test_the_garbage_collector_rests_during_a_request_and_returns(speak: Any) -> None:
    found = stream(speak(HEAD + b"2\r\nhi\r\n0\r\n\r\n"), "/", b"{}", stall_s=5, request_s=5)
    assert b"".join(data for _, data in found.reads) == b"hi"
    assert gc.isenabled()
