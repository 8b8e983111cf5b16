"""Parallel streams and many short requests, against an endpoint in this process."""

import os
import threading
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.bench.parallel import slots, together
from bot.bench.plan import LaunchStop
from bot.bench.repeated import leak
from bot.bench.samples import completion
from tests.support.chat_server import Answer, chat_server

Json = dict[str, Any]


def answered(body: Json, **timings: Any) -> list[Json]:
    """As the native endpoint streams: a token, then the end with its timings."""
    told = {"prompt_n": len(body["prompt"]), "prompt_ms": 4.0, "predicted_ms": 10.0, "cache_n": 0}
    told |= {"predicted_n": body["n_predict"], **timings}
    return [{"content": "w", "tokens": [7]}, {"content": "", "stop": True, "timings": told}]


def test_the_requests_of_a_wave_are_under_way_at_the_same_time() -> None:
    gate = threading.Barrier(3)

    def answer(_: str, body: Json) -> Answer:
        gate.wait(5)  # breaks unless three requests are here together
        return answered(body)

    found: Json = {}
    errand = {"waves": [[[1, place] for place in range(3)]] * 2, "n_predict": 4}
    with chat_server(answer) as server:
        slots(server.line, errand, found)
    assert [len(wave["samples"]) for wave in found["waves"]] == [3, 3]
    assert all(wave["seconds"] > 0 for wave in found["waves"])
    assert {len(body["prompt"]) for _, body in server.asked} == {2}


def test_answers_come_back_in_the_order_asked() -> None:
    later = threading.Event()

    def answer(_: str, body: Json) -> Answer:
        if body["prompt"] == [1]:
            later.wait(5)
        else:
            later.set()
        return answered(body, prompt_ms=float(body["prompt"][0]))

    with chat_server(answer) as server:
        exchanges = together(server.line, [completion([1], 4), completion([2], 4)])
    assert [b'"prompt_ms": 1.0' in exchange.reads[-1][1] for exchange in exchanges] == [True, False]
    assert exchanges[1].ended <= exchanges[0].ended


def test_a_server_that_refuses_one_stream_ends_the_waves_with_what_it_said() -> None:
    def answer(_: str, body: Json) -> Answer:
        return (503, "no slot available") if body["prompt"] == [9] else answered(body)

    found: Json = {}
    with chat_server(answer) as server:
        slots(server.line, {"waves": [[[1], [2]], [[1], [9]]], "n_predict": 4}, found)
    assert "no slot available" in found["refused"]
    assert len(found["waves"]) == 1


def test_a_server_that_dies_under_many_streams_ends_the_launch() -> None:
    with chat_server(lambda _path, body: answered(body)) as server:
        line = server.line
    with pytest.raises(LaunchStop) as stop:
        slots(line, {"waves": [[[1], [2]]], "n_predict": 4}, {})
    assert stop.value.status == "crashed_serving"


def asked(prompts: int, seconds: float = 60.0, answer: Any = None) -> tuple[Json, int]:
    """What the errand found, and how many requests came."""
    errand = {"prompts": [[1, place] for place in range(prompts)], "n_predict": 4, "seconds": seconds}
    found: Json = {}
    with chat_server(answer or (lambda _path, body: answered(body))) as server:
        server.line.server.started = 0.0
        server.line.server.process = cast("Any", SimpleNamespace(pid=os.getpid()))
        leak(server.line, errand, found)
    return found, len(server.asked)


def test_memory_is_read_after_every_request() -> None:
    found, count = asked(12)
    assert count == 12
    assert len(found["after"]) == 12
    moments = [moment for moment, _ in found["after"]]
    assert moments == sorted(moments)
    assert all(mib > 1 for _, mib in found["after"])


def test_time_that_is_up_ends_the_requests() -> None:
    found, count = asked(12, seconds=-1.0)
    assert (found["after"], count) == ([], 0)


def test_an_error_within_a_stream_is_no_answer() -> None:
    found, _ = asked(3, answer=lambda _path, _body: [{"error": {"message": "slot failed"}}])
    assert "slot failed" in found["refused"]
    assert found["after"] == []
