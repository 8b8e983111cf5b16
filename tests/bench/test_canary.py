"""Each functional check passes what clients can use, and names what they cannot."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from bot.bench.canary import CHECKS, canary, greedy
from tests.support.chat_server import Answer, called, chat_server, spoken

Json = dict[str, Any]
TEMPLATE = {"chat_template": "{% if tools %}{{ tools }}{% endif %}"}


def result(
    name: str, answer: Callable[[Json], Answer], *, wording: int = 0, props: Json = TEMPLATE
) -> list[str]:
    """What that check says of a server that answers so."""
    found: Json = {}
    errand = {"checks": [name], "wording": wording, "n_predict": 64, "haystack": "A long text. " * 40}
    with chat_server(lambda path, body: props if path == "/props" else answer(body)) as server:
        canary(server.line, errand, found)
    return list(found["checks"][name])


def city(name: str) -> Json:
    return {"arguments": json.dumps({"city": name})}


def test_two_streamed_calls_pass() -> None:
    assert result("tools", lambda _: called(city("Paris"), city("Oslo"))) == ["pass", "calls:2"]


def test_one_call_where_two_were_asked_for_passes_as_style() -> None:
    assert result("tools", lambda _: called(city("Oslo"))) == ["pass", "calls:1"]


def test_tools_are_offered_required_and_parallel() -> None:
    def answer(body: Json) -> Answer:
        assert body["tool_choice"] == "required"
        assert body["parallel_tool_calls"] is True
        assert body["tools"][0]["function"]["parameters"]["required"] == ["city"]
        return called(city("Lima"), city("Cairo"))

    assert result("tools", answer, wording=1)[0] == "pass"


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        (spoken("It is sunny."), "no_call"),
        (called(city("Paris"), city("Oslo") | {"id": "call-0"}), "call_id"),
        (called(city("Paris") | {"id": ""}), "call_id"),
        (called(city("Paris"), city("Oslo") | {"index": 2}), "call_index"),
        (called({"arguments": '{"city": "Par'}), 'call_arguments:get_weather {"city": "Par'),
        (called(city("Rome")), 'call_arguments:get_weather {"city": "Rome"}'),
        (called(city("Paris") | {"name": "weather"}), 'call_arguments:weather {"city": "Paris"}'),
        (called(city("Paris"), finish="stop"), "finish:stop"),
    ],
)
def test_malformed_calls_fail(answer: Answer, detail: str) -> None:
    assert result("tools", lambda _: answer) == ["fail", detail]


def test_a_template_without_tools_is_unsupported() -> None:
    plain = {"chat_template": "{{ messages }}"}
    assert result("tools", lambda _: spoken("No."), props=plain) == ["unsupported", "no_tools"]


@pytest.mark.parametrize(
    ("text", "finish", "said"),
    [
        ('{"city": "Oslo", "sunny": true}', "stop", ["pass", ""]),
        ('{"city": "Oslo", "sunny": 1}', "stop", ["fail", 'schema:{"city": "Oslo", "sunny": 1}']),
        ('{"city": "Rome", "sunny": true}', "stop", ["fail", 'schema:{"city": "Rome", "sunny": true}']),
        ('{"city": "Oslo"}', "stop", ["fail", 'schema:{"city": "Oslo"}']),
        ("Oslo is sunny.", "stop", ["fail", "schema:Oslo is sunny."]),
        ('["Oslo"]', "stop", ["fail", 'schema:["Oslo"]']),
        ('{"city": "Oslo", "sunny": true}', "length", ["fail", "finish:length"]),
    ],
)
def test_an_answer_is_held_against_its_schema(text: str, finish: str, said: list[str]) -> None:
    def answer(body: Json) -> Answer:
        assert body["response_format"]["json_schema"]["schema"]["required"] == ["city", "sunny"]
        return spoken(text, finish)

    assert result("schema", answer) == said


def thought(body: Json, thinking: list[Json], plain: list[Json]) -> Answer:
    return thinking if body["chat_template_kwargs"]["enable_thinking"] else plain


def thoughtful(text: str) -> list[Json]:
    chunks = [{"choices": [{"delta": {"reasoning_content": "Hm, 11."}, "finish_reason": None}]}]
    return [*chunks, *spoken(text)]


def test_reasoning_in_its_own_field_passes() -> None:
    assert result("reasoning", lambda body: thought(body, thoughtful("11"), spoken("11"))) == ["pass", ""]


def test_a_model_that_does_not_reason_is_unsupported() -> None:
    assert result("reasoning", lambda _: spoken("11")) == ["unsupported", "no_reasoning"]


@pytest.mark.parametrize("leak", ["<think>Hm</think>11", "Hm</think>11"])
def test_reasoning_within_the_answer_fails_with_either_switch(leak: str) -> None:
    failed = ["fail", "reasoning_in_content"]
    assert result("reasoning", lambda body: thought(body, spoken(leak), spoken("11"))) == failed
    assert result("reasoning", lambda body: thought(body, thoughtful("11"), spoken(leak))) == failed


@pytest.mark.parametrize(
    ("text", "finish", "said"),
    [
        ("A sail", "stop", ["pass", ""]),
        ("A sailor and her boat", "length", ["fail", "stop_word_written"]),
        ("A sailor and her", "stop", ["fail", "stop_word_written"]),
        ("Aaaa", "length", ["unsupported", "not_seen"]),
    ],
)
def test_a_stop_word_ends_the_answer_and_is_not_written(text: str, finish: str, said: list[str]) -> None:
    def answer(body: Json) -> Answer:
        assert "er" in body["stop"]
        assert body["ignore_eos"] is True
        return spoken(text, finish)

    assert result("stop", answer) == said


def test_the_needle_lies_in_the_middle_and_is_found() -> None:
    def answer(body: Json) -> Answer:
        text = body["messages"][0]["content"]
        assert 0.3 < text.index("7319") / len(text) < 0.7
        assert "ignore_eos" not in body
        return spoken("It is 7319.")

    assert result("needle", answer) == ["pass", ""]
    assert result("needle", lambda _: spoken("7319"), wording=1) == ["fail", "needle"]
    assert result("needle", lambda _: spoken("")) == ["fail", "empty"]


@pytest.mark.parametrize(
    ("text", "finish", "said"),
    [
        ("Yes", "stop", ["pass", ""]),
        ("", "stop", ["fail", "empty"]),
        ("Yes yes yes", "length", ["fail", "finish:length"]),
    ],
)
def test_an_answer_ends_by_itself_and_not_at_once(text: str, finish: str, said: list[str]) -> None:
    def answer(body: Json) -> Answer:
        assert "ignore_eos" not in body
        return spoken(text, finish)

    assert result("end", answer) == said


def test_a_refused_request_is_unsupported_and_the_next_check_is_made() -> None:
    def answer(path: str, body: Json) -> Answer:
        return (400, "tools param requires --jinja flag") if "tools" in body else spoken("Yes")

    found: Json = {}
    errand = {"checks": ["tools", "end"], "wording": 0, "n_predict": 8, "haystack": ""}
    with chat_server(answer) as server:
        canary(server.line, errand, found)
    assert found["checks"] == {
        "tools": ["unsupported", "HTTP 400: tools param requires --jinja flag"],
        "end": ["pass", ""],
    }


def test_an_error_within_the_stream_is_a_refusal_too() -> None:
    broken: Answer = [{"error": {"code": 500, "message": "Failed to parse input"}}]
    assert result("end", lambda _: broken)[0] == "unsupported"


def test_every_check_asks_in_other_words_the_second_time() -> None:
    asked: list[list[str]] = []
    for wording in (0, 1):
        errand = {"checks": list(CHECKS), "wording": wording, "n_predict": 8, "haystack": "Text. " * 9}
        with chat_server(lambda path, _: TEMPLATE if path == "/props" else spoken("x")) as server:
            canary(server.line, errand, {})
        asked.append([body["messages"][0]["content"] for _, body in server.asked if body])
    assert len(asked[0]) == len(CHECKS) + 1
    assert not set(asked[0]) & set(asked[1])


def test_greedy_tokens_are_asked_for_without_cache_or_chance() -> None:
    found: Json = {}
    errand = {"prompt": [5, 6, 7], "n_predict": 3}
    with chat_server(lambda _path, _body: {"content": "abc", "tokens": [1, 2, 3]}) as server:
        greedy(server.line, errand, found)
    path, body = server.asked[0]
    assert path == "/completion"
    assert (
        body | {"temperature": 0, "cache_prompt": False, "return_tokens": True, "prompt": [5, 6, 7]} == body
    )
    assert found == {"tokens": [1, 2, 3]}


def test_a_refused_greedy_answer_is_left_out() -> None:
    found: Json = {}
    with chat_server(lambda _path, _body: (500, "Failed to parse input at pos 0")) as server:
        greedy(server.line, {"prompt": [1], "n_predict": 3}, found)
    assert found == {"refused": "HTTP 500: Failed to parse input at pos 0"}
