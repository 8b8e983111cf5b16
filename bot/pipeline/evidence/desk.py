"""What the gatherers of evidence work with."""

import time
from dataclasses import dataclass
from pathlib import Path

from bot import store
from bot.bench.prompts import TokenizedText
from bot.pipeline.context import Context
from bot.records import Evidence, EvidenceKind, Reason, Run

#: Why a kind that did not fit was not run.
BUDGET = "evidence_budget"


@dataclass(frozen=True)
class Desk:
    """One run's evidence being gathered.

    `tokens`: the scenarios' texts as ids, by scenario name. `deadline`: when the budget ends (monotonic
    seconds). A gatherer starts nothing that it does not expect to end by then.
    """

    context: Context
    run: Run
    tokens: dict[str, TokenizedText]
    deadline: float

    @property
    def left_s(self) -> float:
        """Seconds left of the budget, 0 when it is spent."""
        return max(0.0, self.deadline - time.monotonic())

    @property
    def folder(self) -> Path:
        """Where finished evidence lies, one file each."""
        return self.context.folder.path / "evidence"

    def kept(self, kind: EvidenceKind, label: str = "") -> Evidence | None:
        """What an earlier sitting of this run finished; a gatherer of several yields it again."""
        path = self._path(kind, label)
        return store.load(path, Evidence) if path.is_file() else None

    def keep(self, found: Evidence) -> None:
        """Put one finished piece on disk."""
        store.save(self._path(found.kind, found.label), found)

    def _path(self, kind: str, label: str) -> Path:
        return self.folder / (f"{kind}-{label}.json" if label else f"{kind}.json")


def not_run(kind: EvidenceKind, code: str, *, label: str = "", **args: str | int | float) -> Evidence:
    """A kind that was asked for and not gathered, and why."""
    return Evidence(kind=kind, label=label, outcome="not_run", why=Reason(code=code, args=dict(args)))
