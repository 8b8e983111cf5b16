"""Which open issues concern a run, and how."""

from typing import Any

import pytest

from bot.records import Pair
from bot.watch.trouble import OpenIssue, OpenIssues, Span, issue, trouble
from tests.support.changelogs import highlights
from tests.support.runs import HEAD, profile, run

REPOSITORY = "ggml-org/llama.cpp"
SPAN = Span(low=9602, high=9700)


def entry(**changes: Any) -> dict[str, Any]:
    """One of GitHub's list that names the head."""
    values = {
        "number": 27001,
        "title": "Eval bug: crash since b9602",
        "body": "### GGML backends\n\nCUDA\n",
        "created_at": "2026-06-01T20:11:00Z",
        "labels": [{"name": "bug-unconfirmed"}, "regression"],
        "user": {"login": "ada", "type": "User"},
    }
    return values | changes


def found(*items: OpenIssue, **changes: Any) -> OpenIssues:
    return OpenIssues(repository=REPOSITORY, looked_up_at="2026-06-02T07:00:00+00:00", items=items, **changes)


def opened(number: int, **changes: Any) -> OpenIssue:
    return OpenIssue.model_validate({"number": number, "title": "t", "created": "2026-06-01", **changes})


def test_an_issue_is_kept_with_what_it_names() -> None:
    assert issue(entry(body="### GGML backends\n\nCUDA\n\nsince #24411"), REPOSITORY, SPAN) == OpenIssue(
        number=27001,
        title="Eval bug: crash since b9602",
        created="2026-06-01T20:11:00Z",
        labels=("bug-unconfirmed", "regression"),
        backends=("CUDA",),
        versions=(9602,),
        pulls=(24411,),
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"pull_request": {"url": "x"}},
        {"user": {"login": "dependabot", "type": "Bot"}},
        {"labels": [{"name": "Duplicate"}]},
        {"labels": [{"name": "enhancement"}]},
        {"title": "Crash", "body": None},
        {"title": "Crash since b9601"},
        {"number": "27001"},
    ],
)
def test_what_is_no_report_of_trouble_or_names_nothing_is_left_out(changes: dict[str, Any]) -> None:
    assert issue(entry(**changes), REPOSITORY, SPAN) is None


def test_a_head_that_is_no_tag_can_be_named_by_its_changes_only() -> None:
    assert issue(entry(), REPOSITORY, Span()) is None
    kept = issue(entry(body="#24411"), REPOSITORY, Span())
    assert kept is not None and (kept.versions, kept.pulls) == ((), (24411,))


def test_head_before_change_before_newer_before_other_backends() -> None:
    looked = found(
        opened(5, versions=(9611, 9650)),
        opened(4, versions=(9602,), backends=("Vulkan", "Metal")),
        opened(3, pulls=(1, 24411)),
        opened(2, versions=(9602, 9611)),
        opened(1, versions=(9602,), backends=("CUDA",)),
    )
    told = trouble(run(highlights=highlights()), looked)
    assert [(item.number, item.why, item.names, item.elsewhere) for item in told.items] == [
        (2, "head", "b9602", False),
        (1, "head", "b9602", False),
        (3, "pr", "24411", False),
        (5, "newer", "b9611", False),
        (4, "head", "b9602", True),
    ]
    assert told.items[0].url == "https://github.com/ggml-org/llama.cpp/issues/2"


def test_a_change_that_cannot_act_on_the_profile_is_not_looked_for() -> None:
    lines = highlights()
    other = next(item for item in lines.items if item.applies == "no")
    assert other.pr is not None
    assert trouble(run(highlights=lines), found(opened(1, pulls=(other.pr,)))).items == ()


def test_a_processor_is_another_backend_than_a_card() -> None:
    looked = found(opened(1, versions=(9602,), backends=("CPU",)))
    assert trouble(run(), looked).items[0].elsewhere
    assert not trouble(run(profile=profile(backend="cpu")), looked).items[0].elsewhere


def test_a_self_test_recommends_no_tag_and_has_no_trouble() -> None:
    same = run(pair=Pair(base=HEAD, head=HEAD))
    assert trouble(same, found(opened(1, versions=(9602,)))).items == ()


def test_a_look_without_an_answer_stays_one() -> None:
    told = trouble(run(), found(answered=False, complete=False))
    assert (told.answered, told.complete, told.items) == (False, False, ())


def test_what_is_handed_on_fits_into_a_variable_and_says_what_was_left_out() -> None:
    every = found(*(opened(number, versions=(9602,), title="长" * 160) for number in range(400, 0, -1)))
    kept = every.bounded()
    assert len(kept.model_dump_json().encode()) < 50_000
    assert kept.items == every.items[: len(kept.items)] and not kept.complete
    assert found(opened(1)).bounded().complete
