"""How long the model takes to load, from the launches that were made anyway."""

from collections.abc import Iterator

from bot.pipeline.evidence.desk import Desk
from bot.records import Evidence, Launch, Measure, Reason, Run
from bot.stats.pairs import summed


def gather(desk: Desk) -> Iterator[Evidence]:
    """No launch of its own: the warm-up pair has filled the page cache, so only the rounds' count."""
    yield of(desk.run)


def of(run: Run) -> Evidence:
    """From the start of the server to its first healthy answer, the model in the page cache."""
    found = _measured(run)
    if found is None:
        return Evidence(kind="load", outcome="not_run", why=Reason(code="load_unknown"))
    return Evidence(kind="load", measures=(found,))


def _measured(run: Run) -> Measure | None:
    launches = [launch for item in run.valid_rounds for launch in item.launches]
    base, head = (_seconds(launches, side) for side in ("base", "head"))
    return summed("load_time", "seconds", base, head) if base and head else None


def _seconds(launches: list[Launch], side: str) -> list[float]:
    return [item.seconds["load"] for item in launches if item.side == side and "load" in item.seconds]
