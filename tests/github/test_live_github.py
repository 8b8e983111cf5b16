"""The real GitHub, for a human with a scratch repository: what `tests.support.github.assumed` only assumes.

GITHUB_LIVE=1 GITHUB_TOKEN=... GITHUB_LIVE_TARGETS="issue:me/it#1 discussion:me/it#2" pytest THIS_FILE
Each target gets a report, once; it is found again and taken back. CONTRIBUTING.md says how to prepare it.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.config.github import GithubConfig
from bot.delivery.posting import Asked, Poster, common_key, surface
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.discussions import DiscussionThread
from bot.github.marker import Marker
from bot.github.outbox import Entry, Outbox
from bot.github.surface import Delivery, Surface
from bot.github.targets import (
    UPSTREAM_OWNERS,
    CategoryTarget,
    DiscussionTarget,
    GithubTarget,
    IssueTarget,
    parse,
)
from tests.support.github.places import finished

pytestmark = pytest.mark.skipif(os.environ.get("GITHUB_LIVE") != "1", reason="needs GITHUB_LIVE=1")
TARGETS = os.environ.get("GITHUB_LIVE_TARGETS", "").split()
RUN = finished()
#: Keys of their own for this process, so that an earlier test's leftovers are not found.
COMMENT = f"live-{os.getpid()}"


@pytest.fixture(scope="module")
def live() -> Iterator[Client]:
    made = Client(GithubConfig(), credentials(GithubConfig()))
    yield made
    made.close()


@pytest.fixture(scope="module")
def asked(live: Client) -> Asked:
    """Nobody but the token's own account is mentioned."""
    login = live.query("query { viewer { login } }")["viewer"]["login"]
    return Asked(COMMENT, login.removesuffix("[bot]"))


def safe(text: str) -> GithubTarget:
    """A place from which a post can be taken back, and that is nobody else's."""
    target = parse(text)
    assert isinstance(target, IssueTarget | DiscussionTarget | CategoryTarget), f"{text}: no way back there"
    assert target.repo.partition("/")[0].lower() not in UPSTREAM_OWNERS, f"{text}: not in upstream's tracker"
    return target


def take_back(place: Surface, key: str) -> None:
    """All of it, also what should not be there."""
    for found in place.look(Marker(key)):
        place.remove(found)
    assert place.look(Marker(key)) == []


@pytest.mark.parametrize("text", TARGETS)
def test_a_report_is_posted_found_again_and_taken_back(
    text: str, live: Client, asked: Asked, tmp_path: Path
) -> None:
    target = safe(text)
    entry = Entry(target=text, key=common_key([RUN], asked), runs=(RUN,), asked_in=asked.comment)
    place = surface(live, target, entry)
    poster = Poster(lambda: live, Outbox(tmp_path))
    try:
        actions = [poster.post([RUN], [target], asked)[0] for _ in range(2)]
        assert [item.error for item in actions] == [None, None]
        assert [item.action for item in actions] == ["created", "unchanged"]
        assert len(place.look(Marker(entry.key))) == 1
    finally:
        take_back(place, entry.key)


@pytest.mark.parametrize("text", [item for item in TARGETS if isinstance(parse(item), DiscussionTarget)])
def test_a_reply_and_a_reply_to_it_stand_in_one_thread(text: str, live: Client) -> None:
    target = safe(text)
    assert isinstance(target, DiscussionTarget)
    keys = [f"{COMMENT}-{number}" for number in range(3)]
    places = [DiscussionThread(live, target)]
    try:
        for key in keys:
            posted = deliver(live, places[-1], key)
            places.append(DiscussionThread(live, DiscussionTarget(target.repo, target.number, posted)))
        assert len(places[1].look(Marker(keys[1]))) == len(places[1].look(Marker(keys[2]))) == 1
    finally:
        for place, key in [*zip(places, keys, strict=False)][::-1]:
            take_back(place, key)


def deliver(live: Client, place: Surface, key: str) -> str:
    """The node id of a short post."""
    text = "A test of llama-release-bot; it takes this back."
    return Delivery(place, Marker(key), lambda _: text, live.patience, key).run().id
