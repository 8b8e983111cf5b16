"""`post` on the command line: what it prints, what it ends with, and what it leaves alone."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.github.places import REPO, TOKEN, finished
from tests.support.github.server import Github

ROOT = Path(__file__).parents[2]
RUN = finished()
Result = subprocess.CompletedProcess[str]
Command = Callable[..., Result]
CONFIG = """
profiles: {{ mine: {{ model: m.gguf }} }}
cache: {cache}
github: {{ api_url: "{url}"{more} }}
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir()
    path = folder / "run.json"
    path.write_text(RUN.model_dump_json(by_alias=True))
    return path


@pytest.fixture
def command(github: Github, tmp_path: Path) -> Command:
    """Runs `post` in a process of its own."""

    def run(*words: str | Path, token: str = TOKEN, more: str = "", lang: str = "en_US.UTF-8") -> Result:
        config = tmp_path / "config.yml"
        config.write_text(CONFIG.format(cache=tmp_path / "cache", url=github.url, more=more))
        environ = {**os.environ, "GITHUB_TOKEN": token, "LC_ALL": lang}
        environ.pop("GH_TOKEN", None)
        done = subprocess.run(
            [sys.executable, "-c", "from bot.cli import main; main()", "post", "--config", config, *words],
            cwd=ROOT,
            env=environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert "S3cr3t" not in done.stdout + done.stderr
        return done

    return run


def comments(github: Github) -> list[str]:
    return [item.body for item in github.world.repos[REPO].issues[1].comments]


def test_a_post_prints_where_it_stands(github: Github, command: Command, record: Path) -> None:
    done = command(record, "--to", f"issue:{REPO}#1")
    assert (done.returncode, done.stderr) == (0, "")
    number = github.world.repos[REPO].issues[1].comments[0].id
    assert done.stdout == f"Posted: https://github.com/{REPO}/issues/1#issuecomment-{number}\n"
    assert command(record, "--to", f"issue:{REPO}#1").stdout.startswith("Already there, unchanged: https://")


def test_several_targets_may_follow_one_another(github: Github, command: Command, record: Path) -> None:
    out = record.parent / "out.md"
    done = command(record, "--to", f"issue:{REPO}#1", f"discussion:{REPO}#3", "--to", f"file:{out}", "--json")
    facts = json.loads(done.stdout)
    assert [(item["target"], item["action"], item["error"]) for item in facts] == [
        (f"file:{out}", "created", None),
        (f"issue:{REPO}#1", "created", None),
        (f"discussion:{REPO}#3", "created", None),
    ]
    assert out.read_text().startswith("### b9556 → b9602")


def test_a_dry_run_says_what_it_would_do_and_writes_nothing(
    github: Github, command: Command, record: Path
) -> None:
    done = command(record, f"release:{REPO}@v1", "--to", f"issue:{REPO}#1", "--dry-run")
    assert done.returncode == 0
    assert done.stdout.splitlines() == [
        f"Would post a new one: issue:{REPO}#1",
        f"Would edit: https://github.com/{REPO}/releases/tag/v1",
    ]
    assert github.writes() == []
    assert not (record.parents[1] / "cache").exists()
    command(record, "--to", f"issue:{REPO}#1")
    again = command(record, "--to", f"issue:{REPO}#1", "--dry-run")
    assert again.stdout.startswith("Would change nothing: https://")


def test_a_dry_run_shows_a_refusal(github: Github, command: Command, record: Path) -> None:
    github.world.repos[REPO].issues[1].locked = True
    done = command(record, "--to", f"issue:{REPO}#1", "--dry-run")
    assert done.returncode == 5
    assert "is locked" in done.stderr


def test_a_refusal_ends_with_five_and_leaves_the_reports_beside_the_record(
    github: Github, command: Command, record: Path
) -> None:
    github.world.repos[REPO].issues[1].locked = True
    done = command(record, "--to", f"issue:{REPO}#1", lang="zh_CN.UTF-8")
    assert done.returncode == 5
    assert done.stderr == f"issue:{REPO}#1：已锁定。请解锁，或换一个发布位置。\n"
    assert (record.parent / "report.md").read_text().startswith("### b9556 → b9602")
    assert {path.name for path in record.parent.iterdir()} == {
        "run.json", "report.md", "report.en.md", "report.zh-Hans.md",
    }  # fmt: skip


def test_a_markdown_file_beside_the_record_is_not_believed(
    github: Github, command: Command, record: Path
) -> None:
    (record.parent / "report.md").write_text("Everything is 10 times faster!")
    command(record, "--to", f"issue:{REPO}#1")
    (body,) = comments(github)
    assert "10 times" not in body


def test_force_upstream_needs_the_settings_too(github: Github, command: Command, record: Path) -> None:
    target = "issue:ggml-org/llama.cpp#1"
    for more, flags in (("", ["--force-upstream"]), (", allow_upstream: true", [])):
        done = command(record, "--to", target, *flags, more=more)
        assert done.returncode == 5
        assert "llama.cpp forbids posts of bots" in done.stderr
    assert github.calls == []


def test_without_a_token_nothing_is_begun(github: Github, command: Command, record: Path) -> None:
    done = command(record, "--to", f"issue:{REPO}#1", "--to", f"file:{record.parent}/out.md", token="")
    assert done.returncode == 2
    assert "Set GITHUB_TOKEN" in done.stderr
    assert not (record.parent / "out.md").exists()
    assert command(record, "--to", f"file:{record.parent}/out.md", token="").returncode == 0


def test_who_asked_gets_a_report_of_their_own(github: Github, command: Command, record: Path) -> None:
    done = command(record, "--to", f"issue:{REPO}#1", "--comment", "4711", "--asker", "jo")
    assert done.returncode == 0
    (body,) = comments(github)
    assert body.rstrip().endswith("<sub>@jo</sub>")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--asker", "jo"], "--comment and --asker together"),
        (["--comment", "1", "--asker", "jo smith"], "no login of GitHub"),
        (["--to", "issue:octo#1"], "is no target"),
        (["--pair", "a..b"], "was asked for"),
    ],
)
def test_wrong_words_end_with_two_and_send_nothing(
    words: list[str], said: str, github: Github, command: Command, record: Path
) -> None:
    done = command(record, "--to", f"issue:{REPO}#1", *words)
    assert done.returncode == 2
    assert said in done.stderr
    assert github.calls == []


def test_the_pair_that_was_asked_for_is_posted(github: Github, command: Command, record: Path) -> None:
    pair = f"{RUN.pair.base.sha}..{RUN.pair.head.sha}"
    assert command(record, "--to", f"issue:{REPO}#1", "--pair", pair).returncode == 0
    assert len(comments(github)) == 1


def test_no_target_and_no_record_are_said(command: Command, record: Path) -> None:
    assert "No target was named" in command(record).stderr
    assert "No record was named" in command(f"issue:{REPO}#1").stderr
    assert command(record.parent / "none.json", "--to", f"issue:{REPO}#1").returncode == 2


def test_the_token_stands_in_no_command_line(github: Github, command: Command, record: Path) -> None:
    """The process posts while its own command line and those of its children are read."""
    seen: list[str] = []

    def watch(_: object) -> bool:
        for path in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                seen.append(path.read_bytes().decode(errors="replace"))
            except OSError:
                continue
        return False

    github.faults.add("slow", watch)
    command(record, "--to", f"issue:{REPO}#1")
    assert any("from bot.cli import main" in line for line in seen)
    assert not any(TOKEN in line for line in seen)
