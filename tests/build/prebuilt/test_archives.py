"""Release archives: chosen, downloaded, checked, unpacked, taken again; or one error, and nothing left."""

import platform
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.build.builder import Built
from bot.build.layout import Ready
from bot.build.prebuilt import archives
from bot.build.prebuilt.archives import ArchiveRequest, fetch
from bot.build.pruning import Limits, prune
from bot.errors import BotError
from bot.http import SystemClock
from bot.records import Tag
from bot.store import load
from tests.support.releases import Releases, server_program, serving, tarred, zipped

SHA = "1c26250967e1" + "0" * 28
MACHINE = {"x86_64": "x64", "aarch64": "arm64"}[platform.machine()]
NAME = f"llama-b9601-bin-ubuntu-{MACHINE}.tar.gz"
TAG = Tag(name="b9601", sha=SHA, number=9601)
FILES = {
    "llama-b9601/llama-server": server_program("9601 (1c26250)"),
    "llama-b9601/llama-bench": b"#!/bin/sh\n",
    "llama-b9601/libllama.so.0": b"library",
    "llama-b9601/LICENSE": b"MIT",
}


@pytest.fixture
def releases(monkeypatch: pytest.MonkeyPatch) -> Iterator[Releases]:
    monkeypatch.setattr(SystemClock, "sleep", lambda *_: None)
    with serving(
        Releases({"b9601": {NAME: tarred(FILES), "llama-b9601-bin-win-cpu-x64.zip": b""}})
    ) as served:
        yield served


def ask(releases: Releases, cache: Path, **more: object) -> Built:
    shape = {"side": "head", "tag": TAG, "backend": "cpu", "variant": "cpu", "api": releases.api}
    return fetch(ArchiveRequest(**{**shape, "cache": cache, **more}))  # type: ignore[arg-type]


def refused(releases: Releases, cache: Path, **more: object) -> BotError:
    with pytest.raises(BotError) as caught:
        ask(releases, cache, **more)
    left = [path for path in cache.rglob("*") if path.is_file() and path.suffix not in (".lock", ".use")]
    assert left == []
    return caught.value


def test_the_programs_lie_where_a_build_of_the_tag_would(releases: Releases, tmp_path: Path) -> None:
    built = ask(releases, tmp_path)
    record = built.record
    assert built.folder == tmp_path / "builds" / record.key / "bld" / "bin"
    assert record.key.startswith("1c26250967e1-archive-cpu-")
    assert (record.source, record.status, record.cached) == ("archive", "ok", False)
    assert record.version == "9601 (1c26250)"
    assert [(tool.name, tool.version) for tool in record.tools] == [("compiler", "GNU 14.2.0")]
    assert set(record.binaries) == {"llama-server", "llama-bench", "libllama.so.0", "LICENSE"}
    assert list(record.archives) == [NAME]
    assert load(tmp_path / "builds" / record.key / "ready.json", Ready).build == record.model_copy(
        update={"seconds": 0.0}
    )
    assert {path.name for path in (tmp_path / "builds" / record.key).iterdir()} == {"bld", "ready.json"}


def test_it_is_downloaded_once(releases: Releases, tmp_path: Path) -> None:
    first = ask(releases, tmp_path)
    again = ask(releases, tmp_path, side="base")
    assert (again.record.cached, again.record.side, again.record.key) == (True, "base", first.record.key)
    assert releases.ranges == [None]


def test_a_file_that_changed_since_is_fetched_anew(releases: Releases, tmp_path: Path) -> None:
    built = ask(releases, tmp_path)
    assert built.folder
    (built.folder / "llama-bench").write_bytes(b"another")
    assert ask(releases, tmp_path).record.cached is False
    assert (built.folder / "llama-bench").read_bytes() == FILES["llama-b9601/llama-bench"]


def test_another_file_under_the_same_name_is_another_build(releases: Releases, tmp_path: Path) -> None:
    first = ask(releases, tmp_path).record.key
    releases.files["b9601"][NAME] = tarred({**FILES, "llama-b9601/NEWS": b"rebuilt"})
    assert ask(releases, tmp_path).record.key != first


def test_what_was_unpacked_serves_while_github_is_silent(releases: Releases, tmp_path: Path) -> None:
    key = ask(releases, tmp_path).record.key
    releases.status = 503
    assert (ask(releases, tmp_path).record.key, ask(releases, tmp_path).record.cached) == (key, True)
    releases.status = 429
    assert ask(releases, tmp_path).record.cached


def test_the_commands_bring_the_same_files_to_where_the_server_is_started(
    releases: Releases, tmp_path: Path
) -> None:
    record = ask(releases, tmp_path).record
    place = f"builds/{record.key}/bld/bin"
    made, got, opened = record.commands
    assert made == ("mkdir", "-p", place)
    assert got[:2] == ("curl", "-fLO")
    assert got[2].endswith(f"/releases/download/b9601/{NAME}")
    assert opened == ("tar", "-xzf", NAME, "-C", place, "--strip-components=1")


