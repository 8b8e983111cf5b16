"""Joules per token, from the GPU's own energy counter over the launches that were made anyway."""

from collections.abc import Iterator

from bot.pipeline.evidence.desk import Desk
from bot.records import Evidence, Launch, Reason, Run
from bot.stats.pairs import summed


def gather(desk: Desk) -> Iterator[Evidence]:
    """No launch of its own."""
    yield of(desk.run)


def of(run: Run) -> Evidence:
    """Energy between the first request and the last, over all tokens of these requests, read and written.

    Launches that left out settled scenarios read and write in another proportion: they do not count.
    """
    launches = [launch for item in run.valid_rounds for launch in item.launches]
    whole = _whole(launches)
    base, head = (
        [j for item in whole if item.side == side and (j := joules(item))] for side in ("base", "head")
    )
    measure = summed("energy", "joules_per_token", base, head) if base and head else None
    if measure is None:
        return Evidence(kind="energy", outcome="not_run", why=Reason(code="energy_no_counter"))
    return Evidence(kind="energy", measures=(measure,))


def joules(launch: Launch) -> float | None:
    """Per token, all its GPUs together; None where one has no counter."""
    counters = [gpu.energy_j for gpu in launch.gpus if gpu.energy_j is not None]
    tokens = sum(item.prompt_n + item.predicted_n for item in launch.samples)
    if not counters or len(counters) < len(launch.gpus) or not tokens:
        return None
    return sum(counters) / tokens


def _whole(launches: list[Launch]) -> list[Launch]:
    most = max((len(_scenarios(item)) for item in launches), default=0)
    return [item for item in launches if len(_scenarios(item)) == most]


def _scenarios(launch: Launch) -> set[str]:
    return {item.scenario for item in launch.samples}
