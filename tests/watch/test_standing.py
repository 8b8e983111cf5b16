"""Which posts are looked over again: one entry for each post of an upgrade, also of one under doubt."""

from typing import Any

from bot.delivery.handover import Request
from bot.delivery.remembering import Result
from bot.delivery.standing import standing
from bot.delivery.troubling import considered
from bot.github.events import Place
from bot.watch.jobs import Job
from bot.watch.trouble import OpenIssue, OpenIssues
from tests.support.github.places import finished

URL = "https://github.com/octo/bench/issues/1#issuecomment-1"


def result(outcome: str = "upgrade", profile: str = "default", *posts: str) -> Result:
    run = finished(outcome)
    job = Job(
        id=f"w1-{profile}",
        machine="den",
        labels=("gpu",),
        profile=profile,
        base="b9556",
        base_sha=run.pair.base.sha,
        head="b9602",
        head_sha=run.pair.head.sha,
        minutes=60,
    )
    return Result(job, run, posts or (URL,))


def entries(*results: Result, request: Request | None = None) -> Any:
    return standing(results, ["issue:octo/bench#1"], request, lambda _: "page", 5.0)


def test_profiles_that_share_a_post_share_an_entry() -> None:
    (entry,) = entries(result("upgrade"), result("optional", "other"))
    assert entry.records == ("runs/b9602/den-default-w1-default", "runs/b9602/den-other-w1-other")
    assert (entry.targets, entry.files, entry.at) == (("issue:octo/bench#1",), "page", 5.0)


def test_only_what_could_change_is_entered() -> None:
    for outcome in ("optional", "hold-regression", "cannot-tell", "self-test-passed"):
        assert entries(result(outcome)) == ()
    unposted = Result(result().job, result().run, ())
    assert entries(unposted) == ()


def test_an_upgrade_under_doubt_is_entered_for_it_may_be_given_back() -> None:
    made = result()
    issue = OpenIssue(number=1, title="t", created="2026-06-01", versions=(9602,))
    found = OpenIssues(repository="ggml-org/llama.cpp", looked_up_at="2026-06-02", items=(issue,))
    doubted = considered(made.run, found)
    assert doubted.verdict is not None and doubted.verdict.code == "optional"
    assert len(entries(Result(made.job, doubted, made.posts))) == 1


def test_a_report_that_was_asked_for_keeps_who_asked_where() -> None:
    place = Place.model_validate(
        {"owner": "octo", "repo": "bench", "kind": "issue", "number": 1, "comment_id": 7}
    )
    (entry,) = entries(result(), request=Request(place=place, login="ada", line="/bench"))
    assert (entry.comment, entry.login) == ("7", "ada")
