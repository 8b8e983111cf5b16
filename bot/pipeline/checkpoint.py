"""A run's folder is its checkpoint: each step's result is a file, and a step whose file is there is done."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from bot import store
from bot.records import Round, Run

Step = Callable[[Run], Run]


class StepResult(BaseModel):
    """What one step added to the run: the changed fields, and the seconds it took."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float
    fields: dict[str, Any]


@dataclass(frozen=True)
class RunFolder:
    """The files of one run."""

    path: Path

    @property
    def record(self) -> Path:
        """The finished record; its presence means that the run is finished."""
        return self.path / "run.json"

    @property
    def report(self) -> Path:
        """The comment, in all languages."""
        return self.path / "report.md"

    @property
    def is_finished(self) -> bool:
        """Whether the record and the report are there."""
        return self.record.is_file() and self.report.is_file()

    def has(self, name: str) -> bool:
        """Whether that step is done."""
        return self._step(name).is_file()

    def start(self, run: Run) -> Run:
        """The run as it was begun: the one on disk when it is this one.

        An earlier attempt is set aside under its id, not lost. Only who holds the lock may call this.
        """
        intent = self.path / "intent.json"
        if intent.is_file():
            begun = store.load_run(intent)
            if begun.id == run.id:
                return begun
            self.path.rename(self.path.with_name(f"{self.path.name}.{begun.id}"))
        store.save(intent, run)
        return run

    def step(self, name: str, run: Run, do: Step) -> Run:
        """The run after this step, from its file or by doing it now."""
        path = self._step(name)
        if path.is_file():
            result = store.load(path, StepResult)
        else:
            began = time.monotonic()
            after = do(run)
            result = StepResult(seconds=time.monotonic() - began, fields=_changed(run, after))
            store.save(path, result)
        return _merged(run, name, result)

    def rounds(self) -> tuple[Round, ...]:
        """Every round on disk, in the order run."""
        return tuple(store.load(path, Round) for path in sorted((self.path / "rounds").glob("*.json")))

    @property
    def has_rounds(self) -> bool:
        """Whether measuring has begun."""
        return self.has("measure") or any((self.path / "rounds").glob("*.json"))

    def save_round(self, item: Round) -> None:
        """Put one finished round on disk."""
        store.save(self.path / "rounds" / f"{item.index:02}-{item.attempt}.json", item)

    def _step(self, name: str) -> Path:
        return self.path / "steps" / f"{name}.json"


def _changed(before: Run, after: Run) -> dict[str, Any]:
    fields = after.model_dump(mode="json")
    return {name: fields[name] for name in Run.model_fields if getattr(before, name) != getattr(after, name)}


def _merged(run: Run, name: str, result: StepResult) -> Run:
    data = run.model_dump(mode="json") | result.fields
    data["seconds"] = run.seconds | {name: round(result.seconds, 3)}
    return Run.model_validate(data)
