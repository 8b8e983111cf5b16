"""Answers in discussions: in the thread of the comment that asked, once, however deep and old it is."""

import pytest

from bot.delivery.posting import Asked
from bot.github import replies
from bot.github.acting import Actor
from bot.github.client import Client
from bot.github.closing import Closing
from bot.github.events import Place
from bot.github.replies import Write
from bot.github.targets import parse
from bot.github.wording import Voice
from bot.report.words import catalog
from tests.github.conftest import MakePoster
from tests.support.github.faults import Kind
from tests.support.github.places import BOT, OWNER, REPO, finished
from tests.support.github.server import Github
from tests.support.github.state import Comment, Thread, node_id

RUN = finished()
TARGET = parse(f"discussion:{REPO}#3")
OLD = "2020-01-01T00:00:00Z"
PROGRESS = Write(key="progress:77", text="Accepted.", mode="replace")


@pytest.fixture
def thread(github: Github) -> Thread:
    """A discussion with an old comment (70), a reply (77) that asks, and 150 newer comments."""
    made = github.world.repos[REPO].discussions[3]
    made.comments.append(Comment(70, OWNER, "what about b9602?", OLD))
    made.comments[0].replies.append(Comment(77, OWNER, "/bench b9602", github.world.stamp()))
    made.comments += [Comment(20000 + number, OWNER, "hm", github.world.stamp()) for number in range(150)]
    return made


def place(comment: int) -> Place:
    node = node_id("DiscussionComment", comment)
    return Place(
        kind="discussion", owner="octo", repo="bench", number=3, comment_id=comment, comment_node=node
    )


def asked(comment: int) -> Asked:
    return Asked(str(comment), "octo", node_id("DiscussionComment", comment))


def ours(thread: Thread) -> tuple[list[str], int]:
    """The bot's replies below comment 70, and how many comments of its stand elsewhere."""
    near = [item.body for item in thread.comments[0].replies if item.author == BOT]
    every = [*thread.comments, *(reply for item in thread.comments for reply in item.replies)]
    return near, sum(item.author == BOT for item in every) - len(near)


@pytest.mark.parametrize("comment", [77, 70])
def test_an_answer_stands_in_the_thread_of_the_comment_and_is_edited_there(
    thread: Thread, client: Client, comment: int
) -> None:
    for text in ("Accepted.", "Measuring."):
        Actor(client, place(comment)).write(PROGRESS.model_copy(update={"text": text}))
    (body,), elsewhere = ours(thread)
    assert body.endswith("Measuring.\n") and elsewhere == 0


FAULTS: tuple[Kind, ...] = ("502", "502_after", "timeout_after", "reset_after", "secondary_403_retry_after")


@pytest.mark.parametrize("fault", FAULTS)
def test_a_report_in_a_thread_comes_once_through_trouble(
    github: Github, thread: Thread, poster: MakePoster, fault: Kind
) -> None:
    github.faults.add(fault)
    for _ in range(2):
        poster(timeout_s=2).post([RUN], [TARGET], asked(77))
    near, elsewhere = ours(thread)
    assert (len(near), elsewhere) == (1, 0)


def test_it_is_found_among_many_newer_replies(github: Github, thread: Thread, poster: MakePoster) -> None:
    poster().post([RUN], [TARGET], asked(77))
    thread.comments[0].replies += [Comment(50000 + n, OWNER, "hm", github.world.stamp()) for n in range(120)]
    (outcome,) = poster().post([RUN], [TARGET], asked(77))
    assert (outcome.action, len(ours(thread)[0])) == ("unchanged", 1)


def test_the_end_shrinks_the_progress_and_minimises_there(
    github: Github, thread: Thread, client: Client, poster: MakePoster
) -> None:
    thread.comments[0].replies.insert(0, Comment(60, OWNER, "/bench b9602", github.world.stamp()))
    for comment in (60, 77):
        poster().post([RUN], [TARGET], asked(comment))
    actor = Actor(client, place(77))
    actor.write(PROGRESS)
    github.calls.clear()
    acts = replies.finish(Voice((catalog("en"),)), "/bench b9602", "https://x", place(77))
    assert Closing(actor, [RUN]).do(acts) == []
    assert len(github.calls) == 4
    bot = [item for item in thread.comments[0].replies if item.author == BOT]
    assert [item.minimized for item in bot] == ["outdated", None, None]
    assert "[Report](https://x)" in bot[2].body


def test_where_the_asking_comment_is_gone_the_report_stands_by_itself(
    thread: Thread, poster: MakePoster
) -> None:
    thread.comments[0].replies.clear()
    for _ in range(2):
        poster().post([RUN], [TARGET], asked(77))
    assert ours(thread) == ([], 1)


def test_a_comment_of_another_discussion_is_not_answered_there(
    github: Github, thread: Thread, poster: MakePoster
) -> None:
    other = Thread(4, "Other", OWNER, kind="Discussion", category="general")
    other.comments.append(Comment(99, OWNER, "/bench", github.world.stamp()))
    github.world.repos[REPO].discussions[4] = other
    poster().post([RUN], [TARGET], asked(99))
    assert other.comments[0].replies == [] and ours(thread) == ([], 1)
