"""The workflows of a repository, as files: who can start what where."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

#: Events by which somebody without a right to this repository can have a workflow run here.
OPEN_TO_ALL = frozenset({"pull_request", "pull_request_target", "pull_request_review", "workflow_run"})
#: The workflow whose jobs go to the machines with the GPU.
BENCH = "bench.yml"
#: Runners of GitHub's own; every other label may be a machine of ours.
_HOSTED = ("ubuntu-", "windows-", "macos-")
#: Actions that keep files from one job to the next; the set-up ones do where `cache` is asked for.
_CACHES, _SETS_UP = ("actions/cache", "actions/cache/"), "actions/setup-"


def read_workflows(folder: Path) -> dict[str, Any]:
    """The workflows by file name; None for one that is no YAML."""
    found: dict[str, Any] = {}
    for path in sorted([*folder.glob("*.yml"), *folder.glob("*.yaml")]):
        try:
            found[path.name] = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, yaml.YAMLError):
            found[path.name] = None
    return found


def open_to_all(workflows: Mapping[str, Any]) -> list[str]:
    """Those that a stranger can start and that reach a machine of ours, in a job or by a call."""
    return [
        name
        for name, data in workflows.items()
        if _events(data) & OPEN_TO_ALL and any(map(_reaches_ours, _jobs(data)))
    ]


def on_our_machines(workflows: Mapping[str, Any]) -> list[str]:
    """Those with a job of their own on a machine of ours, besides the one that is meant to."""
    return [name for name, data in workflows.items() if name != BENCH and any(map(_is_on_ours, _jobs(data)))]


def caching(workflows: Mapping[str, Any]) -> list[str]:
    """Those with a job on a machine of ours that takes files from the repository's cache."""
    return [
        name
        for name, data in workflows.items()
        if any(_is_on_ours(job) and any(map(_caches, _steps(job))) for job in _jobs(data))
    ]


def _events(workflow: Any) -> set[str]:  # noqa: ANN401 - any YAML
    """`on` is a name, a list or a mapping; YAML 1.1 reads the key as true."""
    if not isinstance(workflow, dict):
        return set()
    events = workflow.get("on", workflow.get(True))
    return {events} if isinstance(events, str) else set(events or ())


def _jobs(workflow: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 - any YAML
    jobs = workflow.get("jobs") if isinstance(workflow, dict) else None
    yield from (job for job in (jobs.values() if isinstance(jobs, dict) else ()) if isinstance(job, dict))


def _steps(job: dict[str, Any]) -> list[dict[str, Any]]:
    steps = job.get("steps")
    return [step for step in steps if isinstance(step, dict)] if isinstance(steps, list) else []


def _reaches_ours(job: dict[str, Any]) -> bool:
    return BENCH in str(job.get("uses", "")) or _is_on_ours(job)


def _is_on_ours(job: dict[str, Any]) -> bool:
    if "uses" in job:
        return False
    label = job.get("runs-on", "ubuntu-")
    return not (isinstance(label, str) and label.startswith(_HOSTED))


def _caches(step: dict[str, Any]) -> bool:
    action = str(step.get("uses", "")).partition("@")[0]
    asked = step.get("with")
    is_set_up = action.startswith(_SETS_UP) and isinstance(asked, dict) and bool(asked.get("cache"))
    return action in _CACHES or action.startswith(_CACHES[1]) or is_set_up
