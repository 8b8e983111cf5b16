"""What `permissions` asks of GitHub, asked: a person's access, a team's members, a commit's origin."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from bot.github.client import told
from bot.github.permissions import Access, Origin
from bot.http import Answer, DeclinedError
from bot.upstream.remote import web_address

#: The main line of llama.cpp, on which its release tags are made.
MAIN = "master"


class Reader(Protocol):
    """The part of `client.Client` that reads."""

    def get(self, path: str) -> Answer:
        """A REST read; raises the three errors of `bot.http`."""


@dataclass(frozen=True)
class People:
    """A `Directory` of permissions. Every method raises BotError (exit 5) where GitHub gives no answer."""

    client: Reader

    def access(self, owner: str, repo: str, login: str) -> Access:
        """One request; `none` for a login that nobody has."""
        data = _found(self.client, f"/repos/{owner}/{repo}/collaborators/{login}/permission")
        return Access(permission=_text(data, "permission") or "none", role=_text(data, "role_name"))

    def in_team(self, organisation: str, team: str, login: str) -> bool:
        """One request. A membership that was not accepted yet is none."""
        data = _found(self.client, f"/orgs/{organisation}/teams/{team}/memberships/{login}")
        return _text(data, "state") == "active"


@dataclass(frozen=True)
class UpstreamCommits:
    """The `Commits` of a repository on GitHub (`owner/name`): one request for the main line, three else."""

    client: Reader
    repository: str

    def origin(self, sha: str) -> Origin:
        """Where the commit comes from. Raises BotError (exit 5) where GitHub gives no answer."""
        at = f"/repos/{self.repository}"
        compared = _found(self.client, f"{at}/compare/{sha}...{MAIN}?per_page=1")
        if _text(compared, "status") in ("ahead", "identical"):
            return Origin(kind="main")
        pulls = _listed(_found(self.client, f"{at}/commits/{sha}/pulls"))
        number = next((pull.get("number") for pull in pulls if self._is_open_head(pull, sha)), None)
        if not isinstance(number, int):
            return Origin(kind="unknown")
        return Origin(kind="pull", pull=number, pushed_at=self._pushed_at(sha))

    def _is_open_head(self, pull: dict[str, Any], sha: str) -> bool:
        base = _section(_section(pull, "base"), "repo")
        return (
            _text(pull, "state") == "open"
            and _text(_section(pull, "head"), "sha") == sha
            and _text(base, "full_name").lower() == self.repository.lower()
        )

    def _pushed_at(self, sha: str) -> datetime | None:
        """When GitHub made the first check suite for the commit: by its own clock, soon after the push.

        The dates in the commit are whatever its author wrote there.
        """
        found = _found(self.client, f"/repos/{self.repository}/commits/{sha}/check-suites?per_page=100")
        suites = _listed(found.get("check_suites") if isinstance(found, dict) else None)
        times = [time for suite in suites if (time := _time(_text(suite, "created_at")))]
        return min(times, default=None)


def upstream_commits(client: Reader, url: str) -> UpstreamCommits | None:
    """The commits of the configured upstream; None where it is not on github.com."""
    page = web_address(url)
    return UpstreamCommits(client, re.sub("^https://github.com/", "", page)) if page else None


def _found(client: Reader, path: str) -> object:
    """The data at the path; None where GitHub has nothing there."""

    def call() -> object:
        try:
            return client.get(path).data
        except DeclinedError as declined:
            if declined.status in (404, 422):
                return None
            raise

    return told(path.split("?", maxsplit=1)[0], call)


def _section(data: object, name: str) -> dict[str, Any]:
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def _listed(data: object) -> list[dict[str, Any]]:
    return [item for item in data if isinstance(item, dict)] if isinstance(data, list) else []


def _text(data: object, name: str) -> str:
    found = data.get(name) if isinstance(data, dict) else None
    return found if isinstance(found, str) else ""


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else None
