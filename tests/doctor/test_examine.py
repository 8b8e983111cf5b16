"""All checks together, as the command line runs them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from bot.doctor.examine import CHECKS, examine, exit_code
from bot.doctor.finding import missing, ok, warning
from bot.doctor.show import show
from bot.errors import Exit
from bot.report.words import catalog
from tests.doctor.samples import Configure, Examined

ROOT = Path(__file__).parents[2]


def doctor(*args: str, cwd: Path, lang: str = "en_US.UTF-8") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from bot.cli import main; main()", "doctor", *args],
        cwd=cwd,
        env={**os.environ, "LC_ALL": "", "LC_MESSAGES": "", "LANG": lang, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_machine_that_has_everything_can_start_a_run(configure: Configure, tmp_path: Path) -> None:
    done = doctor("--config", str(configure()), cwd=tmp_path)
    assert done.returncode == Exit.DONE, done.stdout
    assert "missing:" not in done.stdout
    assert "ok: model: tiny.gguf, F32" in done.stdout and "ok: upstream: file://" in done.stdout
    assert done.stdout.splitlines()[-1].startswith("A run can start.")
    assert done.stderr == ""


def test_what_is_missing_is_one_line_with_its_remedy_and_exit_4(
    configure: Configure, tmp_path: Path, model: Path
) -> None:
    model.unlink()
    done = doctor("--config", str(configure()), cwd=tmp_path)
    assert done.returncode == Exit.ENVIRONMENT
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("missing:"))
    assert line == (
        f"missing: model: There is no file {model}. → "
        "Correct `profiles.tiny.model` in the settings, or download the model to that place."
    )
    assert done.stdout.splitlines()[-1] == "A run cannot start yet: one thing above is missing."


def test_facts_are_the_same_in_each_language(configure: Configure, tmp_path: Path, model: Path) -> None:
    model.unlink()
    config = str(configure())
    english, chinese = (
        doctor("--json", "--config", config, cwd=tmp_path, lang=lang)
        for lang in ("en_US.UTF-8", "zh_CN.UTF-8")
    )
    assert english.returncode == chinese.returncode == Exit.ENVIRONMENT
    said, gesagt = json.loads(english.stdout), json.loads(chinese.stdout)
    assert all(list(item) == ["check", "status", "detail", "remedy"] for item in said)
    assert {item["status"] for item in said} <= {"ok", "warning", "missing"}
    assert all((item["remedy"] is None) == (item["status"] == "ok") for item in said + gesagt)
    # The load of this machine may come and go between the two.
    kinds = [[(i["check"], i["status"]) for i in facts if i["check"] != "quiet"] for facts in (said, gesagt)]
    assert kinds[0] == kinds[1]
    for one, other in zip(said, gesagt, strict=False):
        if one["check"] == "model":
            assert one["detail"] == f"There is no file {model}."
            assert other["detail"] == f"找不到文件 {model}。"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("profiles: [", "config.yml:1"),
        ("profiles: {a: {model: m.gguf}}\nmachin: {}", "did you mean machine?"),
    ],
)
def test_a_wrong_configuration_is_one_line_and_exit_2(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text(text)
    done = doctor(cwd=tmp_path)
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_an_unknown_profile_is_exit_2(configure: Configure, tmp_path: Path) -> None:
    done = doctor("--config", str(configure()), "--profile", "huge", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (Exit.USAGE, "")
    assert "huge" in done.stderr and "tiny" in done.stderr


def test_a_check_that_crashes_is_a_finding_and_stops_no_other(
    examined: Examined, monkeypatch: pytest.MonkeyPatch
) -> None:
    def crash(_case: object) -> None:
        raise RuntimeError("no such luck")

    monkeypatch.setitem(CHECKS, "disk", crash)
    monkeypatch.setitem(CHECKS, "tools", crash)
    found = {item.check: item for item in examine(examined())}
    assert (found["disk"].status, found["disk"].args["error"]) == ("warning", "RuntimeError: no such luck")
    assert found["tools"].status == "missing"
    assert found["cache"].status == found["upstream"].status == "ok"


def test_an_unexpected_failure_of_a_shared_look_is_a_finding_too(
    configure: Configure, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bot.config import load  # noqa: PLC0415
    from bot.doctor import case, tools  # noqa: PLC0415

    def crash(*_args: object) -> None:
        raise RuntimeError("no such luck")

    for name in ("find_device", "look_at_model"):
        monkeypatch.setattr(case, name, crash)
    monkeypatch.setattr(tools, "look", crash)
    path = configure()
    found = [item for item in examine(case.take(path, load(path))) if item.message == "doctor-crashed"]
    assert [(item.check, item.status) for item in found] == [
        (name, "missing") for name in ("model", "tools", "driver")
    ]


def test_warnings_alone_do_not_stop_a_run() -> None:
    assert exit_code([ok("git", version="2"), warning("quiet", "battery")]) == Exit.DONE
    assert exit_code([missing("git", "missing"), ok("leftovers")]) == Exit.ENVIRONMENT


@pytest.mark.parametrize("width", [60, 100])
def test_a_terminal_gets_an_aligned_list_with_symbols(width: int) -> None:
    console = Console(force_terminal=True, width=width, record=True, no_color=True, force_interactive=False)
    findings = [
        ok("git", version="2.39.5"),
        warning("quiet", "governor", governor="powersave"),
        missing("compiler", "missing"),
    ]
    show(findings, catalog("zh-Hans"), console)
    lines = console.export_text().splitlines()
    assert lines[0].split() == ["✓", "git", "2.39.5"]
    assert lines[1].startswith("! 干扰") and lines[2].strip().startswith("→ 想让测量更稳定")
    assert any(line.startswith("✗ 编译器") for line in lines)
    assert lines[-1] == "还不能开始运行：上面有 1 项缺失。"
