"""Who may ask, and for which commits."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.errors import BotError, Exit
from bot.github.commands import Command, parse
from bot.github.events import Asked, read
from bot.github.lookups import People, UpstreamCommits, upstream_commits
from bot.github.permissions import Access, Gate, Level, Origin, Policy
from bot.http import Answer, DeclinedError, UnansweredError
from tests.support.comment_events import comment_event

SHA = "0123456789abcdef0123456789abcdef01234567"
ASKED = datetime(2026, 11, 30, 10, tzinfo=UTC)


@dataclass
class Known:
    """People and commits as a test wants them, and what was asked."""

    permission: str = "read"
    role: str = ""
    teams: tuple[str, ...] = ()
    commit: Origin = field(default_factory=lambda: Origin(kind="main"))
    asked: list[str] = field(default_factory=list)

    def access(self, owner: str, repo: str, login: str) -> Access:
        self.asked.append(f"{owner}/{repo} {login}")
        return Access(permission=self.permission, role=self.role)

    def in_team(self, organisation: str, team: str, login: str) -> bool:
        self.asked.append(f"{organisation}/{team} {login}")
        return f"{organisation}/{team}" in self.teams

    def origin(self, sha: str) -> Origin:
        self.asked.append(sha)
        return self.commit


def judged(known: Known, policy: Policy, line: str = "/bench b9602") -> str | None:
    asked = read(comment_event(line))
    assert isinstance(asked, Asked) and asked.place
    found = Gate(policy, known, known).refusal(parse(line), asked, asked.place)
    return found.code if found else None


@pytest.mark.parametrize(
    ("allow", "permission", "role", "passes"),
    [
        ("write", "admin", "admin", True),
        ("write", "write", "maintain", True),
        ("write", "write", "write", True),
        ("write", "write", "release-team", True),
        ("write", "read", "triage", False),
        ("write", "read", "read", False),
        ("write", "none", "", False),
        ("maintain", "admin", "admin", True),
        ("maintain", "write", "maintain", True),
        ("maintain", "write", "write", False),
        ("maintain", "write", "release-team", False),
        ("maintain", "read", "maintain", False),
        ("admin", "admin", "admin", True),
        ("admin", "write", "maintain", False),
        ("admin", "write", "admin", False),
        ("listed", "admin", "admin", False),
    ],
)
def test_access_to_the_repository_decides(allow: Level, permission: str, role: str, passes: bool) -> None:
    known = Known(permission, role)
    assert judged(known, Policy(allow=allow)) == (None if passes else "not-permitted")


def test_the_association_of_the_author_says_nothing() -> None:
    for association in ("OWNER", "MEMBER", "COLLABORATOR"):
        asked = read(comment_event(comment__author_association=association))
        assert isinstance(asked, Asked) and asked.place
        refused = Gate(Policy(), Known()).person(asked, asked.place)
        assert refused and refused.code == "not-permitted"


def test_a_listed_user_needs_no_request_and_capitals_do_not_matter() -> None:
    known = Known()
    assert judged(known, Policy(allow="listed", users=("Grace", "ADA"))) is None
    assert known.asked == []
    assert judged(known, Policy(users=("ad", "adaa"))) == "not-permitted"


def test_a_team_is_asked_only_where_access_does_not_do() -> None:
    policy = Policy(teams=("acme/idle", "acme/bench"))
    writer, member = Known("write"), Known(teams=("acme/bench",))
    assert judged(writer, policy) is None
    assert writer.asked == ["acme/bench ada"]
    assert judged(member, policy) is None
    assert member.asked == ["acme/bench ada", "acme/idle ada", "acme/bench ada"]
    assert judged(Known(), policy) == "not-permitted"


def test_a_refusal_holds_what_its_answer_says() -> None:
    asked = read(comment_event())
    assert isinstance(asked, Asked) and asked.place
    policy = Policy(allow="admin", users=("grace", "joan"), teams=("acme/bench",))
    refused = Gate(policy, Known()).person(asked, asked.place)
    assert refused and refused.args == {
        "allow": "admin",
        "users": "grace, joan",
        "teams": "acme/bench",
        "login": "ada",
    }


BEFORE, AFTER = ASKED - timedelta(minutes=1), ASKED + timedelta(seconds=1)
OPEN = Policy(untrusted=True)


@pytest.mark.parametrize(
    ("origin", "policy", "permission", "code"),
    [
        (Origin(kind="main"), Policy(), "write", None),
        (Origin(kind="unknown"), OPEN, "admin", "unknown-commit"),
        (Origin(kind="pull", pull=5, pushed_at=BEFORE), Policy(), "admin", "untrusted-off"),
        (Origin(kind="pull", pull=5, pushed_at=BEFORE), OPEN, "write", "untrusted-not-admin"),
        (Origin(kind="pull", pull=5), OPEN, "admin", "untrusted-time"),
        (Origin(kind="pull", pull=5, pushed_at=AFTER), OPEN, "admin", "untrusted-late"),
        (Origin(kind="pull", pull=5, pushed_at=ASKED), OPEN, "admin", "untrusted-late"),
        (Origin(kind="pull", pull=5, pushed_at=BEFORE), OPEN, "admin", None),
    ],
)
@pytest.mark.parametrize("line", [f"/bench {SHA}", f"/bench b9602 {SHA}", f"/bench {SHA}..b9602"])
def test_a_commit_is_judged_by_where_it_comes_from(
    origin: Origin, policy: Policy, permission: str, code: str | None, line: str
) -> None:
    assert judged(Known(permission, commit=origin), policy, line) == code


def test_tags_are_upstreams_own_and_a_commit_is_not_looked_up_for_a_stranger() -> None:
    writer, stranger = Known("write"), Known()
    assert judged(writer, Policy(), "/bench b9602 b9556") is None and SHA not in writer.asked
    assert judged(stranger, Policy(), f"/bench {SHA}") == "not-permitted" and SHA not in stranger.asked


def test_without_a_look_up_no_commit_passes() -> None:
    asked = read(comment_event())
    assert isinstance(asked, Asked) and asked.place
    refused = Gate(OPEN, Known("admin")).untrusted(Command(action="bench", head=SHA), asked, asked.place)
    assert refused and refused.code == "unknown-commit" and refused.args == {"sha": SHA}


@dataclass
class Rest:
    """Answers of GitHub's REST interface by path; what is not there is declined with 404."""

    answers: dict[str, Any]
    asked: list[str] = field(default_factory=list)

    def get(self, path: str) -> Answer:
        self.asked.append(path)
        found = self.answers.get(path.split("?", maxsplit=1)[0], DeclinedError(404, "Not Found"))
        if isinstance(found, Exception):
            raise found
        return Answer(200, {}, found)


