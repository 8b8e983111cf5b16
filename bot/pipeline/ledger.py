"""The ledger of what reports credited: one JSON file under the cache, for all runs of one repository."""

import hashlib
from pathlib import Path

from bot import store
from bot.changelog import credits, merged, undone
from bot.config import Settings
from bot.errors import BotError
from bot.records import Credit, Record, Run, Undone


class Ledger(Record):
    """The file: credits, newest first."""

    entries: tuple[Credit, ...] = ()


def place(settings: Settings) -> Path:
    """Where the ledger of this upstream lies."""
    name = hashlib.sha256(settings.upstream.url.encode()).hexdigest()[:12]
    return settings.cache / "ledgers" / f"{name}.json"


def read_ledger(path: Path) -> tuple[Credit, ...]:
    """The credits so far; none where there is no file, or one that cannot be read: it is a convenience."""
    try:
        return store.load(path, Ledger).entries if path.is_file() else ()
    except BotError:
        return ()


def reverted_since(path: Path, run: Run) -> tuple[Undone, ...]:
    """What earlier reports credited and this run's commits revert."""
    commits = run.changes.commits if run.changes else ()
    return undone(read_ledger(path), commits, run.pair.head.name)


def remember(path: Path, run: Run) -> None:
    """Write this run's credits down: its highlights, and the suspects of the metrics that moved."""
    if run.highlights is None or run.pair.is_self_test:
        return
    new = credits(run.highlights, run.pair.head.name, moved(run))
    store.save(path, Ledger(entries=merged(read_ledger(path), new)))


def moved(run: Run) -> frozenset[str]:
    """The metrics whose change is beyond doubt: decided comparisons, and memory beyond its tolerance."""
    kinds = {item.kind for item in run.comparisons if item.outcome in {"regression", "improvement"}}
    if run.memory is not None and run.memory.outcome != "same":
        return frozenset(kinds | {"vram"})
    return frozenset(kinds)
