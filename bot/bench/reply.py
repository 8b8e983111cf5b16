"""One streamed chat answer put together from its chunks. Standard library only."""

from bot.bench.plan import Json


class Reply:
    """One streamed chat answer, put together; `calls` are the tool calls by their index."""

    def __init__(self) -> None:
        self.content = ""
        self.reasoning = ""
        self.finish = ""
        self.calls: dict[int, Json] = {}


def put_together(chunks: list[Json]) -> Reply:
    """The answer from the data of its stream's events."""
    reply = Reply()
    for choice in (choice for chunk in chunks for choice in chunk.get("choices") or []):
        delta = choice.get("delta") or {}
        reply.content += delta.get("content") or ""
        reply.reasoning += delta.get("reasoning_content") or delta.get("reasoning") or ""
        reply.finish = choice.get("finish_reason") or reply.finish
        for call in delta.get("tool_calls") or []:
            _add_call(reply.calls, call)
    return reply


def _add_call(calls: dict[int, Json], part: Json) -> None:
    """A call comes in pieces: its id and name once, its arguments bit by bit."""
    call = calls.setdefault(int(part.get("index", -1)), {"id": "", "name": "", "arguments": ""})
    function = part.get("function") or {}
    call["id"] += part.get("id") or ""
    call["name"] += function.get("name") or ""
    call["arguments"] += function.get("arguments") or ""