PERMISSION = "/repos/acme/bench/collaborators/ada/permission"
MEMBER = "/orgs/acme/teams/bench/memberships/ada"
LLAMA = "/repos/ggml-org/llama.cpp"


def pull(**changes: Any) -> dict[str, Any]:
    base = {"repo": {"full_name": "ggml-org/llama.cpp"}}
    return {"number": 5, "state": "open", "head": {"sha": SHA}, "base": base, **changes}


def test_github_is_asked_for_a_persons_access() -> None:
    data = {"permission": "write", "role_name": "maintain", "user": {"login": "ada"}}
    assert People(Rest({PERMISSION: data})).access("acme", "bench", "ada") == Access(
        permission="write", role="maintain"
    )
    assert People(Rest({})).access("acme", "bench", "ada").permission == "none"
    assert People(Rest({PERMISSION: ["odd"]})).access("acme", "bench", "ada").permission == "none"


def test_github_is_asked_for_a_teams_members() -> None:
    for data, expected in (({"state": "active"}, True), ({"state": "pending"}, False), (None, False)):
        assert People(Rest({MEMBER: data} if data else {})).in_team("acme", "bench", "ada") is expected


@pytest.mark.parametrize("failure", [DeclinedError(403, "Resource not accessible"), UnansweredError("502")])
def test_no_answer_is_no_permission(failure: Exception) -> None:
    with pytest.raises(BotError) as caught:
        People(Rest({PERMISSION: failure})).access("acme", "bench", "ada")
    assert caught.value.exit_code == Exit.GITHUB


def test_a_commit_of_the_main_line_is_known_after_one_request() -> None:
    for status in ("ahead", "identical"):
        rest = Rest({f"{LLAMA}/compare/{SHA}...master": {"status": status}})
        assert UpstreamCommits(rest, "ggml-org/llama.cpp").origin(SHA) == Origin(kind="main")
        assert len(rest.asked) == 1


@pytest.mark.parametrize("compared", [{"status": "diverged"}, {"status": "behind"}, None])
def test_the_head_of_an_open_pull_request_has_the_time_of_its_push(compared: object) -> None:
    suites = [{"created_at": "2026-11-30T09:59:00Z"}, {"created_at": "2026-11-30T09:58:00Z"}, {"x": 1}]
    answers: dict[str, Any] = {
        f"{LLAMA}/commits/{SHA}/pulls": [pull()],
        f"{LLAMA}/commits/{SHA}/check-suites": {"check_suites": suites},
    }
    if compared:
        answers[f"{LLAMA}/compare/{SHA}...master"] = compared
    assert UpstreamCommits(Rest(answers), "ggml-org/llama.cpp").origin(SHA) == Origin(
        kind="pull", pull=5, pushed_at=datetime(2026, 11, 30, 9, 58, tzinfo=UTC)
    )


@pytest.mark.parametrize(
    "found",
    [
        pull(state="closed"),
        pull(head={"sha": SHA[:-1] + "8"}),
        pull(base={"repo": {"full_name": "mallory/llama.cpp"}}),
        pull(base={"repo": None}),
        {},
    ],
)
def test_a_commit_that_is_nobodys_head_is_unknown(found: dict[str, Any]) -> None:
    """GitHub serves commits of forks under upstream's name too; a closed request's code was turned down."""
    rest = Rest({f"{LLAMA}/commits/{SHA}/pulls": [found]})
    assert UpstreamCommits(rest, "ggml-org/llama.cpp").origin(SHA) == Origin(kind="unknown")


def test_only_an_upstream_on_github_knows_pull_requests() -> None:
    known = upstream_commits(Rest({}), "https://github.com/ggml-org/llama.cpp.git")
    assert known and known.repository == "ggml-org/llama.cpp"
    assert upstream_commits(Rest({}), "/srv/llama.cpp") is None