def test_zip_archives_of_older_tags(releases: Releases, tmp_path: Path) -> None:
    old = f"llama-b4747-bin-ubuntu-{MACHINE}.zip"
    releases.files["b4747"] = {old: zipped({"build/bin/llama-server": server_program("4747 (1c26250)")})}
    record = ask(releases, tmp_path, tag=Tag(name="b4747", sha=SHA, number=4747)).record
    assert record.version == "4747 (1c26250)"
    assert record.commands[-1] == ("unzip", "-j", old, "-d", f"builds/{record.key}/bld/bin")


def test_the_libraries_of_cuda_join_the_programs(releases: Releases, tmp_path: Path) -> None:
    name = f"llama-b9601-bin-ubuntu-cuda-12.8-{MACHINE}.tar.gz"
    files = {name: tarred(FILES), f"cudart-{name}": tarred({"libcudart.so.12": b"runtime"})}
    releases.files["b9601"] = files
    built = ask(releases, tmp_path, variant="cuda", backend="cuda", driver="580.95", capability="9.0")
    assert built.folder
    assert (built.folder / "libcudart.so.12").read_bytes() == b"runtime"
    assert set(built.record.archives) == set(files)
    assert built.record.commands[-1][-1] == "--strip-components=0"


def test_a_broken_line_leaves_what_came_and_goes_on(
    releases: Releases, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "_PATIENCE_S", 0.0)
    releases.cut[NAME] = 100
    with pytest.raises(BotError) as caught:
        ask(releases, tmp_path)
    assert caught.value.code == "archive-unanswered"
    (folder,) = (path for path in (tmp_path / "builds").iterdir() if path.is_dir())
    assert [path.relative_to(folder) for path in folder.rglob("*.*")] == [Path("downloads", f"{NAME}.part")]
    assert ask(releases, tmp_path).record.status == "ok"
    assert releases.ranges == [None, "bytes=100-"]


def test_a_wrong_checksum(releases: Releases, tmp_path: Path) -> None:
    releases.wrong[NAME] = tarred({"llama-b9601/llama-server": b"evil"})
    assert refused(releases, tmp_path).code == "archive-checksum"


def test_a_tag_without_a_release(releases: Releases, tmp_path: Path) -> None:
    found = refused(releases, tmp_path, tag=Tag(name="b9602", sha=SHA, number=9602))
    assert (found.code, found.exit_code) == ("archive-missing", 2)


def test_a_file_that_vanished_between_listing_and_download(releases: Releases, tmp_path: Path) -> None:
    real = releases.described

    def listed_then_gone(tag: str) -> object:
        shown = real(tag)
        releases.files["b9601"].pop(NAME, None)
        return shown

    releases.described = listed_then_gone  # type: ignore[method-assign,assignment]
    assert refused(releases, tmp_path).code == "archive-missing"


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (tarred({"../../evil": b"x"}), "archive-unsafe"),
        (tarred({"b/zeros": bytes(80 << 20)}), "archive-too-large"),
        (b"<html>", "archive-damaged"),
        (tarred({"b/llama-cli": b"x"}), "archive-damaged"),
        (tarred({"b/llama-server": server_program("9600 (deadbee)")}), "archive-wrong-commit"),
        (tarred({"b/llama-server": b"#!/bin/sh\necho nothing of interest\n"}), "binaries-do-not-start"),
        (tarred({"b/llama-server": b"\x7fELF broken"}), "binaries-do-not-start"),
        (tarred({"b/llama-server": server_program("9601 (1c26250)")}, mode=0o644), "binaries-no-server"),
    ],
)
def test_an_archive_that_is_none_of_the_tag_leaves_nothing(
    content: bytes, code: str, releases: Releases, tmp_path: Path
) -> None:
    releases.files["b9601"][NAME] = content
    assert refused(releases, tmp_path).code == code
    assert not (tmp_path.parent / "evil").exists()


def test_nobody_at_the_address(releases: Releases, tmp_path: Path) -> None:
    found = refused(releases, tmp_path, api="http://127.0.0.1:1/repos/a/b")
    assert (found.code, found.exit_code) == ("archive-unanswered", 4)


def test_an_unpacked_archive_makes_room_as_any_build(releases: Releases, tmp_path: Path) -> None:
    from bot.build.usage import release  # noqa: PLC0415

    key = ask(releases, tmp_path).record.key
    assert prune(tmp_path / "builds", Limits(kept=0, mib=0.0)) == ()
    release(tmp_path / "builds" / key)
    assert prune(tmp_path / "builds", Limits(kept=0, mib=0.0)) == (key,)
