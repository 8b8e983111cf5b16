"""Where a commit comes from, asked of a GitHub that judges every request."""

from datetime import UTC, datetime

import pytest

from bot.github.client import Client
from bot.github.lookups import UpstreamCommits
from bot.github.permissions import Origin
from tests.support.github.llama import UPSTREAM, add_upstream, report
from tests.support.github.server import Github
from tests.support.github.state import Commit, Repo

SHA = "c" * 40


@pytest.fixture
def upstream(github: Github) -> Repo:
    return add_upstream(github.world)


def test_a_commit_of_the_main_line_is_known_by_one_request(
    github: Github, client: Client, upstream: Repo
) -> None:
    upstream.commits[SHA] = Commit(SHA)
    assert UpstreamCommits(client, UPSTREAM).origin(SHA) == Origin(kind="main")
    assert [call.method for call in github.calls] == ["GET"]


def test_a_head_of_an_open_pull_request_is_known_with_the_time_of_its_push(
    github: Github, client: Client, upstream: Repo
) -> None:
    report(upstream, 7, "Faster", kind="PullRequest")
    upstream.commits[SHA] = Commit(SHA, on_main=False, pulls=(7,), pushed="2026-06-02T00:00:00Z")
    assert UpstreamCommits(client, UPSTREAM).origin(SHA) == Origin(
        kind="pull", pull=7, pushed_at=datetime(2026, 6, 2, tzinfo=UTC)
    )
    assert len(github.calls) == 3


def test_a_closed_pull_request_and_a_foreign_commit_vouch_for_nothing(client: Client, upstream: Repo) -> None:
    report(upstream, 7, "Faster", kind="PullRequest", closed=True)
    upstream.commits[SHA] = Commit(SHA, on_main=False, pulls=(7,), pushed="2026-06-02T00:00:00Z")
    assert UpstreamCommits(client, UPSTREAM).origin(SHA) == Origin(kind="unknown")
    assert UpstreamCommits(client, UPSTREAM).origin("d" * 40) == Origin(kind="unknown")
