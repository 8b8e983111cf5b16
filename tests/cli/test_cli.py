"""What a user meets on the command line when something is wrong: one line, the remedy, the exit code."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import Exit

COMMAND = [sys.executable, "-c", "from bot.cli import main; main()"]


def call(*arguments: str, cwd: Path, language: str = "en_US.UTF-8") -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "LC_ALL": language, "PYTHONPATH": str(Path.cwd())}
    return subprocess.run(
        [*COMMAND, *arguments], cwd=cwd, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", [[], ["demo"], ["run"], ["build"], ["render"], ["doctor"]], ids=" ".join)
def test_every_command_explains_itself(command: list[str], tmp_path: Path) -> None:
    done = call(*command, "--help", cwd=tmp_path)
    assert done.returncode == Exit.DONE
    assert "Usage" in done.stdout


def test_a_mistyped_option_is_a_usage_error(tmp_path: Path) -> None:
    done = call("run", "--haed", "b9602", cwd=tmp_path)
    assert done.returncode == Exit.USAGE
    assert "--head" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_missing_configuration_is_one_line_with_the_remedy(tmp_path: Path) -> None:
    done = call("run", cwd=tmp_path)
    assert done.returncode == Exit.USAGE
    assert done.stderr.count("\n") == 1
    assert "config.yml" in done.stderr


def test_errors_speak_the_terminals_language(tmp_path: Path) -> None:
    done = call("render", "no.json", cwd=tmp_path, language="zh_CN.UTF-8")
    assert done.returncode == Exit.USAGE
    assert done.stderr.startswith("无法读取 no.json")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "damaged"),
        ("[]", "not a run record"),
        ('{"schema": "x"}', "not a run record"),
        ('{"schema": 99}', "newer program (schema 99"),
        ('{"schema": 1}', "does not fit a run record"),
        ("", "damaged"),
    ],
)
def test_a_bad_record_is_one_clear_line(content: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(content)
    done = call("render", "run.json", cwd=tmp_path)
    assert done.returncode == Exit.USAGE
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.json"]


def test_the_version_is_printed(tmp_path: Path) -> None:
    assert call("--version", cwd=tmp_path).stdout == "0.1.0\n"
