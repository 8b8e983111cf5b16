"""Upstream is read on github.com: not on the Enterprise server of our repository, and not with its token."""

from pathlib import Path

import pytest

from bot.config import Settings
from bot.config.github import API, GithubConfig
from bot.config.models import ProfileConfig, UpstreamConfig
from bot.delivery.commanding import gate_of
from bot.delivery.troubling import Look
from bot.github import public as public_module
from bot.github.auth import FixedToken
from bot.github.client import Client
from bot.github.lookups import People
from bot.github.permissions import Origin
from bot.github.public import public
from tests.support.github.llama import add_upstream, report
from tests.support.github.server import Github

ENTERPRISE = "https://github.example.com/api/v3"


@pytest.mark.parametrize("url", [API, f"{API}/", "http://127.0.0.1:8080/api/v3"])
def test_github_com_and_what_stands_for_it_is_asked_as_it_is(url: str) -> None:
    assert public(GithubConfig(api_url=url)) is None


@pytest.mark.parametrize("url", [ENTERPRISE, "https://api.acme.ghe.com"])
def test_beside_another_server_github_com_is_asked_as_nobody(url: str) -> None:
    assert public(GithubConfig(api_url=url, app_id=7)) == GithubConfig(api_url=API)


def test_the_look_leaves_the_enterprise_server_and_its_token_alone(
    github: Github, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The token is one that github.com does not know: sent there, it would be refused."""
    monkeypatch.setenv("GITHUB_TOKEN", "ghp_of_the_enterprise_server")
    monkeypatch.setattr(public_module, "API", github.url)
    report(add_upstream(github.world, "a" * 40), 27001, "crash since b9602")
    look = Look(GithubConfig(api_url=ENTERPRISE), UpstreamConfig(), tmp_path, github.clock)
    assert look.committed_at("a" * 40) is not None
    found = look.at(["b9602"], None, "b9602")
    assert found is not None and found.answered
    assert [item.number for item in found.items] == [27001]


def test_where_a_commit_comes_from_is_asked_of_github_com_and_who_may_of_our_server(
    github: Github, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(public_module, "API", github.url)
    add_upstream(github.world, "a" * 40)
    settings = Settings(
        github=GithubConfig(api_url=ENTERPRISE), profiles={"mine": ProfileConfig(model=Path("m.gguf"))}
    )
    ours = Client(settings.github, FixedToken("ghp_of_the_enterprise_server"), github.clock)
    gate = gate_of(settings, ours)
    assert isinstance(gate.directory, People) and gate.directory.client is ours
    assert gate.commits is not None and gate.commits.origin("a" * 40) == Origin(kind="main")
