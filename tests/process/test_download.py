"""One file over HTTP, against a real server that breaks off, lies, refuses and redirects."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.download import Wanted, WrongContentError, download
from bot.http import DeclinedError, LimitedError, Patience, SystemClock, UnansweredError
from tests.support.releases import REPO, Releases, serving

CONTENT = bytes(range(256)) * 20_000
SHA256 = hashlib.sha256(CONTENT).hexdigest()


@pytest.fixture
def releases() -> Iterator[Releases]:
    with serving(Releases({"b1": {"file": CONTENT}})) as served:
        yield served


def wanted(releases: Releases, *, sha256: str | None = SHA256, most: int = len(CONTENT)) -> Wanted:
    return Wanted(f"{releases.url}/{REPO}/releases/download/b1/file", most, sha256)


class Impatient(SystemClock):
    def sleep(self, seconds: float) -> None:
        """No time passes."""


def fetch(what: Wanted, target: Path, *, patience_s: float = 0.0) -> str:
    return download(what, target, Patience(Impatient(), left_s=patience_s), timeout_s=5.0)


def test_the_file_is_there_whole_and_its_sha256_is_told(releases: Releases, tmp_path: Path) -> None:
    seen: list[tuple[float, float]] = []
    found = download(
        wanted(releases),
        tmp_path / "deep" / "file",
        Patience(Impatient()),
        progress=lambda done, total: seen.append((done, total)),
    )
    assert found == SHA256
    assert (tmp_path / "deep" / "file").read_bytes() == CONTENT
    assert seen[-1] == (len(CONTENT), len(CONTENT))
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["file"]


def test_an_interrupted_download_is_gone_on_with(releases: Releases, tmp_path: Path) -> None:
    releases.cut["file"] = 100_000
    with pytest.raises(UnansweredError):
        fetch(wanted(releases), tmp_path / "file")
    assert (tmp_path / "file.part").stat().st_size == 100_000
    assert not (tmp_path / "file").exists()
    assert fetch(wanted(releases), tmp_path / "file") == SHA256
    assert releases.ranges == [None, "bytes=100000-"]
    assert not (tmp_path / "file.part").exists()


def test_one_call_goes_on_by_itself_as_long_as_it_has_patience(releases: Releases, tmp_path: Path) -> None:
    releases.cut["file"] = 100_000
    assert fetch(wanted(releases), tmp_path / "file", patience_s=60.0) == SHA256
    assert releases.ranges == [None, "bytes=100000-"]


def test_without_a_checksum_every_download_begins_anew(releases: Releases, tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(b"of another file")
    assert fetch(wanted(releases, sha256=None), tmp_path / "file") == SHA256
    assert releases.ranges == [None]


def test_a_whole_part_is_taken_as_it_is(releases: Releases, tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(CONTENT)
    assert fetch(wanted(releases), tmp_path / "file") == SHA256


def test_other_content_is_not_kept(releases: Releases, tmp_path: Path) -> None:
    releases.wrong["file"] = b"evil" * 100
    with pytest.raises(WrongContentError) as caught:
        fetch(wanted(releases), tmp_path / "file")
    assert caught.value.found == hashlib.sha256(b"evil" * 100).hexdigest()
    assert list(tmp_path.iterdir()) == []


def test_a_part_of_another_file_is_not_kept_either(releases: Releases, tmp_path: Path) -> None:
    (tmp_path / "file.part").write_bytes(b"other" * 10)
    with pytest.raises(WrongContentError):
        fetch(wanted(releases), tmp_path / "file")
    assert fetch(wanted(releases), tmp_path / "file") == SHA256


def test_more_than_was_promised_is_not_read(releases: Releases, tmp_path: Path) -> None:
    with pytest.raises(WrongContentError) as caught:
        fetch(wanted(releases, most=1000), tmp_path / "file")
    assert caught.value.found == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [(404, DeclinedError), (403, DeclinedError), (429, LimitedError), (503, UnansweredError)],
)
def test_a_refusal_keeps_its_meaning(
    status: int, kind: type[Exception], releases: Releases, tmp_path: Path
) -> None:
    releases.status = status
    with pytest.raises(kind):
        fetch(wanted(releases), tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_nobody_at_the_address(tmp_path: Path) -> None:
    with pytest.raises(UnansweredError):
        fetch(Wanted("http://127.0.0.1:1/file", 10), tmp_path / "file")
