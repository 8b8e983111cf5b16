"""The door to HTTP: conditional reads, redirects, limits, and writes that are sent once."""

import json
from pathlib import Path

import pytest

from bot.config.github import GithubConfig
from bot.github.auth import FixedToken
from bot.github.client import Client, told
from bot.github.queries import MINIMIZE
from bot.http import DeclinedError, LimitedError, Patience, UnansweredError, limit_of, read
from tests.support.github.places import REPO, TOKEN
from tests.support.github.server import Github
from tests.support.github.state import Release

RELEASES = f"/repos/{REPO}/releases?per_page=20"


@pytest.fixture
def polling(github: Github, tmp_path: Path) -> Client:
    return Client(GithubConfig(api_url=github.url), FixedToken(TOKEN), github.clock, cache=tmp_path / "etags")


def test_a_poll_without_news_is_a_304_with_the_stored_data(github: Github, polling: Client) -> None:
    first = polling.poll(RELEASES)
    again = polling.poll(RELEASES)
    assert first.fresh and not again.fresh
    assert again.status == 304
    assert [item["tag_name"] for item in again.data] == ["v1"]
    github.world.repos[REPO].releases.append(Release(99, "v2", None))
    news = polling.poll(RELEASES)
    assert news.fresh and [item["tag_name"] for item in news.data] == ["v1", "v2"]


def test_etags_survive_a_restart_and_hold_no_token(github: Github, polling: Client, tmp_path: Path) -> None:
    polling.poll(RELEASES)
    later = Client(
        GithubConfig(api_url=github.url), FixedToken(TOKEN), github.clock, cache=tmp_path / "etags"
    )
    assert not later.poll(RELEASES).fresh
    (kept,) = (tmp_path / "etags").glob("*.json")
    assert TOKEN not in kept.read_text()


def test_a_damaged_store_of_etags_is_read_as_empty(polling: Client, tmp_path: Path) -> None:
    polling.poll(RELEASES)
    (kept,) = (tmp_path / "etags").glob("*.json")
    kept.write_text("{")
    assert polling.poll(RELEASES).fresh


def test_a_plain_read_sends_no_condition(github: Github, polling: Client) -> None:
    polling.poll(RELEASES)
    assert polling.get(RELEASES).status == 200


def test_a_read_follows_a_renamed_repository_within_the_server(github: Github, client: Client) -> None:
    github.world.renames["octo/old"] = REPO
    assert client.get("/repos/octo/old").data["full_name"] == REPO
    assert [call.path for call in github.calls] == ["/repos/octo/old", f"/repositories/{_id(github)}"]


def test_a_read_follows_no_redirect_to_another_server(github: Github, client: Client) -> None:
    with pytest.raises(DeclinedError) as caught:
        client.http._within(f"{github.url}/repos/a/b", "https://elsewhere.example/repos/a/b")
    assert caught.value.status == 310


def test_a_mutation_is_sent_once_whatever_the_answer(github: Github, client: Client) -> None:
    github.faults.add("502", lambda call: call.write, times=9)
    with pytest.raises(UnansweredError):
        client.mutate(MINIMIZE, subjectId="x", classifier="OUTDATED")
    assert len(github.calls) == 1


def test_pygithub_sends_a_comment_once_whatever_the_answer(github: Github, client: Client) -> None:
    github.faults.add("502_after", lambda call: call.write, times=9)
    issue = client.repository(REPO).get_issue(1)
    with pytest.raises(UnansweredError):
        client.writing(lambda: issue.create_comment("once"))
    assert len(github.world.repos[REPO].issues[1].comments) == 1
    assert len(github.calls) == 1


def test_reading_a_comment_through_pygithub_is_one_request(github: Github, client: Client) -> None:
    github.world.repos[REPO].access["jo"] = "maintain"
    repository = client.repository(REPO)
    assert client.reading(lambda: repository.get_collaborator_permission("jo")) == "write"
    assert [call.path for call in github.calls] == [f"/repos/{REPO}/collaborators/jo/permission"]


def test_reads_are_tried_again_with_growing_pauses(github: Github, client: Client) -> None:
    github.faults.add("502", lambda call: True, times=3)
    assert client.get(f"/repos/{REPO}").data["full_name"] == REPO
    assert github.clock.waits == [1, 2, 4]


def test_reads_give_up_in_the_end(github: Github, client: Client) -> None:
    github.faults.add("reset", lambda call: True, times=99)
    with pytest.raises(UnansweredError):
        client.get(f"/repos/{REPO}")
    assert len(github.calls) == 5


def test_patience_ends_before_a_wait_that_is_too_long(github: Github) -> None:
    patience = Patience(github.clock, left_s=100)

    def limited() -> None:
        raise LimitedError(101, stated=True)

    with pytest.raises(LimitedError):
        read(limited, patience)
    assert github.clock.waits == []


def test_a_graphql_limit_inside_a_200_is_waited_for(github: Github, client: Client) -> None:
    github.faults.add("graphql_rate_limited", lambda call: True)
    assert client.query("query { viewer { login } }")["viewer"]["login"] == "github-actions[bot]"
    assert github.clock.waits == [601]


def test_a_permission_that_is_missing_inside_a_200_is_said(github: Github, client: Client) -> None:
    github.faults.add("graphql_forbidden", lambda call: True)
    with pytest.raises(DeclinedError) as caught:
        client.query("query { viewer { login } }")
    assert caught.value.status == 403


NOW = 1_000_000.0
LIMITS = [
    (403, {}, "Resource not accessible", None),
    (404, {"retry-after": "5"}, "", None),
    (403, {"retry-after": "5"}, "", (5, True)),
    (429, {"retry-after": "5"}, "", (5, True)),
    (429, {}, "", (60, False)),
    (403, {}, "You have exceeded a secondary rate limit", (60, False)),
    (403, {}, "You have triggered an abuse detection mechanism", (60, False)),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "1000030"}, "", (31, True)),
    (403, {"x-ratelimit-remaining": "0", "x-ratelimit-reset": "999000"}, "", (1, True)),
    (403, {"x-ratelimit-remaining": "7", "x-ratelimit-reset": "1000030"}, "no", None),
    (429, {"retry-after": "Mon, 12 Jan 1970 13:47:10 GMT"}, "", (30, True)),
    (429, {"retry-after": "soon"}, "", (60, False)),
]


@pytest.mark.parametrize(("status", "headers", "message", "expected"), LIMITS)
def test_the_kinds_of_limits(
    status: int, headers: dict[str, str], message: str, expected: tuple[float, bool] | None
) -> None:
    found = limit_of(status, headers, message, NOW)
    assert (found and (found.wait_s, found.stated)) == expected


def test_the_graphql_address_of_each_kind_of_server() -> None:
    def address(url: str) -> str:
        return Client(GithubConfig(api_url=url), FixedToken(TOKEN)).graphql_url

    assert address("https://api.github.com") == "https://api.github.com/graphql"
    assert address("https://ghe.example.com/api/v3") == "https://ghe.example.com/api/graphql"
    assert address("https://ghe.example.com/api/v3/") == "https://ghe.example.com/api/graphql"


def test_what_went_wrong_becomes_a_sentence_for_users(github: Github, client: Client) -> None:
    github.faults.add("reset", lambda call: True, times=99)
    with pytest.raises(Exception, match="github-unanswered") as caught:
        told("the place", lambda: client.get(f"/repos/{REPO}"))
    assert json.dumps(caught.value.values)  # type: ignore[attr-defined]


def _id(github: Github) -> int:
    return github.world.repos[REPO].id
