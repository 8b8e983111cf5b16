"""Who may ask, and for which commits. The rules are pure; what GitHub knows is asked through a protocol.

`author_association` is never read: it calls private members of an organisation strangers, and everyone with
one merged typo a contributor.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol

from bot.github.commands import SHA, Command
from bot.github.events import Asked, Place
from bot.records import Reason, Record

Level = Literal["write", "maintain", "admin", "listed"]


class Policy(Record):
    """Who may use `/bench`: everyone from `allow` up, and also the users and teams that are listed.

    `listed` means: only those. Teams are `organisation/team`. `untrusted` lets admins measure the heads of
    upstream's pull requests.
    """

    allow: Level = "write"
    users: tuple[str, ...] = ()
    teams: tuple[str, ...] = ()
    untrusted: bool = False


class Access(Record):
    """One user's access to a repository, as `GET /repos/…/collaborators/{user}/permission` says it.

    `permission` is admin, write, read or none (maintain counts as write, triage as read); `role` is the
    finer `role_name`, or the name of an organisation's own role. On a public repository everyone can read.
    """

    permission: str
    role: str = ""


class Directory(Protocol):
    """What GitHub knows about people. Raises BotError (exit 5) where GitHub gives no answer."""

    def access(self, owner: str, repo: str, login: str) -> Access:
        """A user's access; `none` for a user who does not exist."""

    def in_team(self, organisation: str, team: str, login: str) -> bool:
        """Whether the user is an active member (`state: active`) of the team."""


class Origin(Record):
    """Where in upstream a commit comes from. `main`: in the history of the main line.

    `pull`: the head of a pull request. `pushed_at` is when GitHub received it, by GitHub's clock: the dates
    in a commit are its author's claim. `unknown` includes commits of forks, which GitHub serves under
    upstream's name too.
    """

    kind: Literal["main", "pull", "unknown"]
    pull: int | None = None
    pushed_at: datetime | None = None


class Commits(Protocol):
    """What upstream knows about commits. Raises BotError where there is no answer."""

    def origin(self, sha: str) -> Origin:
        """Where a full commit id comes from."""


@dataclass(frozen=True)
class Gate:
    """The rules with the look-ups they need. Without `commits`, no commit id passes, only tags."""

    policy: Policy
    directory: Directory
    commits: Commits | None = None

    def refusal(self, command: Command, asked: Asked, place: Place) -> Reason | None:
        """Why this command is refused, or None: first the person, then the commits."""
        return self.person(asked, place) or self.untrusted(command, asked, place)

    def person(self, asked: Asked, place: Place) -> Reason | None:
        """Why this person may not ask here, or None. One request, and one per team if that says no.

        `not-permitted` has as arguments what the reply says: `allow`, and `users` and `teams` side by side.
        """
        policy = self.policy
        if asked.author.lower() in (name.lower() for name in policy.users):
            return None
        if policy.allow != "listed" and _reaches(self._access(asked, place), policy.allow):
            return None
        for name in policy.teams:
            organisation, _, team = name.partition("/")
            if self.directory.in_team(organisation, team, asked.author):
                return None
        args = {"allow": policy.allow, "users": ", ".join(policy.users), "teams": ", ".join(policy.teams)}
        return Reason(code="not-permitted", args={**args, "login": asked.author})

    def untrusted(self, command: Command, asked: Asked, place: Place) -> Reason | None:
        """Why a commit that the command names may not be measured, or None. Tags are upstream's own.

        Codes: `unknown-commit`, `untrusted-off`, `untrusted-not-admin`, `untrusted-time` (when it was pushed
        or asked for is not known), `untrusted-late` (not pushed before the comment). Each has `sha`.
        """
        for sha in (command.head, command.base):
            if sha is None or not SHA.fullmatch(sha):
                continue
            code = self._distrust(sha, asked, place)
            if code:
                return Reason(code=code, args={"sha": sha})
        return None

    def _distrust(self, sha: str, asked: Asked, place: Place) -> str | None:
        origin = self.commits.origin(sha) if self.commits else Origin(kind="unknown")
        if origin.kind != "pull":
            return None if origin.kind == "main" else "unknown-commit"
        if not self.policy.untrusted:
            return "untrusted-off"
        if self._access(asked, place).permission != "admin":
            return "untrusted-not-admin"
        if origin.pushed_at is None or asked.created_at is None:
            return "untrusted-time"
        return None if origin.pushed_at < asked.created_at else "untrusted-late"

    def _access(self, asked: Asked, place: Place) -> Access:
        return self.directory.access(place.owner, place.repo, asked.author)


def _reaches(access: Access, level: Level) -> bool:
    """Whether the access is enough. An organisation's own role counts by what it is based on, so that only
    GitHub's own `maintain` passes where that is wanted."""
    if access.permission == "admin":
        return True
    if level == "maintain":
        return access.permission == "write" and access.role == "maintain"
    return level == "write" and access.permission == "write"
