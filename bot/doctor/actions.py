"""What a careful owner checks before a machine with a GPU waits for jobs from a repository."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from bot.config import Settings
from bot.doctor.finding import Finding, missing, ok, warning
from bot.errors import BotError
from bot.github.auth import credentials
from bot.github.client import Client, told
from bot.github.targets import UPSTREAM_OWNERS

WORKFLOWS = Path(".github/workflows")
NEEDED = ("bench.yml", "watch.yml", "command.yml")
#: Events by which somebody without a right to this repository can have a workflow run here.
_OPEN_TO_ALL = frozenset({"pull_request", "pull_request_target", "pull_request_review", "workflow_run"})
#: Runners of GitHub's own; every other label may be a machine of ours.
_HOSTED = ("ubuntu-", "windows-", "macos-")


@dataclass(frozen=True)
class Repository:
    """What was found: workflows by file name, and whether it is private (None: nobody said)."""

    workflows: Mapping[str, Any]
    private: bool | None


def examine_actions(settings: Settings, repository: str | None, folder: Path = WORKFLOWS) -> list[Finding]:
    """Every finding about the workflows in `folder` and the repository `owner/name` on GitHub."""
    found = Repository(read_workflows(folder), _privacy(settings, repository) if repository else None)
    return list(judge(settings, found))


def judge(settings: Settings, repository: Repository) -> Iterator[Finding]:
    """Workflows, who can reach the GPU, labels, targets, privacy."""
    yield _complete(repository.workflows)
    yield _reach(repository.workflows)
    yield _labels(settings)
    yield _targets(settings)
    yield _private(repository.private)


def read_workflows(folder: Path) -> dict[str, Any]:
    """The workflows by file name; None for one that is no YAML."""
    found: dict[str, Any] = {}
    for path in sorted([*folder.glob("*.yml"), *folder.glob("*.yaml")]):
        try:
            found[path.name] = yaml.safe_load(path.read_text(encoding="utf-8"))
        except (OSError, ValueError, yaml.YAMLError):
            found[path.name] = None
    return found


def _complete(workflows: Mapping[str, Any]) -> Finding:
    lacking = [name for name in NEEDED if not isinstance(workflows.get(name), dict)]
    if lacking:
        return missing("workflows", "missing", names=", ".join(lacking))
    return ok("workflows", names=", ".join(NEEDED))


def _reach(workflows: Mapping[str, Any]) -> Finding:
    """No workflow that a stranger can start may reach a machine of ours, in a job or by a call."""
    open_ones = [name for name, data in workflows.items() if _events(data) & _OPEN_TO_ALL and _is_ours(data)]
    if open_ones:
        return missing("reach", "open", names=", ".join(open_ones))
    return ok("reach")


def _events(workflow: Any) -> set[str]:  # noqa: ANN401 - any YAML
    """`on` is a name, a list or a mapping; YAML 1.1 reads the key as true."""
    if not isinstance(workflow, dict):
        return set()
    events = workflow.get("on", workflow.get(True))
    return {events} if isinstance(events, str) else set(events or ())


def _is_ours(workflow: dict[str, Any]) -> bool:
    jobs = workflow.get("jobs")
    return any(_job_is_ours(job) for job in jobs.values()) if isinstance(jobs, dict) else False


def _job_is_ours(job: Any) -> bool:  # noqa: ANN401 - any YAML
    if not isinstance(job, dict):
        return False
    if "bench.yml" in str(job.get("uses", "")):
        return True
    label = job.get("runs-on", "ubuntu-")
    return not (isinstance(label, str) and label.startswith(_HOSTED))


def _labels(settings: Settings) -> Finding:
    without = [name for name, entry in settings.watch.machines.items() if "self-hosted" not in entry.labels]
    if without:
        return warning("labels", "hosted", names=", ".join(without))
    shown = [f"{name}: {', '.join(entry.labels)}" for name, entry in settings.watch.machines.items()]
    return ok("labels", labels="; ".join(shown))


def _targets(settings: Settings) -> Finding:
    targets = settings.watch.targets
    upstream = [item for item in targets if _owner(item) in UPSTREAM_OWNERS]
    if upstream:
        return missing("targets", "upstream", targets=", ".join(upstream))
    if not targets:
        return warning("targets", "none")
    return ok("targets", targets=", ".join(targets))


def _owner(target: str) -> str:
    return target.partition(":")[2].split("/", maxsplit=1)[0].casefold()


def _private(private: bool | None) -> Finding:
    if private is None:
        return warning("privacy", "unknown")
    return ok("privacy") if private else warning("privacy", "public")


def _privacy(settings: Settings, repository: str) -> bool | None:
    try:
        client = Client(settings.github, credentials(settings.github))
        data = told(repository, lambda: client.get(f"/repos/{repository}")).data
    except BotError:
        return None
    found = data.get("private") if isinstance(data, dict) else None
    return found if isinstance(found, bool) else None
