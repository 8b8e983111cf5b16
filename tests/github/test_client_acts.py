"""Reactions, comments found again by their key, and older reports marked as outdated."""

import pytest

from bot.delivery.posting import Asked
from bot.errors import BotError
from bot.github.acting import Actor
from bot.github.client import Client
from bot.github.closing import Closing
from bot.github.events import Place
from bot.github.replies import Act, Minimise, React, Write
from bot.github.targets import parse
from tests.github.conftest import MakePoster
from tests.support.github.places import BOT, OWNER, REPO, TOKEN, finished
from tests.support.github.server import Github
from tests.support.github.state import Comment, Thread, node_id

RUN = finished()
KINDS = ("issue", "pull", "discussion")
NUMBERS = {"issue": 1, "pull": 2, "discussion": 3}


def thread_of(github: Github, kind: str) -> Thread:
    repo = github.world.repos[REPO]
    return (repo.issues | repo.discussions)[NUMBERS[kind]]


def answers(github: Github, kind: str) -> list[Comment]:
    """Ours: below the asking comment in a discussion, after it elsewhere."""
    comments = thread_of(github, kind).comments
    return comments[0].replies if kind == "discussion" else comments[1:]


@pytest.fixture
def actor(request: pytest.FixtureRequest, github: Github, client: Client) -> Actor:
    """Acts on comment 77 of the thread of the test's kind."""
    kind = request.getfixturevalue("kind")
    thread_of(github, kind).comments.append(Comment(77, OWNER, "/bench", github.world.stamp()))
    place = Place(
        kind=kind,
        owner="octo",
        repo="bench",
        number=NUMBERS[kind],
        comment_id=77,
        comment_node=node_id("DiscussionComment", 77) if kind == "discussion" else None,
    )
    return Actor(client, place)


@pytest.mark.parametrize("kind", KINDS)
def test_a_reaction_is_one_request_and_stands_once(kind: str, github: Github, actor: Actor) -> None:
    actor.do([React(content="eyes")])
    assert len(github.calls) == 1
    actor.do([React(content="eyes"), React(content="rocket")])
    contents = [content.lower() for _, content in thread_of(github, kind).comments[0].reactions]
    assert contents == ["eyes", "rocket"]


@pytest.mark.parametrize("kind", KINDS)
def test_progress_is_one_comment_edited_in_place(kind: str, github: Github, actor: Actor) -> None:
    for text in ("queued", "building", "measuring"):
        actor.do([Write(key="progress:77", text=text, mode="replace")])
    (progress,) = answers(github, kind)
    assert progress.body == "<!-- llama-release-bot:v1 key=progress:77 -->\n\nmeasuring\n"
    assert len(github.calls) == 6


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_given_once(kind: str, github: Github, actor: Actor) -> None:
    actor.do([Write(key="answer:77", text="first", mode="once")])
    actor.do([Write(key="answer:77", text="second", mode="once")])
    assert [item.body.splitlines()[-1] for item in answers(github, kind)] == ["first"]
    assert len(github.writes()) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_older_reports_of_the_pair_are_marked_as_outdated(
    kind: str, github: Github, actor: Actor, poster: MakePoster
) -> None:
    thread = thread_of(github, kind)
    thread.comments.append(Comment(70, OWNER, "/bench", github.world.stamp()))
    target = parse(f"{'discussion' if kind == 'discussion' else 'issue'}:{REPO}#{NUMBERS[kind]}")
    for comment in ("70", "77"):
        poster().post([RUN], [target], Asked(comment, "octo"))
    poster().post([RUN], [target])
    other = RUN.machine.model_copy(update={"id": "other"})
    keep = [Minimise(keep=77)]
    assert Closing(actor, [RUN.model_copy(update={"machine": other})]).do(keep) == []
    assert len(github.writes()) == 3
    assert Closing(actor, [RUN]).do(keep) == []
    assert [item.minimized for item in thread.comments if item.author == BOT] == ["outdated", None, None]
    github.calls.clear()
    assert Closing(actor, [RUN]).do(keep) == []
    assert len(github.calls) == 1


@pytest.mark.parametrize("kind", ["issue"])
def test_a_forbidden_minimisation_is_no_failure(
    kind: str, github: Github, actor: Actor, poster: MakePoster
) -> None:
    thread_of(github, kind).comments.append(Comment(70, OWNER, "/bench", github.world.stamp()))
    poster().post([RUN], [parse(f"issue:{REPO}#1")], Asked("70", "octo"))
    github.world.tokens[TOKEN].permissions["issues"] = "read"
    (refused,) = Closing(actor, [RUN]).do([Minimise(keep=77)])
    assert refused.code == "github-forbidden"


@pytest.mark.parametrize("cost", [(1, 6), (5, 8)])
@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_finish_costs_at_most_eight_requests(
    kind: str, cost: tuple[int, int], github: Github, actor: Actor, poster: MakePoster
) -> None:
    earlier, requests = cost
    target = parse(f"{'discussion' if kind == 'discussion' else 'issue'}:{REPO}#{NUMBERS[kind]}")
    for number in range(60, 60 + earlier):
        thread_of(github, kind).comments.append(Comment(number, OWNER, "/bench", github.world.stamp()))
        poster().post([RUN], [target], Asked(str(number), "octo"))
    actor.do([React(content="eyes"), Write(key="progress:77", text="queued", mode="replace")])
    github.calls.clear()
    poster().post([RUN], [target], Asked("77", "octo"))
    done: list[Act] = [
        Write(key="progress:77", text="done", mode="replace"),
        Minimise(keep=77),
        React(content="rocket"),
    ]
    assert Closing(actor, [RUN]).do(done) == []
    assert len(github.calls) == requests


@pytest.mark.parametrize("kind", ["issue", "discussion"])
def test_nothing_is_done_in_upstream(kind: str, github: Github, actor: Actor) -> None:
    there = actor.place.model_copy(update={"owner": "ggml-org", "repo": "llama.cpp"})
    with pytest.raises(BotError) as caught:
        Actor(actor.client, there)
    assert caught.value.code == "github-upstream"
    assert github.calls == []
