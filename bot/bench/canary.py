"""Six chat requests that ask whether a server still does what clients rely on. Standard library only.

Judged is the function (structure, fields, stop words, an end), never the style. Each check has two wordings,
so that one greedy answer that a build's numerics turned is not taken for a broken function.
"""

import json
from collections.abc import Callable
from typing import NamedTuple

from bot.bench.chat import chat_body, read
from bot.bench.line import Line, Refused
from bot.bench.plan import Json
from bot.bench.reply import Reply, put_together

#: What a finished check says: a `records.CheckResult`, and a code or a server's own words.
Result = tuple[str, str]

_TAGS = ("<think", "</think", "<|channel|>", "<seed:think", "[THINK]")
_NOT_SEEN = "not_seen"
#: Answers in tokens: as long as is asked for (a model may think first), and where a grammar or a stop word
#: ends them soon.
_LONG, _CALLS, _SHORT = 1 << 20, 192, 64


class Asking(NamedTuple):
    """One check being made: the server, the wording (0 or 1), the longest answer, the long text."""

    line: Line
    wording: int
    n_predict: int
    haystack: str

    @property
    def template(self) -> str:
        """The model's chat template; empty where the server does not say."""
        return str(self.line.ask("GET", "/props").get("chat_template") or "")

    def chat(self, text: str, *, thinking: bool = False, most: int = _LONG, **more: object) -> Reply:
        """One request, of `most` tokens at most. Raises Refused where the server does not take it."""
        body = chat_body([{"role": "user", "content": text}], min(most, self.n_predict))
        body |= {"chat_template_kwargs": {"enable_thinking": thinking}, **more}
        return put_together([event.data for event in read(self.line.stream("/v1/chat/completions", body))])


def canary(line: Line, errand: Json, found: Json) -> None:
    """Fill `found["checks"]`: name -> [result, detail], one after the other.

    The errand holds the `checks` asked for, the `wording`, `n_predict`, and the `haystack`.
    """
    checks = found["checks"] = {}
    for name in errand["checks"]:
        asking = Asking(line, errand["wording"], errand["n_predict"], errand["haystack"])
        try:
            checks[name] = list(CHECKS[name](asking))
        except Refused as refused:
            checks[name] = ["unsupported", str(refused)]


def greedy(line: Line, errand: Json, found: Json) -> None:
    """Fill `found["tokens"]` with the ids of a plain greedy completion of the errand's `prompt` (ids)."""
    body = {
        "prompt": errand["prompt"],
        "n_predict": errand["n_predict"],
        "temperature": 0,
        "top_k": 1,
        "samplers": ["top_k", "temperature"],
        "seed": 1,
        "ignore_eos": True,
        "cache_prompt": False,
        "return_tokens": True,
    }
    try:
        found["tokens"] = [int(item) for item in line.ask("POST", "/completion", body).get("tokens", [])]
    except Refused as refused:
        found["refused"] = str(refused)


def _tools(ask: Asking) -> Result:
    cities = (("Paris", "Oslo"), ("Lima", "Cairo"))[ask.wording]
    parameters = {
        "type": "object",
        "properties": {"city": {"type": "string", "enum": list(cities)}},
        "required": ["city"],
    }
    function = {"name": "get_weather", "description": "The weather in a city", "parameters": parameters}
    reply = ask.chat(
        f"What is the weather in {cities[0]} and in {cities[1]}? Call the tool once for each city.",
        tools=[{"type": "function", "function": function}],
        most=_CALLS,
        tool_choice="required",
        parallel_tool_calls=True,
    )
    if not reply.calls:
        return ("fail", "no_call") if "tool" in ask.template else ("unsupported", "no_tools")
    if sorted(reply.calls) != list(range(len(reply.calls))):
        return "fail", "call_index"
    ids = [call["id"] for call in reply.calls.values()]
    if len({item for item in ids if item}) < len(ids):
        return "fail", "call_id"
    for call in reply.calls.values():
        arguments = _json(call["arguments"])
        if call["name"] != "get_weather" or arguments.get("city") not in cities:
            return "fail", f"call_arguments:{call['name']} {call['arguments'][:80]}"
    return _finished(reply, "tool_calls", f"calls:{len(reply.calls)}")


def _schema(ask: Asking) -> Result:
    cities = (["Paris", "Oslo"], ["Lima", "Cairo"])[ask.wording]
    schema = {
        "type": "object",
        "properties": {"city": {"enum": cities}, "sunny": {"type": "boolean"}},
        "required": ["city", "sunny"],
        "additionalProperties": False,
    }
    form = {"type": "json_schema", "json_schema": {"name": "weather", "schema": schema, "strict": True}}
    reply = ask.chat(f"Is it sunny in {cities[1]}? Answer in JSON.", most=_SHORT, response_format=form)
    answer = _json(reply.content)
    if (
        set(answer) != {"city", "sunny"}
        or answer["city"] not in cities
        or not isinstance(answer["sunny"], bool)
    ):
        return "fail", f"schema:{reply.content[:80]}"
    return _finished(reply, "stop")


def _reasoning(ask: Asking) -> Result:
    """Thoughts stand in a field of their own when they are asked for, and nowhere when they are not."""
    text = ("Which is larger, 9 or 11? Answer briefly.", "Is 7 an odd number? Answer briefly.")[ask.wording]
    without, with_ = ask.chat(text), ask.chat(text, thinking=True)
    for reply in (without, with_):
        if any(tag in reply.content for tag in _TAGS):
            return "fail", "reasoning_in_content"
    if not with_.reasoning:
        return "unsupported", "no_reasoning"
    return "pass", ""


def _stop(ask: Asking) -> Result:
    text = ("Tell a story about a sailor and her boat.", "Describe a garden in the morning.")[ask.wording]
    words = ["er", "on", "in", "1"]
    reply = ask.chat(text, most=_SHORT, stop=words, ignore_eos=True)
    written = reply.content + reply.reasoning
    if any(word in written for word in words):
        return "fail", "stop_word_written"
    if reply.finish != "stop":
        return "unsupported", _NOT_SEEN
    return "pass", ""


def _needle(ask: Asking) -> Result:
    name, number = (("green", "7319"), ("yellow", "2864"))[ask.wording]
    middle = len(ask.haystack) // 2
    start = ask.haystack.find(" ", middle)
    cut = middle if start < 0 else start
    text = f"{ask.haystack[:cut]} The number of the {name} locker is {number}. {ask.haystack[cut:]}"
    reply = ask.chat(f"{text}\n\nWhat is the number of the {name} locker? Answer with the number alone.")
    if not (reply.content or reply.reasoning):
        return "fail", "empty"
    return ("pass", "") if number in reply.content + reply.reasoning else ("fail", "needle")


def _end(ask: Asking) -> Result:
    """Nothing forbids the end here: it comes, and not at once."""
    word = ("yes", "no")[ask.wording]
    reply = ask.chat(f"Say the word {word} and nothing else.")
    if not (reply.content or reply.reasoning):
        return "fail", "empty"
    return _finished(reply, "stop")


CHECKS: dict[str, Callable[[Asking], Result]] = {
    "tools": _tools,
    "schema": _schema,
    "reasoning": _reasoning,
    "stop": _stop,
    "needle": _needle,
    "end": _end,
}


def _finished(reply: Reply, wanted: str, detail: str = "") -> Result:
    return ("pass", detail) if reply.finish == wanted else ("fail", f"finish:{reply.finish or 'none'}")


def _json(text: str) -> Json:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
