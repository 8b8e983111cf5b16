"""What code in a sandbox leaves is read as plain files only: no link, no pipe, nothing without end."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot import process
from bot.bench import runner
from bot.build import options
from bot.isolation import read_plain


def test_a_plain_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"text")
    assert read_plain(tmp_path / "file") == b"text"
    assert read_plain(tmp_path / "file", most=4) == b"text"


@pytest.mark.parametrize("kind", ["link", "pipe", "device", "folder", "large", "missing"])
def test_anything_else_is_an_error_at_once(kind: str, tmp_path: Path) -> None:
    path, secret = tmp_path / kind, tmp_path / "secret"
    secret.write_text("token")
    makes: dict[str, Callable[[], object]] = {
        "link": lambda: path.symlink_to(secret),
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: path.symlink_to("/dev/zero"),
        "folder": path.mkdir,
        "large": lambda: path.write_bytes(bytes(101)),
        "missing": lambda: None,
    }
    makes[kind]()
    with pytest.raises(OSError, match=r"."):
        read_plain(path, most=100)


def test_a_launch_that_leaves_a_link_to_another_file_is_lost(tmp_path: Path) -> None:
    (tmp_path / "docker.json").write_text('{"status": "ok", "auths": "token"}')
    (tmp_path / "result.json").symlink_to(tmp_path / "docker.json")
    answer = runner._answer(tmp_path / "result.json", process.run(["true"]))
    assert answer == {"status": "lost", "detail": "exit 0"}


def test_a_tree_that_leads_to_an_endless_file_is_read_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("option(GGML_NATIVE on)")
    (tmp_path / "endless.cmake").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.cmake")
    assert "GGML_NATIVE" in options.known(tmp_path).names
