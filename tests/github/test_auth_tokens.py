"""Who we are: tokens and Apps, renewed in time; and no secret anywhere but on the wire."""

import io
import logging
import traceback
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from bot.config.github import GithubConfig
from bot.delivery.posting import Poster
from bot.errors import BotError, Exit
from bot.github.auth import AppToken, FixedToken, credentials
from bot.github.client import Client
from bot.github.outbox import Outbox
from bot.github.targets import parse
from tests.support.github.faults import KINDS
from tests.support.github.places import BOT, REPO, TOKEN, finished
from tests.support.github.server import Github
from tests.support.github.state import Grant

RUN = finished()
HOUR = 3600


@pytest.fixture(scope="module")
def key() -> str:
    made = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    return made.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    ).decode()


def app(github: Github, key: str, **config: object) -> Client:
    settings = GithubConfig.model_validate({"api_url": github.url, "app_id": 7, **config})
    found = credentials(settings, {"GITHUB_APP_PRIVATE_KEY": key}, github.clock)
    return Client(settings, found, github.clock)


def poster(client: Client, folder: Path) -> Poster:
    return Poster(lambda: client, Outbox(folder))


def test_the_token_of_the_environment_is_used() -> None:
    config = GithubConfig()
    assert credentials(config, {"GITHUB_TOKEN": " abc\n", "GH_TOKEN": "other"}).token() == "abc"
    assert credentials(config, {"GITHUB_TOKEN": "", "GH_TOKEN": "other"}).token() == "other"


@pytest.mark.parametrize(
    ("environ", "code"),
    [({}, "no-token"), ({"GITHUB_TOKEN": "  "}, "no-token"), ({"GITHUB_TOKEN": "a b"}, "odd-token"),
     ({"GITHUB_TOKEN": "ab\ncd"}, "odd-token"), ({"GITHUB_TOKEN": "tökén"}, "odd-token")],
)  # fmt: skip
def test_no_token_or_a_mangled_one_is_said_without_showing_it(environ: dict[str, str], code: str) -> None:
    with pytest.raises(BotError) as caught:
        credentials(GithubConfig(), environ)
    assert (caught.value.code, caught.value.exit_code) == (code, Exit.USAGE)
    assert caught.value.values == {}


def test_an_app_posts_with_an_installations_token(github: Github, key: str, tmp_path: Path) -> None:
    github.world.installations[42] = Grant(BOT)
    client = app(github, key, installation_id=42)
    (outcome,) = poster(client, tmp_path).post([RUN], [parse(f"issue:{REPO}#1")])
    assert outcome.action == "created"
    assert [call.path for call in github.calls] == [
        "/app/installations/42/access_tokens",
        "/graphql",
        f"/repos/{REPO}/issues/1/comments",
    ]


def test_an_apps_only_installation_is_found(github: Github, key: str) -> None:
    github.world.installations[42] = Grant(BOT)
    assert app(github, key).get(f"/repos/{REPO}").data["full_name"] == REPO
    github.world.installations[43] = Grant(BOT)
    with pytest.raises(BotError) as caught:
        app(github, key).get(f"/repos/{REPO}")
    assert (caught.value.code, caught.value.values) == ("github-installations", {"found": "42 | 43"})


def test_an_apps_token_is_renewed_before_it_ends(github: Github, key: str) -> None:
    github.world.installations[42] = Grant(BOT)
    client = app(github, key, installation_id=42)
    client.get(f"/repos/{REPO}")
    github.clock.sleep(HOUR - 60)
    client.get(f"/repos/{REPO}")
    tokens = [call for call in github.calls if call.path.endswith("access_tokens")]
    assert len(tokens) == 2
    assert all(call.status < 300 for call in github.calls)


@pytest.mark.parametrize("target", [f"issue:{REPO}#1", f"discussion:{REPO}#3", f"release:{REPO}@v1"])
def test_an_apps_token_that_ends_in_mid_run_is_renewed_and_the_post_made_once(
    target: str, github: Github, key: str, tmp_path: Path
) -> None:
    github.world.installations[42] = Grant(BOT)
    github.faults.add("token_expired", lambda call: call.write and "access_tokens" not in call.path)
    client = app(github, key, installation_id=42)
    (outcome,) = poster(client, tmp_path).post([RUN], [parse(target)])
    assert outcome.error is None
    assert len([call for call in github.writes() if call.status in (200, 201)]) == 3


def test_a_key_that_is_none_is_said_without_showing_it(github: Github) -> None:
    secret = "-----BEGIN RSA PRIVATE KEY-----\nTOPSECRET\n-----END RSA PRIVATE KEY-----"
    with pytest.raises(BotError) as caught:
        app(github, secret, installation_id=42).get(f"/repos/{REPO}")
    assert caught.value.code == "github-app"
    assert "TOPSECRET" not in "".join(traceback.format_exception(caught.value))


def test_an_app_that_github_does_not_know_is_said(github: Github, key: str) -> None:
    with pytest.raises(BotError) as caught:
        app(github, key, installation_id=41).get(f"/repos/{REPO}")
    assert (caught.value.code, caught.value.exit_code) == ("github-app", Exit.GITHUB)


def test_the_key_may_be_in_a_file(key: str, tmp_path: Path) -> None:
    (tmp_path / "key.pem").write_text(key)
    found = credentials(GithubConfig(app_id=7, private_key=tmp_path / "key.pem"), {})
    assert isinstance(found, AppToken)
    with pytest.raises(BotError) as caught:
        credentials(GithubConfig(app_id=7, private_key=tmp_path / "none.pem"), {})
    assert caught.value.code == "cannot-read"
    with pytest.raises(BotError) as caught:
        credentials(GithubConfig(app_id=7), {})
    assert caught.value.code == "no-app-key"


@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.parametrize("target", [f"issue:{REPO}#1", f"discussion:{REPO}#3"])
def test_no_log_record_repr_or_exception_holds_the_token(
    fault: str, target: str, github: Github, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("github", "urllib3", "httpx", "httpcore", "github.Requester"):
        logging.getLogger(name).setLevel(logging.DEBUG)
    client = Client(GithubConfig(api_url=github.url), FixedToken(TOKEN), github.clock, timeout_s=1)
    github.faults.add(fault, lambda call: call.write, times=2)  # type: ignore[arg-type]
    (outcome,) = poster(client, tmp_path / "outbox").post([RUN], [parse(target)])
    out = io.StringIO()
    if outcome.error:
        traceback.print_exception(outcome.error, file=out, chain=True)
    said = caplog.text + out.getvalue() + repr(outcome) + repr(client) + repr(client.credentials)
    said += "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert TOKEN not in said
    assert "S3cr3t" not in said
