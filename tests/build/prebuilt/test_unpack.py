"""Archives that are what they should be, and those that are meant to do harm."""

import io
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.build.prebuilt.unpack import unpack
from bot.errors import BotError
from tests.support.releases import tarred, zipped

Make = Callable[[dict[str, bytes]], bytes]


def laid(tmp_path: Path, content: bytes, name: str = "a.tar.gz") -> Path:
    archive = tmp_path / name
    archive.write_bytes(content)
    unpack(archive, tmp_path / "out")
    return tmp_path / "out"


def refused(tmp_path: Path, content: bytes, name: str = "a.tar.gz") -> str:
    with pytest.raises(BotError) as caught:
        laid(tmp_path, content, name)
    assert sorted(path.name for path in tmp_path.iterdir()) == [name]
    return caught.value.code


@pytest.mark.parametrize(("make", "name"), [(tarred, "a.tar.gz"), (zipped, "a.zip")])
def test_files_come_out_with_their_content_and_right_to_run(make: Make, name: str, tmp_path: Path) -> None:
    out = laid(tmp_path, make({"b/llama-server": b"x" * 3_000_000, "b/LICENSE": b"free"}), name)
    assert (out / "b/llama-server").read_bytes() == b"x" * 3_000_000
    assert os.access(out / "b/llama-server", os.X_OK)
    assert (out / "b/LICENSE").read_text() == "free"


def test_links_between_libraries_are_kept(tmp_path: Path) -> None:
    out = laid(tmp_path, tarred({"b/libx.so.1": b"lib"}, {"b/libx.so": "libx.so.1"}))
    assert (out / "b/libx.so").readlink() == Path("libx.so.1")
    assert (out / "b/libx.so").read_bytes() == b"lib"


@pytest.mark.parametrize("name", ["../evil", "b/../../evil", "/tmp/evil", "b/..", "..", "b\\..\\evil"])
@pytest.mark.parametrize(("make", "archive"), [(tarred, "a.tar.gz"), (zipped, "a.zip")])
def test_a_member_that_leads_out_of_the_folder_is_refused(
    make: Make, archive: str, name: str, tmp_path: Path
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    code = refused(inner, make({"b/fine": b"x", name: b"x"}), archive)
    assert code in {"archive-unsafe", "archive-damaged"}
    assert not (tmp_path / "evil").exists()


@pytest.mark.parametrize("target", ["/etc/passwd", "../../etc", "../.."])
def test_a_link_that_leads_out_is_refused(target: str, tmp_path: Path) -> None:
    assert refused(tmp_path, tarred({"b/fine": b"x"}, {"b/link": target})) == "archive-unsafe"


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    """A link to a folder of the archive's own, and a file below its name."""
    inner = tmp_path / "inner"
    inner.mkdir()
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        link = tarfile.TarInfo("d")
        link.type, link.linkname = tarfile.SYMTYPE, "e"
        archive.addfile(link)
        member = tarfile.TarInfo("d/file")
        member.size = 1
        archive.addfile(member, io.BytesIO(b"x"))
    with pytest.raises(BotError):
        laid(inner, stream.getvalue())
    assert not (inner / "out").exists()


@pytest.mark.parametrize(
    "links",
    [
        {"s/t/q": "../../a", "s/t/p": "q/../../../evil"},  # by their names alone both stay inside
        {"b/c/d/e": "../../../z", "b/c/d/e/link": "../../../../evil"},
        {"x": "y", "y": "x"},
    ],
)
def test_links_that_lead_out_over_one_another_are_refused(links: dict[str, str], tmp_path: Path) -> None:
    code = refused(tmp_path, tarred({"a/fine": b"x", "z/fine": b"x"}, links))
    assert code in {"archive-unsafe", "archive-damaged"}


def test_an_encrypted_archive_is_damaged(tmp_path: Path) -> None:
    content = bytearray(zipped({"b/file": b"y"}))
    content[6] |= 1
    content[content.rfind(b"PK\x01\x02") + 8] |= 1
    assert refused(tmp_path, bytes(content), "a.zip") == "archive-damaged"


@pytest.mark.parametrize("kind", [tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_what_is_no_file_is_refused(kind: bytes, tmp_path: Path) -> None:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        member = tarfile.TarInfo("b/odd")
        member.type, member.linkname = kind, "b/other"
        archive.addfile(member)
    assert refused(tmp_path, stream.getvalue()) == "archive-unsafe"


@pytest.mark.parametrize(("make", "name"), [(tarred, "a.tar.gz"), (zipped, "a.zip")])
def test_a_bomb_is_not_unpacked(make: Make, name: str, tmp_path: Path) -> None:
    assert refused(tmp_path, make({"b/zeros": bytes(80 << 20)}), name) == "archive-too-large"


def test_more_members_than_any_release_has_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.build.prebuilt.unpack._MEMBERS", 5)
    assert refused(tmp_path, tarred({f"b/{number}": b"" for number in range(9)})) == "archive-too-large"


def test_a_zip_that_lies_about_a_size_is_damaged(tmp_path: Path) -> None:
    content = bytearray(zipped({"b/file": b"y" * 5000}))
    place = content.rfind(b"PK\x01\x02")
    content[place + 24 : place + 28] = (10).to_bytes(4, "little")
    assert refused(tmp_path, bytes(content), "a.zip") == "archive-damaged"


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 400), st.integers(0, 255), st.sampled_from(["a.tar.gz", "a.zip"]))
def test_a_damaged_archive_ends_in_one_sentence(
    tmp_path_factory: pytest.TempPathFactory, place: int, byte: int, name: str
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    make = zipped if name.endswith(".zip") else tarred
    content = bytearray(make({"b/llama-server": bytes(range(256)) * 4, "b/lib": b"z" * 99}))
    content[place % len(content)] = byte
    (folder / name).write_bytes(bytes(content[: len(content) - place % 7]))
    try:
        unpack(folder / name, folder / "out")
    except BotError as error:
        assert error.code in {"archive-damaged", "archive-unsafe", "archive-too-large"}
        assert not (folder / "out").exists()


def test_a_page_instead_of_an_archive(tmp_path: Path) -> None:
    assert refused(tmp_path, b"<html>Not found</html>") == "archive-damaged"
    other = tmp_path / "zip"
    other.mkdir()
    assert refused(other, b"<html>", "a.zip") == "archive-damaged"
    assert not zipfile.is_zipfile(other / "a.zip")
