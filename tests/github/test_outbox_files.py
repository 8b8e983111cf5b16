"""What is not posted yet lies on disk: nothing is lost or doubled when a process ends anywhere."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.github.outbox import Entry, Outbox
from bot.github.targets import parse
from tests.github.conftest import MakePoster
from tests.support.github.places import REPO, TOKEN, finished, places
from tests.support.github.server import Github

RUN = finished()
ROOT = Path(__file__).parents[2]
#: Posts to the target in a process of its own, which ends without a word where it is told to.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from bot.config.github import GithubConfig
from bot.github import surface
from bot.github.auth import FixedToken
from bot.github.client import Client
from bot.github.outbox import Outbox
from bot.github.targets import parse
from bot.delivery.posting import Poster
from bot.store import load_run

url, target, outbox, record, where = sys.argv[1:]
def die(*_, **__):
    os.kill(os.getpid(), signal.SIGKILL)
if where == "before-look":
    Client.query = die
if where == "before-send":
    Client.writing = die
if where == "after-send":
    original = Client.writing
    Client.writing = lambda self, call: (original(self, call), die())
client = Client(GithubConfig(api_url=url), FixedToken(os.environ["GITHUB_TOKEN"]))
Poster(lambda: client, Outbox(Path(outbox))).post([load_run(Path(record))], [parse(target)])
"""


@pytest.fixture
def killed(github: Github, tmp_path: Path) -> Callable[[str, str], None]:
    """Posts to a target in a process that is killed at a point."""
    record = tmp_path / "run.json"
    record.write_text(RUN.model_dump_json(by_alias=True))

    def run(target: str, where: str) -> None:
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, github.url, target, str(tmp_path / "outbox"), str(record), where],
            check=False,
            cwd=ROOT,
            env={**os.environ, "GITHUB_TOKEN": TOKEN},
            capture_output=True,
            timeout=120,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()

    return run


@pytest.mark.parametrize("where", ["before-look", "before-send", "after-send"])
@pytest.mark.parametrize("kind", ["issue", "discussion"])
def test_a_process_that_is_killed_neither_loses_nor_doubles_its_post(
    *,
    kind: str,
    where: str,
    github: Github,
    poster: MakePoster,
    killed: Callable[[str, str], None],
    tmp_path: Path,
) -> None:
    place = places(tmp_path)[kind]
    killed(place.target, where)
    assert len(place.bodies(github.world)) == (1 if where == "after-send" else 0)
    github.lag = 0
    other = parse(f"discussion:{REPO}#3")
    outcomes = poster().post([RUN], [other])
    assert [(item.target, item.error) for item in outcomes] == [(str(other), None), (place.target, None)]
    assert len(place.bodies(github.world)) == 1
    assert poster().outbox.waiting() == []


def test_after_a_crash_in_doubt_several_looks_come_before_another_post(
    github: Github, poster: MakePoster, killed: Callable[[str, str], None], tmp_path: Path
) -> None:
    place = places(tmp_path)["issue"]
    killed(place.target, "before-send")
    (waiting,) = poster().outbox.waiting()
    assert waiting.in_doubt
    poster().post([RUN], [parse(place.target)])
    assert [call.write for call in github.calls[-6:]] == [False] * 5 + [True]
    assert len(place.bodies(github.world)) == 1


def entry(name: str = "p", target: str = "issue:o/r#1") -> Entry:
    run = RUN.model_copy(update={"profile": RUN.profile.model_copy(update={"name": name})})
    return Entry(target=target, key="k", runs=(run,))


def test_a_waiting_post_keeps_the_reports_of_other_profiles_and_its_doubt(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.sending(outbox.add(entry("a")))
    outbox.add(entry("b"))
    added = outbox.add(entry("a"))
    assert [run.profile.name for run in added.runs] == ["b", "a"]
    (waiting,) = outbox.waiting()
    assert waiting == added
    assert waiting.in_doubt


def test_the_same_target_in_other_letters_is_the_same_post(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.add(entry(target="issue:octo/bench#1"))
    outbox.add(entry(target="issue:Octo/Bench#1"))
    assert len(outbox.waiting()) == 1


def test_the_outbox_holds_records_not_markdown(github: Github, poster: MakePoster, tmp_path: Path) -> None:
    github.faults.add("502", lambda call: True, times=99)
    poster().post([RUN], [parse(f"issue:{REPO}#1")])
    (path,) = (tmp_path / "outbox").glob("*.json")
    data = json.loads(path.read_text())
    assert data["runs"][0]["schema"] == 1
    assert "### b9556" not in path.read_text()
