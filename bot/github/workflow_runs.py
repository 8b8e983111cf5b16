"""Runs of the workflows `command` and `watch`, as GitHub lists them: what is under way, what failed.

Those of `command` are known by the title that `run-name` gives them, which holds numbers only.
"""

import re
from dataclasses import dataclass
from typing import Any

from bot.github.client import Client, told
from bot.records import Record

WORKFLOW, WATCH = "command.yml", "watch.yml"
#: As `run-name` in .github/workflows/command.yml writes it.
TITLE = re.compile(r"bench ([1-9][0-9]{0,9}) · ([1-9][0-9]{0,18})", re.ASCII)
#: The latest runs that are looked at: one request. Comments without a command make none but skipped runs.
LOOKED_AT = 100
#: Runs of `watch` that are looked at; one waits at most, the others come one after another.
LOOKED_AT_WATCH = 10
_FAILED = frozenset({"failure", "cancelled", "timed_out", "startup_failure"})


class WorkflowRun(Record):
    """One run. `thread`: the number of its issue or discussion, 0 for one that nobody asked for.

    `is_running` includes waiting.
    """

    id: int
    thread: int = 0
    comment: int = 0
    status: str
    conclusion: str | None
    url: str

    @property
    def is_running(self) -> bool:
        """Under way, or in line."""
        return self.status != "completed"

    @property
    def has_failed(self) -> bool:
        """Ended, and worth another try."""
        return not self.is_running and self.conclusion in _FAILED


@dataclass(frozen=True)
class WorkflowRuns:
    """The runs of one repository; `own` is the run that asks, and is left out. Raises BotError (exit 5)."""

    client: Client
    repository: str
    own: int

    def latest(self) -> tuple[WorkflowRun, ...]:
        """Those that somebody asked for, newest first: one request."""
        found = (_read(item) for item in self._listed(WORKFLOW, LOOKED_AT))
        return tuple(run for run in found if run and run.id != self.own)

    def automatic(self) -> tuple[WorkflowRun, ...]:
        """Those that nobody asked for and that are not over, newest first: one request."""
        found = (_plain(item) for item in self._listed(WATCH, LOOKED_AT_WATCH))
        return tuple(run for run in found if run.is_running and run.id != self.own)

    def jobs(self, run: WorkflowRun) -> object:
        """What GitHub lists of a run's jobs: one request."""
        path = f"/repos/{self.repository}/actions/runs/{run.id}/jobs?per_page={LOOKED_AT}"
        return told(self.repository, lambda: self.client.get(path)).data

    def cancel(self, run: WorkflowRun) -> None:
        """End it; its last job still runs, and tells who asked."""
        self._send(run, "cancel")

    def retry(self, run: WorkflowRun) -> None:
        """Start what failed of it again, and what comes after that."""
        self._send(run, "rerun-failed-jobs")

    def _listed(self, workflow: str, most: int) -> list[dict[str, Any]]:
        path = f"/repos/{self.repository}/actions/workflows/{workflow}/runs?per_page={most}"
        answer = told(self.repository, lambda: self.client.get(path))
        listed = answer.data.get("workflow_runs") if isinstance(answer.data, dict) else None
        return [item for item in listed or () if isinstance(item, dict)]

    def _send(self, run: WorkflowRun, verb: str) -> None:
        url = f"{self.client.http.base}/repos/{self.repository}/actions/runs/{run.id}/{verb}"
        told(self.repository, lambda: self.client.writing(lambda: self.client.http.post(url, {})))


def _read(item: dict[str, Any]) -> WorkflowRun | None:
    title = TITLE.fullmatch(str(item.get("display_title", "")))
    if not title:
        return None
    return _plain(item).model_copy(update={"thread": int(title[1]), "comment": int(title[2])})


def _plain(item: dict[str, Any]) -> WorkflowRun:
    return WorkflowRun(
        id=int(item["id"]),
        status=str(item.get("status") or ""),
        conclusion=item.get("conclusion"),
        url=str(item.get("html_url", "")),
    )
