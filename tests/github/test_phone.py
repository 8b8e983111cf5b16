"""Word to a phone: first lines and the place of a report, once for each report; addresses stay secret."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.config.notify import AddressSource
from bot.delivery.notice import first_lines, fitted
from bot.delivery.noticed import FolderMemory, StateMemory
from bot.delivery.phone import Phone
from bot.errors import BotError
from bot.github.state import StateFolder
from tests.support.github.places import REPO, TOKEN, finished
from tests.support.github.server import Github
from tests.support.phone import SECRET, Services, services

ROOT = Path(__file__).parents[2]
RUN = finished()
CONFIG = """
profiles: {{ mine: {{ model: m.gguf }} }}
cache: {cache}
github: {{ api_url: "{url}" }}
notify: [env:PHONE, file:phones]
"""
Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]
FIRST = first_lines(RUN)


@pytest.fixture
def phones() -> Iterator[Services]:
    """Services that listen."""
    with services() as made:
        yield made


@pytest.fixture
def post(github: Github, phones: Services, tmp_path: Path) -> Command:
    """Posts the run; one phone stands in a variable, another in a file."""
    config = tmp_path / "config.yml"
    config.write_text(CONFIG.format(cache=tmp_path / "cache", url=github.url))
    (tmp_path / "phones").write_text(f"# mine\n\n{phones.ntfy}\n")
    (tmp_path / "run.json").write_text(RUN.model_dump_json(by_alias=True))

    def run(*words: str, variable: str = phones.json) -> Result:
        done = subprocess.run(
            [
                *(sys.executable, "-c", "from bot.cli import main; main()", "post"),
                *("--config", str(config), str(tmp_path / "run.json"), *words),
            ],
            cwd=ROOT,
            env={**os.environ, "GITHUB_TOKEN": TOKEN, "LC_ALL": "C.UTF-8", "PHONE": variable},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert SECRET not in done.stdout + done.stderr
        return done

    return run


def address(github: Github) -> str:
    number = github.world.repos[REPO].issues[1].comments[0].id
    return f"https://github.com/{REPO}/issues/1#issuecomment-{number}"


def test_every_service_hears_the_first_lines_and_the_place_once(
    github: Github, phones: Services, post: Command, tmp_path: Path
) -> None:
    done = post(f"issue:{REPO}#1", f"discussion:{REPO}#3", "--json")
    assert (done.returncode, done.stderr) == (0, "")
    expected = "\n".join([*FIRST, address(github)])
    assert phones.messages == [expected, expected]
    assert [path for path, _ in phones.told] == ["/hook", "/"]
    assert phones.told[1][1]["topic"] == "topic"
    post(f"issue:{REPO}#1")
    post(f"discussion:{REPO}#3")
    assert len(phones.told) == 2
    kept = [path.read_text() for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert kept and not any(SECRET in text for text in kept)


def test_a_service_that_fails_is_named_fails_nothing_and_is_tried_with_the_next_post(
    github: Github, phones: Services, post: Command
) -> None:
    phones.status = 500
    done = post(f"issue:{REPO}#1")
    assert done.returncode == 0 and "Posted: https://" in done.stdout
    assert "JSON (env:PHONE) did not take" in done.stderr and "ntfy (file:" in done.stderr
    phones.status = 200
    assert post(f"issue:{REPO}#1").stderr == ""
    assert len(phones.told) == 4


def test_what_holds_no_address_is_said_by_its_place_alone(
    github: Github, phones: Services, post: Command
) -> None:
    done = post(f"issue:{REPO}#1", variable="")
    assert "env:PHONE holds no address" in done.stderr
    done = post(f"issue:{REPO}#1", variable=f"tgram-{SECRET}")
    assert "Line 1 of env:PHONE is no address that Apprise knows" in done.stderr
    assert done.returncode == 0 and len(phones.told) == 1


def test_a_dry_run_a_file_and_a_post_that_was_refused_tell_nobody(
    github: Github, phones: Services, post: Command, tmp_path: Path
) -> None:
    post(f"issue:{REPO}#1", "--dry-run")
    post(f"file:{tmp_path / 'out.md'}")
    github.world.repos[REPO].issues[1].locked = True
    assert post(f"issue:{REPO}#1").returncode == 5
    assert phones.told == []


@pytest.mark.parametrize("value", [f"tgram://{SECRET}/1", f"[tgram://{SECRET}/1]", f"{{ a: '{SECRET}' }}"])
def test_an_address_in_the_settings_is_refused_and_not_repeated(value: str, tmp_path: Path) -> None:
    config = tmp_path / "config.yml"
    config.write_text(f"profiles: {{ mine: {{ model: m.gguf }} }}\nnotify: {value}\n")
    done = subprocess.run(
        [sys.executable, "-c", "from bot.cli import main; main()", "watch", "--once", "--config", config],
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2 and "config.yml:2: notify: allowed: env:NAME or file:PATH" in done.stderr
    assert SECRET not in done.stderr


@pytest.fixture
def unsaid() -> list[BotError]:
    return []


def test_on_the_branch_of_the_state_it_is_remembered_without_any_address(
    phones: Services, unsaid: list[BotError], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHONE", phones.json)
    memory = StateMemory(StateFolder(tmp_path))
    told = Phone([AddressSource(variable="PHONE")], memory, unsaid.append)
    phones.status = 503
    told.tell([RUN], "https://x")
    assert [error.code for error in unsaid] == ["notify-refused"]
    phones.status = 200
    for _ in range(2):
        told.tell([RUN], "https://x")
    told.tell([RUN], "https://x", asked_in="77")
    assert phones.messages[1:] == ["\n".join([*FIRST, "https://x"])] * 2
    state = (tmp_path / "state.json").read_text()
    assert len(json.loads(state)["noticed"]) == 2
    assert SECRET not in state and "PHONE" not in state


def test_a_machine_that_is_not_meant_to_tell_says_nothing_of_it(
    unsaid: list[BotError], tmp_path: Path
) -> None:
    sources = [AddressSource(variable="NO_SUCH_VARIABLE_IS_SET")]
    Phone(sources, FolderMemory(tmp_path), unsaid.append, quiet=True).tell([RUN])
    assert unsaid == []
    Phone(sources, FolderMemory(tmp_path), unsaid.append).tell([RUN])
    assert [error.code for error in unsaid] == ["notify-unset"]


def test_the_lines_are_plain_text_in_the_order_of_the_languages() -> None:
    assert FIRST[0].startswith("b9556 → b9602：") and FIRST[1][0].isascii()
    alone = first_lines(RUN.model_copy(update={"languages": ("en",)}))
    assert alone[0].startswith("b9556 → b9602: ") and "Qwen3.6-27B-Q4_K_M · RTX 5080" in alone[1]
    for line in (*FIRST, *alone):
        assert not set("*`<&\\") & set(line)


LINES, LINK = ("判定：建议升级", "Upgrade"), "https://github.com/o/r/issues/1"


@pytest.mark.parametrize(
    ("most", "expected"),
    [
        (200, "判定：建议升级\nUpgrade\nhttps://github.com/o/r/issues/1"),
        (60, "判定：建议升级\nhttps://github.com/o/r/issues/1"),
        (50, "判定：建议…\nhttps://github.com/o/r/issues/1"),
        (20, "判定：建议…"),
    ],
)
def test_what_a_service_does_not_take_goes_from_the_end(most: int, expected: str) -> None:
    assert fitted(LINES, LINK, most) == expected
    assert len(expected.encode()) <= most
