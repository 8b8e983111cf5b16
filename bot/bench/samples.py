"""From a stamped stream to a sample with its evidence. Standard library only.

`problem` is a protocol code where the request was not the one that was planned; such a sample is never
counted. `disturbed` only says that this client and the server's own clock disagree, which is no reason to
drop a sample: on a machine with few cores the client is what is late.
"""

import json
from typing import Any

from bot.bench.client import Event, Exchange, carries_token, events
from bot.bench.plan import Json, LaunchStop

#: Client and server must agree on the decode time within this (facts/measurement §5.1).
AGREE_RATIO, AGREE_MS = 0.02, 3.0


def completion(prompt: list[int], n_predict: int) -> Json:
    """The native /completion request: token ids, greedy, sampler chain pinned, no cache, no early end."""
    return {
        "prompt": prompt,
        "n_predict": n_predict,
        "stream": True,
        "cache_prompt": False,
        "temperature": 0,
        "top_k": 1,
        "samplers": ["top_k", "temperature"],
        "seed": 1,
        "ignore_eos": True,
        "stop": [],
    }


def completion_body(prompt: list[int], n_predict: int) -> bytes:
    """That request as it is sent."""
    return json.dumps(completion(prompt, n_predict)).encode()


def sample(scenario: str, index: int, prompt: list[int], n_predict: int, exchange: Exchange) -> Json:
    """A `records.Sample` as a dict. Raises LaunchStop (bad_response) for an answer without usable timings."""
    found = events(exchange.reads)
    tokens = [event for event in found if carries_token(event.data)]
    last = next((event.data for event in reversed(found) if "timings" in event.data), None)
    if last is None or not tokens:
        raise LaunchStop("bad_response", "the answer ended without tokens and timings")
    timings = _numbers(last["timings"])
    return {
        "scenario": scenario,
        "index": index,
        "warmup": False,
        **timings,
        "ttft_ms": (tokens[0].at - exchange.sent) * 1000,
        "wall_ms": (exchange.ended - exchange.sent) * 1000,
        "problem": _problem(last, timings, len(prompt), n_predict),
        "disturbed": _disturbed(tokens, timings),
    }


def _numbers(timings: dict[str, Any]) -> Json:
    try:
        numbers: Json = {name: int(timings[name]) for name in ("prompt_n", "predicted_n")}
        numbers |= {name: float(timings[name]) for name in ("prompt_ms", "predicted_ms")}
        cached = timings.get("cache_n")
        numbers["cache_n"] = None if cached is None else int(cached)
        if timings.get("draft_n"):
            numbers["draft_n"] = int(timings["draft_n"])
            numbers["draft_n_accepted"] = int(timings.get("draft_n_accepted") or 0)
    except (KeyError, TypeError, ValueError) as error:
        raise LaunchStop("bad_response", f"timings: {error}") from error
    if not (numbers["prompt_ms"] > 0 and numbers["predicted_ms"] > 0):
        raise LaunchStop("bad_response", f"timings of no time: {timings}"[:400])
    return numbers


def _problem(last: dict[str, Any], timings: Json, prompt_n: int, n_predict: int) -> str | None:
    lengths = (timings["prompt_n"], last.get("tokens_evaluated", prompt_n))
    checks = (
        ("cached", bool(timings["cache_n"])),
        ("prompt_length", any(length != prompt_n for length in lengths)),
        ("truncated", bool(last.get("truncated"))),
        ("predicted_length", timings["predicted_n"] != n_predict),
        ("stop_reason", last.get("stop_type", "limit") != "limit"),
    )
    return next((code for code, failed in checks if failed), None)


def _disturbed(tokens: list[Event], timings: Json) -> bool:
    """Whether the client's span from first to last token differs from the server's decode time."""
    first, last = tokens[0], tokens[-1]
    steps = last.data.get("tokens_predicted", 0) - first.data.get("tokens_predicted", 0)
    if steps < 1 or timings["predicted_n"] < 2:
        return False
    server = timings["predicted_ms"] * steps / (timings["predicted_n"] - 1)
    return bool(abs((last.at - first.at) * 1000 - server) > max(AGREE_MS, AGREE_RATIO * server))


def rate(sample: Json, kind: str) -> float:
    """Tokens per second of a sample, `decode` or `prefill`, by the formulas of `records.Sample`."""
    if kind == "decode" and sample["predicted_n"] > 1:
        return float((sample["predicted_n"] - 1) * 1000 / sample["predicted_ms"])
    return float(sample["prompt_n"] * 1000 / sample["prompt_ms"])
