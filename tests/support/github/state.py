"""What the stand-in knows: people, repositories, threads, releases, tokens. Plain data."""

import base64
from dataclasses import dataclass, field
from datetime import UTC, datetime

WRITE_ALL = {"issues": "write", "discussions": "write", "contents": "write", "actions": "write"}


@dataclass
class Person:
    """A user or a bot; a bot's `login` is without `[bot]`."""

    login: str
    bot: bool = False

    @property
    def rest_login(self) -> str:
        """The name as REST and `viewer` give it."""
        return f"{self.login}[bot]" if self.bot else self.login


@dataclass
class Comment:
    """A comment of an issue, a pull request or a discussion (which may have replies)."""

    id: int
    author: Person
    body: str
    created: str
    replies: list["Comment"] = field(default_factory=list)
    minimized: str | None = None
    reactions: dict[tuple[str, str], int] = field(default_factory=dict)


@dataclass
class Thread:
    """An issue, a pull request or a discussion."""

    number: int
    title: str
    author: Person
    body: str = ""
    created: str = "2026-06-01T00:00:00Z"
    kind: str = "Issue"
    category: str = ""
    locked: bool = False
    closed: bool = False
    gone: bool = False
    moved_to: str | None = None
    comments: list[Comment] = field(default_factory=list)
    reactions: dict[tuple[str, str], int] = field(default_factory=dict)
    updated: str = ""
    labels: tuple[str, ...] = ()


@dataclass
class Release:
    """A published release."""

    id: int
    tag: str
    body: str | None
    name: str | None = None


@dataclass
class Commit:
    """A commit; `pulls` are the numbers of the pull requests that it belongs to, `pushed` when it came."""

    sha: str
    at: str = "2026-06-01T00:00:00Z"
    on_main: bool = True
    pulls: tuple[int, ...] = ()
    pushed: str = ""


@dataclass
class WorkflowRun:
    """One run of a workflow; `title` is what its `run-name` made, `jobs` holds names with states.

    `began`: when the jobs that run began, seconds since the epoch.
    """

    id: int
    title: str
    status: str
    conclusion: str | None = None
    workflow: str = "command.yml"
    jobs: dict[str, str] = field(default_factory=dict)
    began: float = 0.0


@dataclass
class SelfHosted:
    """A self-hosted runner; `group` is the id of its organisation's group."""

    id: int
    name: str
    labels: tuple[str, ...] = ("self-hosted", "Linux", "X64", "gpu")
    online: bool = True
    ephemeral: bool = True
    group: int = 1


@dataclass
class RunnerGroup:
    """Which repositories (full names) and workflows may use a group's runners; None for all."""

    name: str
    repositories: list[str] | None = None
    workflows: list[str] | None = None


@dataclass
class Organisation:
    """An owner with runners of its own; groups by id."""

    runners: list[SelfHosted] = field(default_factory=list)
    groups: dict[int, RunnerGroup] = field(default_factory=dict)


@dataclass
class Repo:
    """One repository; `access` is what each login may do."""

    id: int
    full_name: str
    issues: dict[int, Thread] = field(default_factory=dict)
    discussions: dict[int, Thread] = field(default_factory=dict)
    releases: list[Release] = field(default_factory=list)
    commits: dict[str, Commit] = field(default_factory=dict)
    workflow_runs: list[WorkflowRun] = field(default_factory=list)
    runners: list[SelfHosted] = field(default_factory=list)
    approval: str = "first_time_contributors"
    categories: tuple[str, ...] = ("announcements", "general", "q-a")
    access: dict[str, str] = field(default_factory=dict)
    has_discussions: bool = True
    archived: bool = False
    private: bool = False


@dataclass
class Grant:
    """A token: whose, what it may do (`area: level`), until when (seconds since the epoch)."""

    person: Person
    permissions: dict[str, str] = field(default_factory=lambda: dict(WRITE_ALL))
    expires: float | None = None


@dataclass
class World:
    """All of it. `renames`: old name -> new name of a repository."""

    repos: dict[str, Repo] = field(default_factory=dict)
    tokens: dict[str, Grant] = field(default_factory=dict)
    renames: dict[str, str] = field(default_factory=dict)
    teams: dict[str, dict[str, str]] = field(default_factory=dict)
    installations: dict[int, Grant] = field(default_factory=dict)
    organisations: dict[str, Organisation] = field(default_factory=dict)
    ids: int = 1000
    now: float = 1780000000.0

    def repo(self, name: str) -> Repo | None:
        """By name without regard to case, also by an old name."""
        key = name.lower()
        return self.repos.get(self.renames.get(key, key))

    def add_repo(self, full_name: str) -> Repo:
        """A repository with nothing in it."""
        repo = Repo(self.next_id(), full_name)
        self.repos[full_name.lower()] = repo
        return repo

    def next_id(self) -> int:
        """Ids ascend."""
        self.ids += 1
        return self.ids

    def stamp(self) -> str:
        """The time as GitHub writes it."""
        return datetime.fromtimestamp(self.now, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def grant(self, token: str) -> Grant | None:
        """Whose token this is; None once it has ended."""
        found = self.tokens.get(token)
        return found if found and (found.expires is None or found.expires > self.now) else None


def node_id(kind: str, number: int | str) -> str:
    """An opaque id, as GraphQL has them."""
    return base64.urlsafe_b64encode(f"{kind}:{number}".encode()).decode().rstrip("=")


def from_node_id(text: str) -> tuple[str, str]:
    """Kind and number of an id; raises ValueError for anything else."""
    kind, _, number = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode().partition(":")
    return kind, number
