from pathlib import Path

import pytest

from bot.errors import BotError
from bot.upstream import export
from bot.upstream.mirror import Mirror
from tests.support.repository import FakeUpstream


def files(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()
    }


def test_tree_is_laid_as_committed_and_blobs_are_fetched(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.commit("one", {"a/b.cpp": "crlf\r\n", ".gitattributes": "a export-ignore\n*.txt export-subst\n"})
    (upstream.path / "link").symlink_to("a/b.cpp")
    (upstream.path / "run.sh").write_text("#!/bin/sh\n")
    (upstream.path / "run.sh").chmod(0o755)
    sha = upstream.commit("two", {"v.txt": "$Format:%H$\n"})
    upstream.tag("b1")
    upstream.commit("three", {"later.cpp": "x"})
    upstream.tag("b2")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    folder = mirror.export(sha, tmp_path / "out" / "src")
    found = files(folder)
    assert set(found) == {"a/b.cpp", ".gitattributes", "v.txt", "link", "run.sh"}
    assert (folder / "a/b.cpp").read_bytes() == b"crlf\r\n"
    assert found["v.txt"] == "$Format:%H$\n"
    assert (folder / "link").is_symlink()
    assert (folder / "run.sh").stat().st_mode & 0o111
    assert [entry.name for entry in (tmp_path / "out").iterdir()] == ["src"]


def test_exported_folder_is_left_alone(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    folder = mirror.export(ids["b1"], tmp_path / "src")
    (folder / "mark").write_text("mine")
    mirror.export(ids["b1"], folder)
    assert (folder / "mark").read_text() == "mine"


def test_failed_export_leaves_nothing_and_the_next_one_clears_up(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    ids = upstream.line("b1")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    upstream.path.rename(tmp_path / "unreachable")
    killed = tmp_path / "out" / f"{export._prefix(tmp_path / 'src')}killed"
    killed.mkdir(parents=True)
    with pytest.raises(BotError) as caught:
        mirror.export(ids["b1"], tmp_path / "out" / "src")
    assert caught.value.code == "upstream-unreachable"
    assert list((tmp_path / "out").iterdir()) == []
