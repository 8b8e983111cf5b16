"""The real GitHub, for a human with a scratch repository: what `tests.support.github.assumed` only assumes.

GITHUB_LIVE=1 GITHUB_TOKEN=... GITHUB_LIVE_TARGETS="issue:me/scratch#1 discussion:me/it#2" pytest THIS_FILE
The posts are taken back at the end.
"""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.config.github import GithubConfig
from bot.delivery.posting import Asked, Poster, common_key, surface
from bot.github.auth import credentials
from bot.github.client import Client
from bot.github.marker import Marker
from bot.github.outbox import Entry, Outbox
from bot.github.targets import FileTarget, parse
from tests.support.github.places import finished

pytestmark = pytest.mark.skipif(os.environ.get("GITHUB_LIVE") != "1", reason="needs GITHUB_LIVE=1")
TARGETS = os.environ.get("GITHUB_LIVE_TARGETS", "").split()
RUN = finished()
#: A key of its own for this process, so that an earlier test's leftovers are not found.
ASKED = Asked(f"live-{os.getpid()}", "ghost")


@pytest.fixture(scope="module")
def live() -> Iterator[Client]:
    made = Client(GithubConfig(), credentials(GithubConfig()))
    yield made
    made.close()


@pytest.mark.parametrize("text", TARGETS)
def test_a_report_is_posted_found_again_and_taken_back(text: str, live: Client, tmp_path: Path) -> None:
    target = parse(text)
    assert not isinstance(target, FileTarget)
    entry = Entry(target=text, key=common_key([RUN], ASKED), runs=(RUN,), asked_in=ASKED.comment)
    place = surface(live, target, entry)
    poster = Poster(lambda: live, Outbox(tmp_path))
    try:
        actions = [poster.post([RUN], [target], ASKED)[0] for _ in range(2)]
        assert [item.error for item in actions] == [None, None]
        assert [item.action for item in actions] == ["created", "unchanged"]
        assert len(place.look(Marker(entry.key))) == 1
    finally:
        for found in place.look(Marker(entry.key)):
            place.remove(found)
    assert place.look(Marker(entry.key)) == []
