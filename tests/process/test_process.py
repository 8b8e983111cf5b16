"""The door itself: exits told apart, bounded output, clean environment, errors that say what to do."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from bot import process
from bot.errors import BotError, Exit
from bot.streams import LINE_LIMIT, Lines

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("script", "code", "number"),
    [
        ("exit 0", 0, None),
        ("exit 3", 3, None),
        ("exit 137", 137, None),
        ("kill -SEGV $$", None, signal.SIGSEGV),
        ("kill -KILL $$", None, signal.SIGKILL),
    ],
)
def test_exits_and_signals_are_told_apart(script: str, code: int | None, number: int | None) -> None:
    finished = process.run(["sh", "-c", script])
    assert (finished.code, finished.signal) == (code, number)
    assert not finished.stopped
    assert not finished.timed_out


def test_streams_are_kept_apart_and_together() -> None:
    finished = process.run(["sh", "-c", "echo out; echo err >&2"])
    assert (finished.stdout, finished.stderr) == ("out\n", "err\n")
    assert sorted(finished.output.splitlines()) == ["err", "out"]


def test_input_is_given_and_then_ends() -> None:
    data = b"x" * 1_000_000
    assert process.run(["wc", "-c"], input=data).stdout.strip() == "1000000"
    assert process.run(["true"], input=data).code == 0
    assert process.run(["cat"]).stdout == ""


def test_lines_arrive_while_the_command_runs(tmp_path: Path) -> None:
    answer = tmp_path / "answer"
    script = f"echo first; while [ ! -e {answer} ]; do sleep 0.02; done; printf 'last'"
    seen: list[str] = []

    def on_line(line: str) -> None:
        seen.append(line)
        answer.touch()

    assert process.run(["sh", "-c", script], on_line=on_line, timeout_s=60).code == 0
    assert seen == ["first", "last"]


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([b"a\nb\r\nc\rd"], ["a", "b", "c", "d"]),
        ([b"10%\r", b"20%\r", b"\ndone\n"], ["10%", "20%", "done"]),
        ([b"\xe4\xbd", b"\xa0\n\xff\n"], ["你", "\ufffd"]),
        ([b"\n\n"], ["", ""]),
    ],
)
def test_lines_are_cut_at_every_kind_of_end(chunks: list[bytes], lines: list[str]) -> None:
    seen: list[str] = []
    cutter = Lines(seen.append)
    for chunk in chunks:
        cutter.add(chunk)
    cutter.add(b"", final=True)
    assert seen == lines


def test_a_carriage_return_ends_a_line_at_once() -> None:
    seen: list[str] = []
    Lines(seen.append).add(b"50%\r")
    assert seen == ["50%"]


def test_a_hundred_megabytes_pass_in_bounded_memory() -> None:
    """Measured in a process of its own: lines of 1 kB, and one line that never ends."""
    script = """
import json, resource, sys
from bot import process
def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
process.run(["true"], on_line=len)
before, lines, longest = peak(), 0, 0
def count(line):
    global lines, longest
    lines, longest = lines + 1, max(longest, len(line))
yes = "yes " + "x" * 999 + " | head -c 100000000"
wide = process.run(["sh", "-c", yes], on_line=count, tail_bytes=5000)
zeros = ["head", "-c", "100000000", "/dev/zero"]
endless = process.run(zeros, on_line=lambda line: count(line[:0]), tail_bytes=5000)
print(json.dumps([peak() - before, lines, longest, len(wide.stdout), len(endless.stdout)]))
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, stdout=subprocess.PIPE, check=True)
    growth_mib, lines, longest, wide, endless = json.loads(done.stdout)
    assert growth_mib < 8
    assert 100_000 < lines <= 100_000 + 100_000_000 // LINE_LIMIT + 1
    assert (longest, wide, endless) == (999, 5000, 5000)


def test_the_log_holds_everything(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "build.log"
    finished = process.run(["seq", "20000"], log=log, tail_bytes=10)
    assert log.read_text().splitlines() == [str(number) for number in range(1, 20001)]
    assert finished.output == "999\n20000\n"[-10:]


def test_a_full_disk_under_the_log_is_said_and_ends_the_command() -> None:
    with pytest.raises(BotError) as caught:
        process.run(["yes"], log=Path("/dev/full"), timeout_s=60)
    assert caught.value.code == "cannot-write"
    assert caught.value.exit_code == Exit.ENVIRONMENT


def test_a_missing_program_is_named(tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        process.run(["no-such-program"])
    assert (caught.value.code, caught.value.exit_code) == ("program-missing", Exit.ENVIRONMENT)
    assert caught.value.values == {"program": "no-such-program"}


def test_what_cannot_be_executed_says_why(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("text")
    with pytest.raises(BotError) as caught:
        process.run([str(tmp_path / "plain")])
    assert (caught.value.code, caught.value.values["why"]) == ("program-unusable", "Permission denied")
    with pytest.raises(BotError) as caught:
        process.run(["true"], cwd=tmp_path / "gone")
    assert str(tmp_path / "gone") in str(caught.value.values["why"])


def test_secrets_and_settings_are_not_inherited(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (
        *("GITHUB_TOKEN", "GH_TOKEN", "ACTIONS_RUNTIME_TOKEN", "MY_API_KEY", "DB_PASSWORD", "A_SECRET"),
        *(
            "LLAMA_ARG_CTX_SIZE",
            "GGML_VK_VISIBLE_DEVICES",
            "CUDA_VISIBLE_DEVICES",
            "https_proxy",
            "HTTP_PROXY",
        ),
        *("LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "LC_ALL", "HF_HOME"),
    )
    for name in names:
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("XDG_CACHE_HOME", "/x")
    seen = dict(line.split("=", 1) for line in process.run(["env"]).stdout.splitlines())
    assert not set(names) & set(seen)
    assert (seen["LANG"], seen["XDG_CACHE_HOME"]) == ("C.UTF-8", "/x")
    assert set(process.clean_environment()) <= {*process._KEPT, "LANG", "PATH"} | {
        name for name in seen if name.startswith("XDG_")
    }


def test_what_the_caller_means_is_given() -> None:
    env = process.clean_environment({"CUDA_VISIBLE_DEVICES": "GPU-1", "LANG": "de_DE"})
    finished = process.run(["sh", "-c", "echo $CUDA_VISIBLE_DEVICES $LANG"], env=env)
    assert finished.stdout == "GPU-1 de_DE\n"
    assert finished.isolation == ("leash", "environment")


def test_an_inherited_setting_is_not_called_isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GGML_CUDA_FORCE_MMQ", "1")
    env = process.clean_environment({"GGML_CUDA_FORCE_MMQ": "1"})
    assert process.run(["true"], env=env).isolation == ("leash",)
