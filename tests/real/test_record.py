"""`run.json` carries the whole run, tells nothing private, and makes the same report anywhere."""

import getpass
import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from bot.config.settings import default_cache
from bot.errors import BotError, Exit
from bot.records import Run
from bot.report.words import catalog
from bot.store import load_run
from tests.real.conftest import Desks
from tests.support.command import Desk

pytestmark = pytest.mark.real

ROOT = Path(__file__).parents[2]
PROGRAM = Path(sys.prefix) / "bin" / "llama-release-bot"


@pytest.fixture(scope="module")
def desk(desks: Desks) -> Desk:
    """A folder with one finished run of real servers."""
    made = desks("record", lambda _: {})
    command = made.run("run")
    assert command.wait() == 0, command.stderr
    return made


@pytest.fixture(scope="module")
def record(desk: Desk) -> Path:
    """The record of that run."""
    return desk.folder / "run" / "run.json"


@pytest.fixture(scope="module")
def run(record: Path) -> Run:
    """Its content."""
    return load_run(record)


def render(
    record: Path, elsewhere: Path, *more: str, language: str = "C.UTF-8"
) -> subprocess.CompletedProcess[str]:
    """`render` as another user on another machine would call it: nothing of ours in reach."""
    elsewhere.mkdir(exist_ok=True)
    env = {"PATH": os.defpath, "HOME": str(elsewhere), "LC_ALL": language, "TZ": "Asia/Shanghai"}
    command = [PROGRAM, "render", record, *more]
    return subprocess.run(command, cwd=elsewhere, env=env, capture_output=True, text=True, check=False)


def files(folder: Path) -> dict[str, bytes]:
    """Every file that is made from a record, by its place in the folder."""
    found = [*folder.glob("report*.md"), *folder.glob("*.csv"), *folder.glob("charts/*")]
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}


def test_the_report_is_the_same_byte_for_byte_elsewhere(desk: Desk, record: Path, tmp_path: Path) -> None:
    copy = shutil.copy(record, tmp_path / "run.json")
    done = render(copy, tmp_path / "home", "--out", str(tmp_path / "again"))
    assert done.returncode == 0, done.stderr
    made = files(desk.folder / "run")
    assert {"report.md", "report.en.md", "report.zh-Hans.md"} <= set(made)
    assert files(tmp_path / "again") == made


def test_a_record_is_the_same_after_it_was_read_and_written(record: Path, run: Run) -> None:
    assert json.loads(record.read_bytes()) == run.model_dump(mode="json", by_alias=True)


def test_nothing_private_is_in_the_record_or_the_report(desk: Desk, record: Path) -> None:
    private = {
        "home": str(Path.home()),
        "home as shown": "/root/" if Path.home() == Path("/root") else "/home/",
        "checkout": str(ROOT),
        "environment": sys.prefix,
        "run": str(desk.folder),
        "cache": str(default_cache()),
        "host": socket.gethostname(),
        "user": f"/{getpass.getuser()}/",
    }
    texts = {"run.json": record.read_text()}
    texts |= {name: data.decode() for name, data in files(desk.folder / "run").items()}
    found = [
        (name, what, text[max(0, text.index(value) - 80) : text.index(value) + 80])
        for name, text in texts.items()
        for what, value in private.items()
        if len(value) > 3 and value in text
    ]
    assert found == []


def test_the_record_says_how_it_came_about(run: Run) -> None:
    assert run.asked_by == "cli"
    for build in run.builds:
        assert len(build.binaries["llama-server"]) == 64
        assert build.sha[:7] in str(build.version)
    for launch in run.launches():
        assert "leash" in launch.isolation
        assert launch.facts.props["n_ctx"] == 1024
    assert {tag.number for tag in (run.pair.base, run.pair.head)} == {9553, 9601}
    assert len(run.profile.model.sha256) == 64
    assert len(run.machine.id) == 12


def damaged(record: Path, kind: str) -> bytes:
    """A file that is not a record, in one of many ways."""
    data = record.read_bytes()
    content = json.loads(data)
    ways: dict[str, object] = {
        "truncated": data[: len(data) // 2],
        "one byte short": data[:-3],
        "empty": b"",
        "binary": bytes(range(256)) * 40,
        "newer": content | {"schema": 99},
        "before the first": content | {"schema": 0},
        "schema is no number": content | {"schema": True},
        "foreign": {"name": "package", "version": "1.0.0"},
        "a list": [1, 2, 3],
        "a field too many": content | {"surprise": 1},
        "a field too few": {key: value for key, value in content.items() if key != "pair"},
        "a wrong type": content | {"rounds": "four"},
        "not a number": data.replace(b'"margin": 0.15', b'"margin": NaN'),
    }
    way = ways[kind]
    return way if isinstance(way, bytes) else json.dumps(way).encode()


@pytest.mark.parametrize(
    ("kind", "code", "names"),
    [
        ("truncated", "not-json", ""),
        ("one byte short", "not-json", ""),
        ("empty", "not-json", ""),
        ("binary", "not-json", ""),
        ("newer", "run-too-new", "99"),
        ("before the first", "not-a-run", ""),
        ("schema is no number", "not-a-run", ""),
        ("foreign", "not-a-run", ""),
        ("a list", "not-a-run", ""),
        ("a field too many", "bad-record", "surprise"),
        ("a field too few", "bad-record", "pair"),
        ("a wrong type", "bad-record", "rounds"),
        ("not a number", "bad-record", "profile.margin"),
    ],
)
def test_a_file_that_is_no_record_is_refused_by_its_name(
    record: Path, tmp_path: Path, kind: str, code: str, names: str
) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(damaged(record, kind))
    with pytest.raises(BotError) as caught:
        load_run(path)
    assert (caught.value.code, caught.value.exit_code) == (code, Exit.USAGE)
    for language in ("en", "zh-Hans"):
        sentence = catalog(language).error(caught.value)
        assert str(path) in sentence
        assert names in sentence
        assert "\n" not in sentence


@pytest.mark.parametrize(("language", "words"), [("C.UTF-8", "damaged"), ("zh_CN.UTF-8", "损坏")])
def test_the_command_says_so_in_one_line_and_makes_nothing(
    record: Path, tmp_path: Path, language: str, words: str
) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(damaged(record, "truncated"))
    done = render(path, tmp_path / "home", "--out", str(tmp_path / "again"), language=language)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert str(path) in line
    assert words in line
    assert not (tmp_path / "again").exists()


@pytest.mark.parametrize("name", ["none.json", "."])
def test_a_file_that_is_not_there_is_refused_in_one_line(tmp_path: Path, name: str) -> None:
    done = render(tmp_path / name, tmp_path / "home")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert str(tmp_path / name) in line


def test_the_record_knows_the_machine_and_its_noise(record: Path) -> None:
    """Twice: in the record, and in the cache for the next run."""
    run = load_run(record)
    assert run.fingerprint["host.kernel"] == run.machine.kernel
    assert run.fingerprint[f"profile.{run.profile.name}.model"].startswith(run.profile.model.name)
    assert all(launch.host is not None for launch in run.launches() if launch.status == "ok")
    assert run.calibration is not None
    assert {item.metric for item in run.calibration.noise} == {item.metric for item in run.comparisons}
