"""An archive's files laid into a folder: nothing outside it, nothing but files, not more than is sane."""

import gzip
import lzma
import posixpath
import shutil
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bot.errors import environment

#: Release archives shrink to a quarter or a third; what grows this much is none.
_RATIO, _FREE, _MOST = 30, 64 << 20, 8 << 30
_MEMBERS = 20_000
_CHUNK = 1 << 20
_DAMAGED = (tarfile.TarError, zipfile.BadZipFile, gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError)


@dataclass(frozen=True)
class _Member:
    """`link` is the target of a symbolic link, None for a plain file."""

    name: str
    size: int
    mode: int
    link: str | None
    handle: tarfile.TarInfo | zipfile.ZipInfo


def unpack(archive: Path, folder: Path) -> None:
    """Lay the files of a `.tar.gz` or `.zip` into `folder`, which does not exist yet.

    Links are made last, so that no file is written through one; they stay inside. Raises BotError (exit 4):
    `archive-unsafe` for a member that leads out of the folder or is no file, `archive-too-large` for more
    than 30 times the archive's size, `archive-damaged` for anything that is none; the folder is gone then.
    """
    try:
        folder.mkdir(parents=True)
        _lay(archive, folder)
    except (*_DAMAGED, ValueError, RuntimeError) as error:  # RuntimeError: encrypted, or links in a circle
        shutil.rmtree(folder, ignore_errors=True)
        raise environment("archive-damaged", name=archive.name, why=str(error)) from error
    except OSError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise environment("cannot-write", path=str(folder), why=error.strerror or str(error)) from error
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _lay(archive: Path, folder: Path) -> None:
    left = min(_MOST, max(_FREE, _RATIO * archive.stat().st_size))
    links: list[tuple[Path, str]] = []
    with _opened(archive) as source:
        for number, member in enumerate(source):
            place = _place(archive, folder, member)
            if member.link is not None:
                links.append((place, member.link))
                continue
            left -= member.size
            if left < 0 or number >= _MEMBERS:
                raise environment("archive-too-large", name=archive.name)
            place.parent.mkdir(parents=True, exist_ok=True)
            with source.read(member) as content, place.open("xb") as file:
                _copy(content, file, member.size)
            place.chmod(0o755 if member.mode & 0o111 else 0o644)
    _link(archive, folder, links)


def _link(archive: Path, folder: Path, links: list[tuple[Path, str]]) -> None:
    """Make the links, then follow each: names alone do not tell where one leads over another."""
    inside = folder.resolve()
    for place, target in links:
        if place.parent.resolve().is_relative_to(inside):
            place.parent.mkdir(parents=True, exist_ok=True)
            place.symlink_to(target)
    for place, _ in links:
        if not (place.is_symlink() and place.resolve().is_relative_to(inside)):
            member = str(place.relative_to(folder))[:200]
            raise environment("archive-unsafe", name=archive.name, member=member)


def _copy(content: IO[bytes], file: IO[bytes], size: int) -> None:
    """Exactly `size` bytes: what a member says of itself is what is counted."""
    while size > 0 and (chunk := content.read(min(_CHUNK, size))):
        file.write(chunk)
        size -= len(chunk)
    if size or content.read(1):
        raise EOFError("a member's size is not what it says")


def _place(archive: Path, folder: Path, member: _Member) -> Path:
    """Where the member goes. Raises BotError (exit 4) for a place outside the folder."""
    target = posixpath.join(posixpath.dirname(member.name), member.link or "")
    if not _is_inside(member.name) or (member.link is not None and not _is_inside(target)):
        raise environment("archive-unsafe", name=archive.name, member=member.name[:200])
    if member.link is not None and member.link.startswith("/"):
        raise environment("archive-unsafe", name=archive.name, member=member.name[:200])
    return folder / posixpath.normpath(member.name)


def _is_inside(name: str) -> bool:
    first = posixpath.normpath(name).partition("/")[0]
    return not (name.startswith("/") or "\\" in name or "\0" in name or first in (".", ".."))


class _Source:
    """The members of one archive, folders left out: they are made as they are needed."""

    def __init__(self, archive: Path, opened: tarfile.TarFile | zipfile.ZipFile) -> None:
        self._name = archive.name
        self._opened = opened

    def __iter__(self) -> Iterator[_Member]:
        if isinstance(self._opened, zipfile.ZipFile):
            yield from (self._zipped(info) for info in self._opened.infolist() if not info.is_dir())
            return
        for info in self._opened:
            if info.isdir():
                continue
            if not (info.isreg() or info.issym()):
                raise environment("archive-unsafe", name=self._name, member=info.name[:200])
            link = info.linkname if info.issym() else None
            yield _Member(info.name, info.size, info.mode, link, info)

    def _zipped(self, info: zipfile.ZipInfo) -> _Member:
        mode = info.external_attr >> 16
        is_link = stat.S_ISLNK(mode)
        if is_link and isinstance(self._opened, zipfile.ZipFile) and info.file_size <= 4096:
            target = self._opened.read(info).decode("utf-8", "replace")
            return _Member(info.filename, 0, mode, target, info)
        if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            raise environment("archive-unsafe", name=self._name, member=info.filename[:200])
        return _Member(info.filename, info.file_size, mode, None, info)

    def read(self, member: _Member) -> IO[bytes]:
        """The content of a plain file."""
        if isinstance(self._opened, zipfile.ZipFile):
            assert isinstance(member.handle, zipfile.ZipInfo)
            return self._opened.open(member.handle)
        assert isinstance(member.handle, tarfile.TarInfo)
        content = self._opened.extractfile(member.handle)
        assert content is not None, "it is a plain file"
        return content


@contextmanager
def _opened(archive: Path) -> Iterator[_Source]:
    if archive.name.endswith(".zip"):
        with zipfile.ZipFile(archive) as zipped:
            yield _Source(archive, zipped)
        return
    with tarfile.open(archive, "r:gz") as packed:
        yield _Source(archive, packed)
