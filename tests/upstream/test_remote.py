import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from bot.errors import BotError, Exit
from bot.upstream import mirror as mirror_module
from bot.upstream.mirror import Mirror
from bot.upstream.remote import web_address
from tests.support.repository import FakeUpstream


def blobs_missing(path: Path) -> bool:
    listed = subprocess.run(
        ["git", "--git-dir", path, "rev-list", "--objects", "--all", "--missing=print"],
        capture_output=True,
        text=True,
        check=True,
    )
    return "?" in listed.stdout


def test_clone_leaves_blobs_out_where_the_remote_allows_it(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1", "b2")
    Mirror.open(upstream.url, tmp_path / "mirror")
    assert blobs_missing(tmp_path / "mirror")


@pytest.mark.parametrize(
    "setting", [("uploadpack.allowFilter", "false"), ("uploadpackfilter.allow", "false")], ids=lambda s: s[0]
)
def test_clone_is_whole_where_the_remote_has_no_such_filter(
    upstream: FakeUpstream, tmp_path: Path, setting: tuple[str, str]
) -> None:
    upstream.git("config", *setting)
    upstream.line("b1", "b2")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    assert mirror.tags() == ("b1", "b2")
    assert not blobs_missing(tmp_path / "mirror")


def test_plain_and_relative_paths_are_addresses(
    upstream: FakeUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.line("b1")
    monkeypatch.chdir(tmp_path)
    mirror = Mirror.open("upstream", Path("mirror"))
    upstream.line("b2")
    assert mirror.update().added == ("b2",)


def test_progress_is_told(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1", "b2")
    told: list[tuple[float, float]] = []
    Mirror.open(upstream.url, tmp_path / "mirror", progress=lambda done, total: told.append((done, total)))
    assert told
    assert all(0 <= done <= total for done, total in told)


def test_unreachable_remote_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        Mirror.open((tmp_path / "nowhere").as_uri(), tmp_path / "cache" / "mirror")
    assert (caught.value.code, caught.value.exit_code) == ("upstream-unreachable", Exit.ENVIRONMENT)
    assert "nowhere" in str(caught.value.values["why"])
    assert [entry.name for entry in (tmp_path / "cache").iterdir() if not entry.name.endswith(".lock")] == []


def test_secret_in_the_address_is_not_repeated(tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        Mirror.open("https://user:hunter2@127.0.0.1:1/x.git", tmp_path / "mirror")
    assert caught.value.code == "upstream-unreachable"
    assert "hunter2" not in str(caught.value)


def test_killed_clone_is_not_taken_for_a_mirror(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1")
    script = (
        "import os, signal, sys; from pathlib import Path\n"
        "from bot.upstream import remote; from bot.upstream.mirror import Mirror\n"
        "whole = remote.transfer\n"
        "def half(git, *rest):\n"
        "    whole(git, *rest); os.kill(os.getpid(), signal.SIGKILL)\n"
        "remote.transfer = half\n"
        "Mirror.open(sys.argv[1], Path(sys.argv[2]))\n"
    )
    target = tmp_path / "cache" / "mirror"
    done = subprocess.run([sys.executable, "-c", script, upstream.url, target], check=False)
    assert done.returncode == -signal.SIGKILL
    assert not target.exists()
    assert list(target.parent.glob(".mirror.clone-*"))
    assert Mirror.open(upstream.url, target).tags() == ("b1",)
    assert not list(target.parent.glob(".mirror.clone-*"))


def test_remote_that_hangs_is_given_up_and_killed(
    upstream: FakeUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upstream.line("b1")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    os.mkfifo(tmp_path / "silence")
    pid = tmp_path / "pid"
    hang = tmp_path / "hang"
    hang.write_text(f"#!/bin/sh\necho $$ > {pid}\nexec cat {tmp_path}/silence\n")
    hang.chmod(0o755)
    subprocess.run(["git", "-C", mirror.path, "config", "remote.origin.uploadpack", hang], check=True)
    monkeypatch.setattr(mirror_module, "LIST_S", 1.0)
    with pytest.raises(BotError) as caught:
        mirror.update()
    assert caught.value.code == "upstream-timeout"
    started = pid.read_text() if pid.exists() else ""
    if started:
        with suppress(psutil.NoSuchProcess):
            psutil.Process(int(started)).wait(timeout=10)


def test_folder_that_is_no_mirror_or_mirrors_another_is_refused(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    upstream.line("b1")
    (tmp_path / "folder").mkdir()
    with pytest.raises(BotError) as no_mirror:
        Mirror.open(upstream.url, tmp_path / "folder")
    Mirror.open(upstream.url, tmp_path / "mirror")
    with pytest.raises(BotError) as other:
        Mirror.open("https://github.com/ggml-org/llama.cpp", tmp_path / "mirror")
    assert (no_mirror.value.code, other.value.code) == ("mirror-damaged", "mirror-of-another")


def test_machine_without_git_is_told_so(
    upstream: FakeUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BotError) as caught:
        Mirror.open(upstream.url, tmp_path / "mirror")
    assert caught.value.code == "git-missing"


@pytest.mark.parametrize(
    ("url", "web"),
    [
        ("https://github.com/ggml-org/llama.cpp", "https://github.com/ggml-org/llama.cpp"),
        ("https://github.com/ggml-org/llama.cpp.git", "https://github.com/ggml-org/llama.cpp"),
        ("https://me:token@github.com/ggml-org/llama.cpp/", "https://github.com/ggml-org/llama.cpp"),
        ("git@github.com:ggml-org/llama.cpp.git", "https://github.com/ggml-org/llama.cpp"),
        ("ssh://git@github.com/ggml-org/llama.cpp", "https://github.com/ggml-org/llama.cpp"),
        ("https://notgithub.com/ggml-org/llama.cpp", None),
        ("https://github.com.evil.org/a/b", None),
        ("/srv/llama.cpp.git", None),
        ("file:///srv/github.com/a/b", None),
    ],
)
def test_pages_of_a_remote(url: str, web: str | None) -> None:
    assert web_address(url) == web
