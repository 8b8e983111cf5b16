"""The queue in front of each machine: what GitHub lists of the jobs of runs that are under way or in line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from bot.github.wording import Job
from bot.github.workflow_runs import WorkflowRun
from bot.records import Record

#: As `name` in .github/workflows/bench.yml writes it, after the name of the job that calls it.
_NAME = re.compile(r"(?:.* / )?([A-Za-z0-9._-]+) · ([A-Za-z0-9._-]+) · ([a-z0-9]+)\.\.([a-z0-9]+)", re.ASCII)
#: A commit id is shown by as many of its digits.
_SHOWN = 12


class BenchJob(Record):
    """One job for a machine. `for_s`: seconds since it began; 0 for one that waits."""

    run: int
    machine: str
    profile: str
    base: str
    head: str
    status: Literal["waiting", "running", "over"]
    for_s: float = 0.0


@dataclass(frozen=True)
class Active:
    """A run that is not over, with its jobs for machines; none before its first job has planned them."""

    run: WorkflowRun
    jobs: tuple[BenchJob, ...] = ()


def read_jobs(listed: object, run: WorkflowRun, now: float) -> tuple[BenchJob, ...]:
    """The jobs for machines among those that GitHub lists; `now` in seconds since the epoch."""
    entries = listed.get("jobs") if isinstance(listed, dict) else None
    found = (_read(item, run, now) for item in entries or () if isinstance(item, dict))
    return tuple(job for job in found if job)


def ahead_of(active: Iterable[Active], machine: str) -> tuple[BenchJob, ...]:
    """What a new job of this machine has to wait for."""
    return tuple(
        job for item in active for job in item.jobs if job.machine == machine and job.status != "over"
    )


def shown(active: Iterable[Active]) -> tuple[Job, ...]:
    """What `/bench status` shows: under way first, then in line, oldest first.

    The place of a job counts what runs on its machine, so that place 2 comes next after one that runs.
    """
    ordered = sorted(active, key=lambda item: item.run.id)
    counts = _running(ordered)
    rows = [_placed(row, machine, counts) for item in ordered for machine, row in _rows(item)]
    return tuple(sorted(rows, key=lambda row: row.stage == "queued"))


def _placed(row: Job, machine: str, counts: dict[str, int]) -> Job:
    if row.stage != "queued":
        return row
    counts[machine] = counts.get(machine, 0) + 1
    return row.model_copy(update={"place": counts[machine]})


def _running(active: Iterable[Active]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for job in (job for item in active for job in item.jobs if job.status == "running"):
        counts[job.machine] = counts.get(job.machine, 0) + 1
    return counts


def _rows(item: Active) -> Iterator[tuple[str, Job]]:
    """One for each job that is not over; one for a run that has none (yet, or any more)."""
    run = item.run
    origin = f"/bench @ {run.thread}" if run.thread else "watch"
    for job in (job for job in item.jobs if job.status != "over"):
        line = " · ".join([origin, job.machine, job.profile, f"{job.base[:_SHOWN]}..{job.head[:_SHOWN]}"])
        stage: Literal["queued", "running"] = "queued" if job.status == "waiting" else "running"
        yield job.machine, Job(id=str(run.id), line=line, stage=stage, log=run.url)
    if all(job.status == "over" for job in item.jobs) and (item.jobs or run.thread):
        yield "", Job(id=str(run.id), line=origin, stage="writing" if item.jobs else "accepted", log=run.url)


def _read(item: dict[str, Any], run: WorkflowRun, now: float) -> BenchJob | None:
    name = _NAME.fullmatch(str(item.get("name", "")))
    if not name:
        return None
    machine, profile, base, head = name.groups()
    status = {"completed": "over", "in_progress": "running"}.get(str(item.get("status")), "waiting")
    begun = _seconds(item.get("started_at")) if status == "running" else None
    return BenchJob(
        run=run.id,
        machine=machine,
        profile=profile,
        base=base,
        head=head,
        status=status,
        for_s=max(0.0, now - begun) if begun is not None else 0.0,
    )


def _seconds(text: object) -> float | None:
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except ValueError:
        return None
