"""Upstream's open issues over real HTTP: few reads, free while nothing changed, and never a failure."""

from datetime import datetime
from pathlib import Path

import pytest

from bot.config.github import GithubConfig
from bot.github.auth import FixedToken, NoToken
from bot.github.client import Client
from bot.github.upstream_issues import MOST_PAGES, UpstreamIssues
from bot.watch.trouble import Span
from tests.support.github.faults import Kind
from tests.support.github.llama import UPSTREAM, add_upstream, report
from tests.support.github.places import TOKEN
from tests.support.github.server import Github
from tests.support.github.state import Person

SPAN = Span(low=9602, high=9700)


def desk(github: Github, cache: Path | None = None, *, token: str = TOKEN) -> UpstreamIssues:
    """As a new process makes it."""
    who = FixedToken(token) if token else NoToken()
    config = GithubConfig(api_url=github.url)
    client = Client(config, who, github.clock, timeout_s=2, cache=cache, patience_s=30)
    return UpstreamIssues(client, UPSTREAM, github.clock)


def at(day: str) -> float:
    return datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()


def fill(github: Github, count: int) -> None:
    repo = add_upstream(github.world)
    for number in range(1, count + 1):
        report(repo, number, f"b9602 {number}", created="2026-06-01T00:00:00Z")


def test_open_issues_that_name_something_come_newest_first_and_nothing_else(github: Github) -> None:
    repo = add_upstream(github.world)
    report(repo, 1, "crash", "version: 9602 (4d5e6f7)", created="2026-06-01T01:00:00Z")
    report(repo, 2, "since b9611", created="2026-06-01T02:00:00Z")
    report(repo, 3, "nothing named", "9602 tokens")
    report(repo, 4, "closed b9602", closed=True)
    report(repo, 5, "fix b9602", kind="PullRequest")
    report(repo, 6, "wish b9602", labels=("enhancement",))
    report(repo, 7, "robot b9602", author=Person("stale", bot=True))
    found = desk(github).look(SPAN, None)
    assert [item.number for item in found.items] == [2, 1]
    assert (found.answered, found.complete, found.repository) == (True, True, UPSTREAM)
    assert found.looked_up_at == github.world.stamp().replace("Z", "+00:00")
    assert len(github.calls) == 1


def test_only_what_was_opened_since_is_read(github: Github) -> None:
    repo = add_upstream(github.world)
    report(repo, 1, "old b9602", created="2026-05-01T00:00:00Z", updated="2026-06-02T00:00:00Z")
    report(repo, 2, "new b9602", created="2026-06-02T00:00:00Z")
    found = desk(github).look(SPAN, at("2026-06-01"))
    assert [item.number for item in found.items] == [2]
    assert found.complete


def test_pages_are_read_up_to_a_bound_that_is_said(github: Github) -> None:
    fill(github, 100 * MOST_PAGES + 50)
    found = desk(github).look(SPAN, None)
    assert len(github.calls) == MOST_PAGES
    assert not found.complete


def test_a_last_page_that_is_full_is_followed_by_a_look_for_more(github: Github) -> None:
    fill(github, 100)
    assert desk(github).look(SPAN, None).complete
    assert len(github.calls) == 2


def test_a_second_look_costs_nothing_while_nothing_changed(github: Github, tmp_path: Path) -> None:
    fill(github, 20)
    first = desk(github, tmp_path).look(SPAN, None)
    again = desk(github, tmp_path).look(SPAN, None)
    assert [call.status for call in github.calls] == [200, 304]
    assert again.items == first.items
    report(github.world.repos[UPSTREAM], 99, "b9602 too", created="2026-06-05T00:00:00Z")
    assert desk(github, tmp_path).look(SPAN, None).items[0].number == 99


def test_without_a_token_what_is_public_can_be_read(github: Github) -> None:
    fill(github, 1)
    assert len(desk(github, token="").look(SPAN, None).items) == 1


OUTAGES: tuple[Kind, ...] = (
    "502",
    "timeout",
    "reset",
    "primary_403",
    "primary_429",
    "secondary_403",
    "secondary_403_retry_after",
    "secondary_429",
    "redirect_307",
    "not_modified_304",
    "token_expired",
    "malformed",
)


@pytest.mark.parametrize("kind", OUTAGES)
def test_an_outage_is_no_look_and_no_failure_and_is_over_soon(github: Github, kind: Kind) -> None:
    fill(github, 3)
    github.faults.add(kind, lambda call: True, times=50)
    began = github.world.now
    found = desk(github).look(SPAN, None)
    assert (found.answered, found.complete, found.items) == (False, False, ())
    assert github.world.now - began <= 30
    assert len(github.calls) <= 5


@pytest.mark.parametrize("kind", ["502", "timeout", "reset", "secondary_403_retry_after"])
def test_a_hiccup_is_waited_out(github: Github, kind: Kind) -> None:
    fill(github, 3)
    github.faults.add(kind, lambda call: True)
    answered = kind != "secondary_403_retry_after"  # 45 s are more than a look is worth
    assert desk(github).look(SPAN, None).answered == answered


def test_a_later_page_that_does_not_come_leaves_what_the_first_said(github: Github) -> None:
    fill(github, 150)
    github.faults.add("502", lambda call: len(github.calls) > 1, times=50)
    found = desk(github).look(SPAN, None)
    assert found.answered and not found.complete
    assert len(found.items) == 100


def test_a_repository_that_is_not_there_is_no_answer(github: Github) -> None:
    assert not desk(github).look(SPAN, None).answered


def test_when_a_commit_was_made_is_one_request(github: Github) -> None:
    add_upstream(github.world, "a" * 40)
    assert desk(github).committed_at("a" * 40) == at("2026-06-01")
    assert desk(github).committed_at("b" * 40) is None
    assert len(github.calls) == 2


def test_upstream_is_only_ever_read(github: Github) -> None:
    add_upstream(github.world, "a" * 40)
    fill(github, 3)
    look = desk(github)
    look.look(SPAN, None)
    look.committed_at("a" * 40)
    assert {call.method for call in github.calls if UPSTREAM in call.path} == {"GET"}
