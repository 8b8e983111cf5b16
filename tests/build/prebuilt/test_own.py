"""A user's own binaries: looked at, hashed, found by their key, never touched."""

from pathlib import Path

import pytest

from bot import isolation
from bot.build.boxes import libraries
from bot.build.current import current, link_of, switch
from bot.build.layout import Folder
from bot.build.prebuilt.own import link, look
from bot.build.pruning import Limits, prune
from bot.build.usage import release
from bot.errors import BotError
from bot.records import Tag
from tests.support.releases import server_program

TAG = Tag(name="b9601", sha="1c26250967e1" + "0" * 28, number=9601)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    folder = tmp_path / "llama.cpp" / "build" / "bin"
    folder.mkdir(parents=True)
    (folder / "llama-server").write_bytes(server_program("9601 (1c26250)"))
    (folder / "llama-server").chmod(0o755)
    (folder / "libllama.so.0").write_bytes(b"library")
    (folder / "model.gguf").write_bytes(b"not a program")
    return folder


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    return {
        path.name: (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_mode)
        for path in folder.iterdir()
    }


def test_what_the_folder_says_of_itself(mine: Path) -> None:
    found = look(mine).found
    assert (found.number, found.commit, found.version) == (9601, "1c26250", "9601 (1c26250)")
    assert set(found.binaries) == {"llama-server", "libllama.so.0"}
    assert [tool.version for tool in found.tools] == ["GNU 14.2.0"]


def test_the_server_itself_may_be_named(mine: Path) -> None:
    assert look(mine / "llama-server").folder == mine


def test_a_link_to_a_server_means_the_folder_it_lies_in(mine: Path, tmp_path: Path) -> None:
    """As package managers lay it: a folder of links would have no hash of its own."""
    links = tmp_path / "bin"
    links.mkdir()
    (links / "llama-server").symlink_to(mine / "llama-server")
    for named in (links, links / "llama-server"):
        found = look(named)
        assert (found.folder, found.digest) == (mine, look(mine).digest)
    (mine / "llama-server").write_bytes(server_program("9602 (1c26250)"))
    assert look(links).digest != found.digest


def test_required_starts_nothing_without_a_sandbox(
    mine: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "started"
    (mine / "llama-server").write_text(f"#!/bin/sh\ntouch {mark}\n")
    monkeypatch.setenv("PATH", str(tmp_path))
    isolation.forget()
    try:
        with pytest.raises(BotError) as caught:
            look(mine, "required")
    finally:
        isolation.forget()
    assert caught.value.code == "no-bubblewrap"
    assert not mark.exists()


def test_they_are_found_by_their_key_and_stay_as_they_are(mine: Path, tmp_path: Path) -> None:
    before = state(mine)
    built = link(look(mine), "base", TAG, "cpu", tmp_path / "cache")
    assert built.record.source == "path"
    assert built.record.key.startswith("1c26250967e1-path-")
    assert built.folder is not None
    assert (built.folder / "llama-server").resolve() == mine / "llama-server"
    assert libraries(built.folder) == (mine,)
    release(tmp_path / "cache" / "builds" / built.record.key)
    assert prune(tmp_path / "cache" / "builds", Limits(kept=0, mib=0.0)) == (built.record.key,)
    assert state(mine) == before


def test_other_binaries_in_the_folder_are_another_build(mine: Path, tmp_path: Path) -> None:
    first = link(look(mine), "base", TAG, "cpu", tmp_path / "cache").record.key
    assert link(look(mine), "base", TAG, "cpu", tmp_path / "cache").record.key == first
    (mine / "libllama.so.0").write_bytes(b"rebuilt")
    assert link(look(mine), "base", TAG, "cpu", tmp_path / "cache").record.key != first


def test_the_same_binaries_elsewhere_are_led_to(mine: Path, tmp_path: Path) -> None:
    link(look(mine), "base", TAG, "cpu", tmp_path / "cache")
    moved = tmp_path / "moved"
    mine.rename(moved)
    built = link(look(moved), "base", TAG, "cpu", tmp_path / "cache")
    assert built.folder is not None
    assert (built.folder / "llama-server").resolve() == moved / "llama-server"


def test_they_can_be_switched_to(mine: Path, tmp_path: Path) -> None:
    built = link(look(mine), "base", TAG, "cpu", tmp_path / "cache")
    switch(tmp_path / "cache", built.record)
    assert (link_of(tmp_path / "cache") / "llama-server").read_bytes() == (mine / "llama-server").read_bytes()
    used = current(tmp_path / "cache")
    assert used is not None
    assert (used.tag, used.source) == ("b9601", "path")


@pytest.mark.parametrize(
    ("content", "mode", "code"),
    [
        (b"", 0o644, "binaries-no-server"),
        (b"#!/bin/sh\necho hello\n", 0o755, "binaries-do-not-start"),
    ],
)
def test_what_is_no_server_is_named(content: bytes, mode: int, code: str, mine: Path) -> None:
    (mine / "llama-server").write_bytes(content)
    (mine / "llama-server").chmod(mode)
    with pytest.raises(BotError) as caught:
        look(mine)
    assert caught.value.code == code


def test_a_server_without_its_history_names_no_commit(mine: Path) -> None:
    (mine / "llama-server").write_bytes(server_program("0.6.0-dev (build 1, commit abc1234)"))
    found = look(mine).found
    assert (found.number, found.commit) == (1, "abc1234")


def test_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        look(tmp_path)
    assert caught.value.code == "binaries-no-server"


def test_a_link_that_was_left_is_replaced(mine: Path, tmp_path: Path) -> None:
    key = link(look(mine), "base", TAG, "cpu", tmp_path / "cache").record.key
    folder = Folder(tmp_path / "cache" / "builds" / key)
    folder.bin.unlink()
    folder.bin.mkdir()
    link(look(mine), "base", TAG, "cpu", tmp_path / "cache")
    assert folder.bin.is_symlink()
