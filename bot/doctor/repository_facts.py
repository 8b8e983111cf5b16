"""What GitHub says of a repository and of the machines that take its jobs; None where it does not say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from bot.config import Settings
from bot.errors import BotError
from bot.github.auth import credentials
from bot.github.client import Client, told


@dataclass(frozen=True)
class Runner:
    """A self-hosted runner. `is_ephemeral`: it takes one job and is gone. `group`: an organisation's id."""

    name: str
    labels: frozenset[str]
    is_online: bool
    is_ephemeral: bool
    group: int | None = None


@dataclass(frozen=True)
class Group:
    """A group of an organisation's runners; which `repositories` and `workflows` may use it, None for all.

    Workflows are named `owner/name/.github/workflows/file@ref`.
    """

    name: str
    repositories: tuple[str, ...] | None
    workflows: tuple[str, ...] | None


@dataclass(frozen=True)
class Repository:
    """`workflows` by file name. `approval`: which pull requests from forks wait for somebody's approval.

    `groups` holds those of the runners, by id; None for what GitHub does not tell this token.
    """

    workflows: Mapping[str, Any]
    private: bool | None = None
    name: str = ""
    approval: str | None = None
    runners: tuple[Runner, ...] | None = None
    groups: Mapping[int, Group] | None = field(default_factory=dict)


def repository_facts(settings: Settings, name: str | None, workflows: Mapping[str, Any]) -> Repository:
    """One to five reads, and one for each group of these runners; none where there is no token."""
    if name is None:
        return Repository(workflows)
    try:
        client = Client(settings.github, credentials(settings.github))
    except BotError:
        return Repository(workflows, name=name)
    return _Reader(client, name).read(workflows)


@dataclass(frozen=True)
class _Reader:
    client: Client
    name: str

    def read(self, workflows: Mapping[str, Any]) -> Repository:
        known = self._get(f"/repos/{self.name}")
        private = known.get("private")
        owner, organisation = known.get("owner"), None
        if isinstance(owner, dict) and owner.get("type") == "Organization":
            organisation = str(owner.get("login"))
        runners = self._runners(organisation) if known else None
        return Repository(
            workflows,
            private if isinstance(private, bool) else None,
            self.name,
            None if private is not False else self._approval(),
            runners,
            self._groups(organisation, {item.group for item in runners or ()}) if organisation else {},
        )

    def _approval(self) -> str | None:
        found = self._get(f"/repos/{self.name}/actions/permissions/fork-pr-contributor-approval")
        return str(found["approval_policy"]) if "approval_policy" in found else None

    def _runners(self, organisation: str | None) -> tuple[Runner, ...] | None:
        """Of the repository itself, then of its organisation; None where one of them is not told."""
        own = self._get(f"/repos/{self.name}/actions/runners?per_page=100").get("runners")
        shared = self._get(f"/orgs/{organisation}/actions/runners?per_page=100") if organisation else {}
        theirs = shared.get("runners") if organisation else []
        if not isinstance(own, list) or not isinstance(theirs, list):
            return None
        return (*map(_runner, own), *(_runner(item, in_group=True) for item in theirs))

    def _groups(self, organisation: str, wanted: set[int | None]) -> dict[int, Group] | None:
        listed = self._get(f"/orgs/{organisation}/actions/runner-groups?per_page=100").get("runner_groups")
        if not isinstance(listed, list):
            return None
        return {int(item["id"]): self._group(organisation, item) for item in listed if item["id"] in wanted}

    def _group(self, organisation: str, item: dict[str, Any]) -> Group:
        repositories = None
        if item.get("visibility") == "selected":
            path = f"/orgs/{organisation}/actions/runner-groups/{item['id']}/repositories?per_page=100"
            found = self._get(path).get("repositories")
            repositories = tuple(str(one["full_name"]) for one in found) if isinstance(found, list) else None
        workflows = item.get("selected_workflows") if item.get("restricted_to_workflows") else None
        return Group(str(item["name"]), repositories, tuple(workflows) if workflows is not None else None)

    def _get(self, path: str) -> dict[str, Any]:
        try:
            data = told(self.name, lambda: self.client.get(path)).data
        except BotError:
            return {}
        return data if isinstance(data, dict) else {}


def _runner(item: dict[str, Any], *, in_group: bool = False) -> Runner:
    return Runner(
        name=str(item["name"]),
        labels=frozenset(str(label["name"]).lower() for label in item["labels"]),
        is_online=item.get("status") == "online",
        is_ephemeral=bool(item.get("ephemeral")),
        group=item.get("runner_group_id") if in_group else None,
    )
