"""Answers in a thread under trouble: each once, and nothing fails for a kindness that GitHub refuses."""

import pytest

from bot.errors import BotError
from bot.github import replies
from bot.github.acting import Actor
from bot.github.client import Client
from bot.github.closing import Closing
from bot.github.events import Place
from bot.github.marker import Marker, key_of
from bot.github.replies import Minimise, React, Write
from bot.github.wording import Progress, Voice
from bot.report.words import catalog
from tests.support.github.faults import Kind
from tests.support.github.places import BOT, REPO, finished
from tests.support.github.server import Github
from tests.support.github.state import Comment, Person, node_id

RUN = finished()
VOICE = Voice((catalog("en"),))
WRITE = Write(key="progress:1", text="Accepted.", mode="replace")
#: Faults after which the first attempt may or may not have worked, or surely has not.
TROUBLE: tuple[Kind, ...] = ("502", "502_after", "reset_after", "secondary_403_retry_after", "primary_429")


def place(github: Github, kind: str = "issue") -> Place:
    """A comment of a person in issue 1 or discussion 3."""
    repo = github.world.repos[REPO]
    thread = repo.discussions[3] if kind == "discussion" else repo.issues[1]
    asking = Comment(github.world.next_id(), Person("ada"), "/bench", github.world.stamp())
    thread.comments.append(asking)
    node = node_id("DiscussionComment" if kind == "discussion" else "IssueComment", asking.id)
    values = {"kind": kind, "owner": "octo", "repo": "bench", "number": thread.number}
    return Place.model_validate({**values, "comment_id": asking.id, "comment_node": node})


def ours(github: Github) -> list[str]:
    return [item.body for item in github.world.repos[REPO].issues[1].comments if item.author.bot]


@pytest.mark.parametrize("kind", ["issue", "discussion"])
@pytest.mark.parametrize("fault", TROUBLE)
def test_a_reaction_gets_there_through_trouble(
    github: Github, client: Client, kind: str, fault: Kind
) -> None:
    where = place(github, kind)
    github.faults.add(fault)
    Actor(client, where).do(replies.acknowledge())
    repo = github.world.repos[REPO]
    asking = (repo.discussions[3] if kind == "discussion" else repo.issues[1]).comments[0]
    assert [content.lower() for _, content in asking.reactions] == ["eyes"]


@pytest.mark.parametrize("fault", TROUBLE)
def test_a_comment_is_there_once_after_trouble(github: Github, client: Client, fault: Kind) -> None:
    actor = Actor(client, place(github))
    github.faults.add(fault)
    actor.do([WRITE])
    assert ours(github) == [Marker("progress:1").put("Accepted.")]


def test_progress_is_edited_in_place_and_an_answer_is_given_once(github: Github, client: Client) -> None:
    where = place(github)
    actor = Actor(client, where)
    for stage in ("accepted", "measuring"):
        actor.do(replies.progress(VOICE, Progress(line="/bench b1", stage=stage), where))  # type: ignore[arg-type]
    actor.do([Write(key="answer:1", text="No.", mode="once")])
    actor.do([Write(key="answer:1", text="Still no.", mode="once")])
    assert len(ours(github)) == 2
    assert "Measuring." in ours(github)[0]
    assert ours(github)[1].endswith("No.\n") and "Still" not in ours(github)[1]


def test_an_acknowledgement_costs_three_requests(github: Github, client: Client) -> None:
    where = place(github)
    actor = Actor(client, where)
    actor.do(replies.acknowledge())
    actor.do(replies.progress(VOICE, Progress(line="/bench b1", stage="accepted"), where))
    assert [call.write for call in github.calls] == [True, False, True]


def test_upstreams_threads_are_refused_before_the_first_request(github: Github, client: Client) -> None:
    where = place(github).model_copy(update={"owner": "ggml-org", "repo": "llama.cpp"})
    with pytest.raises(BotError) as caught:
        Actor(client, where)
    assert caught.value.code == "github-upstream"
    assert github.calls == []


def older_reports(github: Github, count: int) -> list[Comment]:
    """Earlier `/bench` comments with their reports of the same pair and machine."""
    made = []
    thread = github.world.repos[REPO].issues[1]
    for _ in range(count):
        asking = Comment(github.world.next_id(), Person("ada"), "/bench", github.world.stamp())
        body = Marker(key_of(RUN.pair, RUN.machine, str(asking.id))).put("report")
        made.append(Comment(github.world.next_id(), BOT, body, github.world.stamp()))
        thread.comments += [asking, made[-1]]
    return made


def test_older_reports_of_the_pair_are_outdated_newest_first_and_a_few_at_a_time(
    github: Github, client: Client
) -> None:
    older = older_reports(github, 5)
    where = place(github)
    own = Comment(
        github.world.next_id(),
        BOT,
        Marker(key_of(RUN.pair, RUN.machine, str(where.comment_id))).put("report"),
        github.world.stamp(),
    )
    automatic = Comment(
        github.world.next_id(), BOT, Marker(key_of(RUN.pair, RUN.machine)).put("r"), github.world.stamp()
    )
    github.world.repos[REPO].issues[1].comments += [own, automatic]
    closing = Closing(Actor(client, where), [RUN])
    assert closing.do([Minimise(keep=where.comment_id)]) == []
    assert [item.minimized for item in older] == [None, None, "outdated", "outdated", "outdated"]
    assert (own.minimized, automatic.minimized) == (None, None)
    assert len(github.calls) == 4
    assert closing.do([Minimise(keep=where.comment_id)]) == []
    assert all(item.minimized for item in older)


def test_somebody_elses_copy_of_a_hidden_line_is_left_alone(github: Github, client: Client) -> None:
    (older,) = older_reports(github, 1)
    older.author = Person("mallory")
    where = place(github)
    Closing(Actor(client, where), [RUN]).do([Minimise(keep=where.comment_id)])
    assert older.minimized is None


def test_what_github_refuses_at_the_end_is_told_and_the_rest_is_done(github: Github, client: Client) -> None:
    older_reports(github, 1)
    where = place(github)
    actor = Actor(client, where)
    actor.do(replies.progress(VOICE, Progress(line="/bench b1", stage="accepted"), where))
    github.faults.add("graphql_forbidden", lambda call: call.operation == "minimizeComment")
    acts = replies.finish(VOICE, "/bench b1", "https://github.com/octo/bench/issues/1#issuecomment-1", where)
    errors = Closing(actor, [RUN]).do(acts)
    assert [error.code for error in errors] == ["github-forbidden"]
    assert any("[Report](" in body for body in ours(github))
    asking = next(item for item in github.world.repos[REPO].issues[1].comments if item.id == where.comment_id)
    assert [content for _, content in asking.reactions] == ["rocket"]
    assert React(content="rocket") in acts
