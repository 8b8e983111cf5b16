"""A GitHub of their own for the tests of this room: what it or the client says wrongly fails the test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.config.github import GithubConfig
from bot.delivery.posting import Poster
from bot.github.auth import FixedToken
from bot.github.client import Client
from bot.github.outbox import Outbox
from tests.support.github.places import TOKEN, populate
from tests.support.github.server import Github


@pytest.fixture
def github() -> Iterator[Github]:
    """A GitHub with `octo/bench` in it."""
    made = Github()
    populate(made.world)
    made.start()
    yield made
    made.stop()
    assert made.violations == []


@pytest.fixture
def client(github: Github) -> Iterator[Client]:
    """A client of that GitHub, whose time is the GitHub's."""
    made = Client(GithubConfig(api_url=github.url), FixedToken(TOKEN), github.clock)
    yield made
    made.close()


MakePoster = Callable[..., Poster]


@pytest.fixture
def poster(github: Github, tmp_path: Path) -> MakePoster:
    """Makes a poster as a new process would: a new client, the same outbox."""

    def make(*, timeout_s: int = 30, force: bool = False, **config: object) -> Poster:
        settings = GithubConfig.model_validate({"api_url": github.url, **config})
        client = Client(settings, FixedToken(TOKEN), github.clock, force_upstream=force, timeout_s=timeout_s)
        return Poster(lambda: client, Outbox(tmp_path / "outbox"))

    return make
