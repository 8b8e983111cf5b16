"""The machines that take a repository's jobs: are they there, is each job alone, who else may use them."""

from collections.abc import Iterator

from bot.config import Settings
from bot.doctor.finding import Finding, ok, warning
from bot.doctor.repository_facts import Group, Repository, Runner
from bot.doctor.workflow_files import BENCH


def judge_runners(settings: Settings, repository: Repository) -> Iterator[Finding]:
    """Presence, workspace, group. Without a word from GitHub each says which right is missing."""
    if repository.runners is None:
        yield warning("runner", "unseen")
        yield warning("workspace", "unseen")
        yield warning("group", "unseen")
        return
    taking = _taking(settings, repository.runners)
    yield _present(settings, taking)
    yield _workspace([runner for runners in taking.values() for runner in runners])
    yield _group(repository, [runner for runners in taking.values() for runner in runners])


def _taking(settings: Settings, runners: tuple[Runner, ...]) -> dict[str, list[Runner]]:
    """Which runners would take the jobs of each machine: those that have all of its labels."""
    return {
        name: [item for item in runners if {label.lower() for label in entry.labels} <= item.labels]
        for name, entry in settings.watch.machines.items()
    }


def _present(settings: Settings, taking: dict[str, list[Runner]]) -> Finding:
    without = [name for name, runners in taking.items() if not runners]
    if without:
        labels = "; ".join(", ".join(settings.watch.machines[name].labels) for name in without)
        return warning("runner", "none", names=", ".join(without), labels=labels)
    away = [name for name, runners in taking.items() if not any(item.is_online for item in runners)]
    if away:
        return warning("runner", "offline", names=", ".join(away))
    return ok("runner", names=_names([item for runners in taking.values() for item in runners]))


def _workspace(runners: list[Runner]) -> Finding:
    kept = [item for item in runners if not item.is_ephemeral]
    if kept:
        return warning("workspace", "kept", names=_names(kept))
    return ok("workspace", names=_names(runners)) if runners else warning("workspace", "none")


def _group(repository: Repository, runners: list[Runner]) -> Finding:
    shared = {item.group for item in runners if item.group is not None}
    if not shared:
        return ok("group", "own")
    if repository.groups is None:
        return warning("group", "unseen")
    groups = [repository.groups[number] for number in sorted(shared) if number in repository.groups]
    if wide := [item.name for item in groups if not _is_for(item, repository.name)]:
        return warning("group", "wide", names=", ".join(wide))
    if loose := [item.name for item in groups if not _is_for_bench(item, repository.name)]:
        return warning("group", "workflows", names=", ".join(loose), workflow=_path(repository.name))
    return ok("group", names=", ".join(item.name for item in groups))


def _is_for(group: Group, repository: str) -> bool:
    names = group.repositories
    return names is not None and [name.lower() for name in names] == [repository.lower()]


def _is_for_bench(group: Group, repository: str) -> bool:
    """Every workflow that it is open to is ours that measures, at whatever ref."""
    path = _path(repository).lower()
    return bool(group.workflows) and all(
        item.lower().partition("@")[0] == path for item in group.workflows or ()
    )


def _path(repository: str) -> str:
    return f"{repository}/.github/workflows/{BENCH}"


def _names(runners: list[Runner]) -> str:
    return ", ".join(dict.fromkeys(item.name for item in runners))
