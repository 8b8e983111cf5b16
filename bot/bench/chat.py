"""A chat of several turns with one server, its caches at work. Standard library only.

The history holds fixed answers in place of the model's own: what a build answers depends on its numerics, and
an own answer that tokenizes differently makes a server roll back to the last prompt where its twin need not.
So both sides always roll back to the end of the last prompt, as they do for every template that drops the
reasoning of earlier turns; a server that cannot processes the whole chat again.
"""

from typing import TypedDict

from bot.bench.client import Event, Exchange, carries_token, events
from bot.bench.line import Line, Refused
from bot.bench.plan import Json, LaunchStop


class Turn(TypedDict):
    """What the user says, and the answer that the next turn's history holds."""

    user: str
    assistant: str


def chat(line: Line, errand: Json, found: Json) -> None:
    """Fill `found` with `turns` ({total, cached, processed, ttft_ms} each), and `refused` where one was.

    `total`: tokens of the turn's prompt, `processed` of them computed now, `cached` taken over. The errand
    holds `turns` and `n_predict`.
    """
    found["turns"] = []
    messages: list[Json] = []
    for turn in errand["turns"]:
        messages.append({"role": "user", "content": turn["user"]})
        try:
            found["turns"].append(_turn(line, messages, errand["n_predict"]))
        except Refused as refused:
            found["refused"] = str(refused)
            return
        messages.append({"role": "assistant", "content": turn["assistant"]})


def chat_body(messages: list[Json], n_predict: int) -> Json:
    """A streamed, greedy /v1/chat/completions request; every build reports its token counts in the stream."""
    return {
        "messages": messages,
        "max_tokens": n_predict,
        "stream": True,
        "stream_options": {"include_usage": True},
        "temperature": 0,
        "seed": 1,
    }


def read(exchange: Exchange) -> list[Event]:
    """The events of a stream. Raises Refused for an error reported within it."""
    try:
        return events(exchange.reads)
    except LaunchStop as stop:
        raise Refused(stop.detail) from stop


def _turn(line: Line, messages: list[Json], n_predict: int) -> Json:
    body = chat_body(messages, n_predict) | {"ignore_eos": True}
    exchange = line.stream("/v1/chat/completions", body)
    found = read(exchange)
    first = next((event for event in found if carries_token(event.data)), None)
    timings = next((event.data["timings"] for event in reversed(found) if event.data.get("timings")), None)
    if first is None or timings is None:
        raise Refused("an answer without tokens and timings")
    processed = int(timings["prompt_n"])
    total = _total(line, messages, found, timings)
    return {
        "total": total,
        "processed": processed,
        "cached": total - processed,
        "ttft_ms": (first.at - exchange.sent) * 1000,
    }


def _total(line: Line, messages: list[Json], found: list[Event], timings: Json) -> int:
    """Tokens of the whole prompt; builds before b6399 do not say how many of them were cached."""
    if timings.get("cache_n") is not None:
        return int(timings["prompt_n"]) + int(timings["cache_n"])
    usage: Json = next((event.data["usage"] for event in reversed(found) if event.data.get("usage")), {})
    if usage.get("prompt_tokens"):
        return int(usage["prompt_tokens"])
    prompt = line.ask("POST", "/apply-template", {"messages": messages})["prompt"]
    tokens = line.ask("POST", "/tokenize", {"content": prompt, "add_special": True})["tokens"]
    return len(tokens)
