"""Runs of the workflow `command`, as GitHub lists them: what is under way, what failed, for which thread.

They are known by the title that `run-name` gives them, which holds numbers only.
"""

import re
from dataclasses import dataclass
from typing import Any

from bot.github.client import Client, told
from bot.github.wording import Job
from bot.records import Record

WORKFLOW = "command.yml"
#: As `run-name` in .github/workflows/command.yml writes it.
TITLE = re.compile(r"bench ([1-9][0-9]{0,9}) · ([1-9][0-9]{0,18})", re.ASCII)
#: The latest runs that are looked at: one request. Comments without a command make none but skipped runs.
LOOKED_AT = 100
_FAILED = frozenset({"failure", "cancelled", "timed_out", "startup_failure"})


class WorkflowRun(Record):
    """One run. `thread`: the number of its issue or discussion; `is_running` includes waiting."""

    id: int
    thread: int
    comment: int
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
        """Newest first: one request."""
        path = f"/repos/{self.repository}/actions/workflows/{WORKFLOW}/runs?per_page={LOOKED_AT}"
        answer = told(self.repository, lambda: self.client.get(path))
        listed = answer.data.get("workflow_runs", []) if isinstance(answer.data, dict) else []
        found = (_read(item) for item in listed)
        return tuple(run for run in found if run and run.id != self.own)

    def cancel(self, run: WorkflowRun) -> None:
        """End it; its last job still runs, and tells who asked."""
        self._send(run, "cancel")

    def retry(self, run: WorkflowRun) -> None:
        """Start what failed of it again, and what comes after that."""
        self._send(run, "rerun-failed-jobs")

    def _send(self, run: WorkflowRun, verb: str) -> None:
        url = f"{self.client.http.base}/repos/{self.repository}/actions/runs/{run.id}/{verb}"
        told(self.repository, lambda: self.client.writing(lambda: self.client.http.post(url, {})))


def jobs(runs: tuple[WorkflowRun, ...]) -> tuple[Job, ...]:
    """What `/bench status` shows: under way first, then in line, oldest first."""
    active = sorted((run for run in runs if run.is_running), key=lambda run: run.id)
    waiting = [run for run in active if run.status != "in_progress"]
    return tuple(
        Job(
            id=str(run.id),
            line=f"/bench @ {run.thread}",
            stage="queued" if run in waiting else "measuring",
            place=waiting.index(run) + 1 if run in waiting else None,
            log=run.url,
        )
        for run in sorted(active, key=lambda run: (run in waiting, run.id))
    )


def _read(item: dict[str, Any]) -> WorkflowRun | None:
    title = TITLE.fullmatch(str(item.get("display_title", "")))
    if not title:
        return None
    return WorkflowRun(
        id=int(item["id"]),
        thread=int(title[1]),
        comment=int(title[2]),
        status=str(item.get("status") or ""),
        conclusion=item.get("conclusion"),
        url=str(item.get("html_url", "")),
    )
