"""What a careful owner checks before a machine with a GPU waits for jobs from a repository."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from bot.config import Settings
from bot.config.models import MachineConfig
from bot.doctor.finding import Finding, missing, ok, warning
from bot.doctor.neighbours import judge_isolation
from bot.doctor.repository_facts import Repository, repository_facts
from bot.doctor.runners import judge_runners
from bot.doctor.workflow_files import caching, on_our_machines, open_to_all, read_workflows
from bot.github.targets import UPSTREAM_OWNERS
from bot.isolation import Means, means

WORKFLOWS = Path(".github/workflows")
NEEDED = ("bench.yml", "watch.yml", "command.yml")
#: The strictest of GitHub's policies for pull requests from forks.
_APPROVED = "all_external_contributors"


def examine_actions(settings: Settings, repository: str | None, folder: Path = WORKFLOWS) -> list[Finding]:
    """Every finding about the workflows in `folder` and the repository `owner/name` on GitHub."""
    found = repository_facts(settings, repository, read_workflows(folder))
    return [isolation_in_actions(settings.machine, means()), *judge(settings, found)]


def judge(settings: Settings, repository: Repository) -> Iterator[Finding]:
    """Workflows, who can reach the GPU, labels, targets, privacy, runners."""
    yield _complete(repository.workflows)
    yield _reach(repository.workflows)
    yield _sharing(settings, repository.workflows)
    yield _labels(settings)
    yield _targets(settings)
    yield _private(repository)
    yield from judge_runners(settings, repository)


def isolation_in_actions(machine: MachineConfig, found: Means) -> Finding:
    """As a job would find it on this machine, which need not be the runner: so it is no more than a warning.

    Where the settings say nothing, a sandbox is required in Actions.
    """
    level = machine.isolation if "isolation" in machine.model_fields_set else "required"
    finding = judge_isolation(level, found)
    return replace(finding, status="warning") if finding.status == "missing" else finding


def _complete(workflows: Mapping[str, Any]) -> Finding:
    lacking = [name for name in NEEDED if not isinstance(workflows.get(name), dict)]
    if lacking:
        return missing("workflows", "missing", names=", ".join(lacking))
    return ok("workflows", names=", ".join(NEEDED))


def _reach(workflows: Mapping[str, Any]) -> Finding:
    """No workflow that a stranger can start may reach a machine of ours, in a job or by a call."""
    if found := open_to_all(workflows):
        return missing("reach", "open", names=", ".join(found))
    return ok("reach")


def _sharing(settings: Settings, workflows: Mapping[str, Any]) -> Finding:
    """What jobs leave for one another: the repository's cache, and the builds in a runner's home."""
    if found := caching(workflows):
        return warning("sharing", "cache", names=", ".join(found))
    if found := on_our_machines(workflows):
        return warning("sharing", "machine", names=", ".join(found))
    if settings.github.commands.untrusted:
        return warning("sharing", "untrusted")
    return ok("sharing")


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


def _private(repository: Repository) -> Finding:
    if repository.private is None:
        return warning("privacy", "unknown")
    if repository.private:
        return ok("privacy")
    if repository.approval == _APPROVED:
        return ok("privacy", "approved")
    return warning("privacy", "public" if repository.approval else "unseen")
