"""The turns of a warm chat: what is sent, and how many tokens each of them processed."""

from collections.abc import Iterator
from typing import Any

import pytest

from bot.bench.chat import chat
from bot.bench.plan import LaunchStop
from tests.support.chat_server import Answer, chat_server, spoken

Json = dict[str, Any]
TURNS = [
    {"user": "Read this.", "assistant": "It is about a weir."},
    {"user": "What does it cost?", "assistant": "Three sums."},
    {"user": "Who decides?", "assistant": ""},
]
ERRAND: Json = {"kind": "chat", "name": "chat", "turns": TURNS, "n_predict": 4}


def timed(prompt_n: int, **timings: Any) -> list[Json]:
    return spoken("some words", timings={"prompt_n": prompt_n, "predicted_n": 4, **timings})


def test_history_holds_the_fixed_answers_and_not_the_models_own() -> None:
    with chat_server(lambda _path, _body: timed(10, cache_n=0)) as server:
        chat(server.line, ERRAND, {})
    last = server.asked[-1][1]["messages"]
    assert [item["content"] for item in last] == [
        "Read this.",
        "It is about a weir.",
        "What does it cost?",
        "Three sums.",
        "Who decides?",
    ]
    assert [item["role"] for item in last] == ["user", "assistant"] * 2 + ["user"]


def test_answers_are_greedy_of_a_fixed_length_and_leave_the_cache_to_the_server() -> None:
    with chat_server(lambda _path, _body: timed(10, cache_n=0)) as server:
        chat(server.line, ERRAND, {})
    path, body = server.asked[0]
    assert path == "/v1/chat/completions"
    assert body | {"max_tokens": 4, "temperature": 0, "ignore_eos": True, "stream": True} == body
    assert "cache_prompt" not in body


def test_tokens_are_counted_from_what_was_processed_and_what_was_cached() -> None:
    answers = iter([timed(500, cache_n=0), timed(40, cache_n=500), timed(555, cache_n=28)])
    found: Json = {}
    with chat_server(lambda _path, _body: next(answers)) as server:
        chat(server.line, ERRAND, found)
    counts = [(item["total"], item["processed"], item["cached"]) for item in found["turns"]]
    assert counts == [(500, 500, 0), (540, 40, 500), (583, 555, 28)]
    assert all(item["ttft_ms"] > 0 for item in found["turns"])


def test_a_build_without_cache_counts_is_read_by_its_usage() -> None:
    answer = spoken("words", timings={"prompt_n": 40}, usage={"prompt_tokens": 540})
    found: Json = {}
    with chat_server(lambda _path, _body: answer) as server:
        chat(server.line, ERRAND, found)
    assert (found["turns"][1]["total"], found["turns"][1]["cached"]) == (540, 500)


def test_a_build_without_either_has_its_prompt_counted() -> None:
    def answer(path: str, body: Json) -> Any:
        if path == "/apply-template":
            return {"prompt": f"{len(body['messages'])} messages"}
        if path == "/tokenize":
            assert body == {"content": "1 messages", "add_special": True}
            return {"tokens": list(range(77))}
        return spoken("words", timings={"prompt_n": 70})

    found: Json = {}
    with chat_server(answer) as server:
        chat(server.line, ERRAND | {"turns": TURNS[:1]}, found)
    assert (found["turns"][0]["total"], found["turns"][0]["cached"]) == (77, 7)


def test_a_refused_turn_ends_the_chat_and_keeps_the_turns_before() -> None:
    answers: Iterator[Answer] = iter(
        [timed(500, cache_n=0), (400, "request exceeds the available context size")]
    )
    found: Json = {}
    with chat_server(lambda _path, _body: next(answers)) as server:
        chat(server.line, ERRAND, found)
    assert len(found["turns"]) == 1
    assert found["refused"] == "HTTP 400: request exceeds the available context size"


def test_an_answer_without_tokens_is_a_refusal() -> None:
    found: Json = {}
    with chat_server(lambda _path, _body: spoken("", timings={"prompt_n": 5})) as server:
        chat(server.line, ERRAND, found)
    assert found == {"turns": [], "refused": "an answer without tokens and timings"}


def test_a_server_that_is_gone_ends_the_launch() -> None:
    with chat_server(lambda _path, _body: timed(10)) as server:
        line = server.line
    with pytest.raises(LaunchStop) as stop:
        chat(line, ERRAND, {})
    assert stop.value.status == "crashed_serving"
