"""Several streams of one server at the same time, a thread each. Standard library only."""

import threading

from bot.bench.client import Exchange
from bot.bench.line import Line, Refused
from bot.bench.plan import Json, LaunchStop
from bot.bench.samples import completion, sample


def slots(line: Line, errand: Json, found: Json) -> None:
    """One wave of streams after the other; a wave's requests start together.

    `errand`: "waves" (one list of prompts per wave, token ids), "n_predict". `found["waves"]`: per wave
    "seconds" from the first send to the last end, and "samples", one `records.Sample` dict per stream;
    `refused` where the server said no. Raises LaunchStop.
    """
    waves = found.setdefault("waves", [])
    for number, prompts in enumerate(errand["waves"]):
        try:
            waves.append(_wave(line, f"wave-{number}", prompts, errand["n_predict"]))
        except Refused as refused:
            found["refused"] = str(refused)
            return


def _wave(line: Line, name: str, prompts: list[list[int]], n_predict: int) -> Json:
    exchanges = together(line, [completion(prompt, n_predict) for prompt in prompts])
    return {
        "seconds": max(one.ended for one in exchanges) - min(one.sent for one in exchanges),
        "samples": [
            sample(name, place, prompt, n_predict, exchange)
            for place, (prompt, exchange) in enumerate(zip(prompts, exchanges, strict=True))
        ],
    }


def together(line: Line, bodies: list[Json]) -> list[Exchange]:
    """All requests at once, their answers in the order asked. Raises what the first of them to fail raised.

    The threads are daemons: a launch that is interrupted does not wait for them.
    """
    answers: dict[int, Exchange] = {}
    errors: list[Exception] = []
    start = threading.Barrier(len(bodies))

    def ask(place: int, body: Json) -> None:
        try:
            start.wait()
            answers[place] = line.stream("/completion", body)
        except (LaunchStop, Refused, OSError) as error:
            errors.append(error)

    threads = [
        threading.Thread(target=ask, args=(place, body), daemon=True) for place, body in enumerate(bodies)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return [answers[place] for place in range(len(bodies))]
