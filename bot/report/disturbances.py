"""What the guards found, counted over the launches: what was measured again, and what is only said."""

from collections import Counter
from collections.abc import Iterator

from bot.records import Launch, Reason, Run


def disturbances(run: Run) -> Iterator[Reason]:
    """One reason per kind, those that cost a rerun first; the warm-up pair is left out, it never counts."""
    launches = [launch for item in run.rounds for launch in item.launches]
    invalid = Counter(launch.invalid.partition(":")[0] for launch in launches if launch.invalid)
    for code, count in invalid.most_common():
        yield Reason(code="launches_invalid", args=_args(code, count, launches))
    if any(gpu.unified for launch in launches for gpu in launch.gpus):
        yield Reason(code="unified_memory")
    said = Counter(guard.code for launch in launches if launch.is_valid for guard in launch.guards)
    for code, count in said.most_common():
        yield Reason(code="launches_disturbed", args=_args(code, count, launches))


def _args(code: str, count: int, launches: list[Launch]) -> dict[str, str | int]:
    return {"status": code, "launches": count, "of": len(launches)}
