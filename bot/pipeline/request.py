"""What one call of the command line asks for."""

from dataclasses import dataclass, field
from pathlib import Path

from bot.config.sources import Source
from bot.records import Side


@dataclass(frozen=True)
class Request:
    """One run, as asked. None means: the rules choose.

    `runs` is where runs live when no `out` is named. `probe` proves what the headroom buys. `sources` are
    those that go before the settings. `wrapper` is put before a side's server command.
    """

    base: str | None = None
    head: str | None = None
    profile: str | None = None
    preset: str | None = None
    out: Path | None = None
    runs: Path = Path("runs")
    again: bool = False
    probe: bool = False
    wait: bool = True
    asked_by: str = "cli"
    notes: tuple[str, ...] = ()
    sources: dict[Side, Source] = field(default_factory=dict)
    wrapper: dict[Side, tuple[str, ...]] = field(default_factory=dict)
