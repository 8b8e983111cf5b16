"""Reactions, comments found again by their key, and older reports marked as outdated."""

import pytest

from bot.delivery.posting import Asked
from bot.errors import BotError
from bot.github.acts import Acts
from bot.github.client import Client
from bot.github.events import Place
from bot.github.replies import Minimise, React, Write
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


@pytest.fixture
def acts(request: pytest.FixtureRequest, github: Github, client: Client) -> Acts:
    """Acts for comment 77 of the thread of the test's kind."""
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
    return Acts(client, place)


@pytest.mark.parametrize("kind", KINDS)
def test_a_reaction_is_one_request_and_stands_once(kind: str, github: Github, acts: Acts) -> None:
    acts.do([React(content="eyes")])
    assert len(github.calls) == 1
    acts.do([React(content="eyes"), React(content="rocket")])
    contents = [content.lower() for _, content in thread_of(github, kind).comments[0].reactions]
    assert contents == ["eyes", "rocket"]


@pytest.mark.parametrize("kind", KINDS)
def test_progress_is_one_comment_edited_in_place(kind: str, github: Github, acts: Acts) -> None:
    for text in ("queued", "building", "measuring"):
        acts.do([Write(key="progress:77", text=text, mode="replace")])
    _, progress = thread_of(github, kind).comments
    assert progress.body == "<!-- llama-release-bot:v1 key=progress:77 -->\n\nmeasuring\n"
    assert len(github.calls) == 6


@pytest.mark.parametrize("kind", KINDS)
def test_an_answer_is_given_once(kind: str, github: Github, acts: Acts) -> None:
    acts.do([Write(key="answer:77", text="first", mode="once")])
    acts.do([Write(key="answer:77", text="second", mode="once")])
    assert [item.body.splitlines()[-1] for item in thread_of(github, kind).comments] == ["/bench", "first"]
    assert len(github.writes()) == 1


@pytest.mark.parametrize("kind", KINDS)
def test_older_reports_of_the_pair_are_marked_as_outdated(
    kind: str, github: Github, acts: Acts, poster: MakePoster
) -> None:
    thread = thread_of(github, kind)
    thread.comments.append(Comment(70, OWNER, "/bench", github.world.stamp()))
    target = parse(f"{'discussion' if kind == 'discussion' else 'issue'}:{REPO}#{NUMBERS[kind]}")
    for comment in ("70", "77"):
        poster().post([RUN], [target], Asked(comment, "octo"))
    poster().post([RUN], [target])
    other = RUN.machine.model_copy(update={"id": "other"})
    assert acts.minimise(Minimise(keep=77), RUN.pair, other) == 0
    assert acts.minimise(Minimise(keep=77), RUN.pair, RUN.machine) == 1
    assert [item.minimized for item in thread.comments if item.author == BOT] == ["outdated", None, None]
    github.calls.clear()
    assert acts.minimise(Minimise(keep=77), RUN.pair, RUN.machine) == 0
    assert len(github.calls) == 1


@pytest.mark.parametrize("kind", ["issue"])
def test_a_forbidden_minimisation_is_no_failure(
    kind: str, github: Github, acts: Acts, poster: MakePoster
) -> None:
    thread_of(github, kind).comments.append(Comment(70, OWNER, "/bench", github.world.stamp()))
    poster().post([RUN], [parse(f"issue:{REPO}#1")], Asked("70", "octo"))
    github.world.tokens[TOKEN].permissions["issues"] = "read"
    assert acts.minimise(Minimise(keep=77), RUN.pair, RUN.machine) == 0


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_finish_costs_at_most_eight_requests(
    kind: str, github: Github, acts: Acts, poster: MakePoster
) -> None:
    thread_of(github, kind).comments.append(Comment(70, OWNER, "/bench", github.world.stamp()))
    target = parse(f"{'discussion' if kind == 'discussion' else 'issue'}:{REPO}#{NUMBERS[kind]}")
    poster().post([RUN], [target], Asked("70", "octo"))
    acts.do([React(content="eyes"), Write(key="progress:77", text="queued", mode="replace")])
    github.calls.clear()
    poster().post([RUN], [target], Asked("77", "octo"))
    done = [
        Write(key="progress:77", text="done", mode="replace"),
        Minimise(keep=77),
        React(content="rocket"),
    ]
    acts.do(done, RUN.pair, RUN.machine)
    assert len(github.calls) == 7


@pytest.mark.parametrize("kind", ["issue", "discussion"])
def test_nothing_is_done_in_upstream(kind: str, github: Github, acts: Acts) -> None:
    there = Acts(acts.client, acts.place.model_copy(update={"owner": "ggml-org", "repo": "llama.cpp"}))
    with pytest.raises(BotError) as caught:
        there.react("eyes")
    assert caught.value.code == "github-upstream"
    assert github.calls == []
