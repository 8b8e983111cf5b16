"""Many short requests to one server, and what it holds after each. Standard library only."""

import time

from bot.bench.chat import read
from bot.bench.line import Line, Refused
from bot.bench.plan import Json
from bot.bench.samples import completion
from bot.gpu.host import rss


def leak(line: Line, errand: Json, found: Json) -> None:
    """Ask until all is asked or `errand["seconds"]` have passed.

    `errand`: "prompts" (token ids), "n_predict", "seconds". `found["after"]`: per request the seconds since
    the server's start and its resident MiB; `refused` where it said no. Raises LaunchStop.
    """
    after = found.setdefault("after", [])
    end = time.monotonic() + errand["seconds"]
    for prompt in errand["prompts"]:
        if time.monotonic() > end:
            return
        try:
            read(line.stream("/completion", completion(prompt, errand["n_predict"])))
        except Refused as refused:
            found["refused"] = str(refused)
            return
        after.append([time.monotonic() - line.server.started, rss(line.server.process.pid)])
