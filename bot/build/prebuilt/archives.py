"""Upstream's own binaries of a tag: found, downloaded, checked, unpacked beside the builds."""

import hashlib
import platform
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bot.build.boxes import running
from bot.build.builder import Built
from bot.build.identity import is_commit
from bot.build.layout import SERVER, Folder
from bot.build.layout import hashes as binaries
from bot.build.prebuilt.assets import Asset, Chosen, Needs, Variant, choose
from bot.build.prebuilt.inspection import Inspected, inspect
from bot.build.prebuilt.releases import listed, refusal
from bot.build.prebuilt.unpack import unpack
from bot.build.turns import turn
from bot.build.usage import hold, last_used
from bot.download import Progress, Wanted, WrongContentError, download
from bot.errors import BotError, environment
from bot.http import DeclinedError, LimitedError, Patience, SystemClock, UnansweredError
from bot.isolation import Level, demand
from bot.records import Backend, Build, Side, Tag

#: In the key of a build that was unpacked.
KIND = "archive"
_PATIENCE_S = 300.0
#: Errors of a GitHub that says nothing about the release.
_SILENT = frozenset({"archive-unanswered", "archive-limited"})


@dataclass(frozen=True, kw_only=True)
class ArchiveRequest:
    """Which archive. `api`: the repository at GitHub's REST API. `cache` is the root of `builds/`.

    `backend` is what the run measures, `variant` the kind of binaries. `driver` and `capability` are the
    GPU's, None where nothing is to be fitted to them.
    """

    side: Side
    tag: Tag
    backend: Backend
    variant: Variant
    api: str
    cache: Path
    driver: str | None = None
    capability: str | None = None
    isolation: Level = "auto"
    on_wait: Callable[[], None] | None = None


def fetch(request: ArchiveRequest, *, progress: Progress | None = None) -> Built:
    """The tag's binaries, from the release or as they were unpacked before (verified by hash).

    Which files a release has is asked each time; where nobody answers, what was unpacked last serves. Raises
    BotError: exit 2 for a tag that has no release or none for this machine, exit 4 where GitHub does not
    answer, the archive is not what was promised, or its server does not start here. Nothing half-made stays
    but a download that can be gone on with.
    """
    started = time.monotonic()
    demand(request.isolation)
    chosen, folder = _place(request)
    folder.root.parent.mkdir(parents=True, exist_ok=True)
    hold(folder.root)
    with turn(folder, request.on_wait):
        ready = folder.finished()
        asked = {"side": request.side, "tag": request.tag.name, "sha": request.tag.sha}
        if ready:
            record = ready.build.model_copy(update=asked | {"cached": True})
        else:
            record = _made(request, chosen or _chosen(request), folder, progress)
    record = record.model_copy(update={"seconds": round(time.monotonic() - started, 2)})
    return Built(record, folder.bin)


def _place(request: ArchiveRequest) -> tuple[Chosen | None, Folder]:
    try:
        chosen = _chosen(request)
    except BotError as error:
        known = _unpacked_before(request) if error.code in _SILENT else None
        if known is None:
            raise
        return None, known
    return chosen, _folder(request, chosen)


def _chosen(request: ArchiveRequest) -> Chosen:
    needs = Needs(platform.machine(), request.variant, request.driver, request.capability)
    return choose(request.tag.name, listed(request.api, request.tag.name), needs)


def _stem(request: ArchiveRequest) -> str:
    return f"{request.tag.sha[:12]}-{KIND}-{request.variant}"


def _unpacked_before(request: ArchiveRequest) -> Folder | None:
    """The folder of this tag's binaries that was used last."""
    builds = (request.cache / "builds").resolve()
    found = [Folder(root) for root in builds.glob(f"{_stem(request)}-????????") if root.is_dir()]
    finished = (folder for folder in found if folder.is_claimed())
    return max(finished, key=lambda folder: last_used(folder.root), default=None)


def _folder(request: ArchiveRequest, chosen: Chosen) -> Folder:
    """By commit and content: a file that upstream replaced is another build."""
    content = "\n".join(f"{item.name} {item.sha256 or item.size}" for item in chosen.files)
    digest = hashlib.sha256(content.encode()).hexdigest()[:8]
    return Folder((request.cache / "builds").resolve() / f"{_stem(request)}-{digest}")


def _made(request: ArchiveRequest, chosen: Chosen, folder: Folder, progress: Progress | None) -> Build:
    _clear(folder)
    try:
        files = tuple(_unpacked(request, item, folder, progress) for item in chosen.files)
        found = inspect(folder.bin, running(folder.bin, request.isolation))
        _must_be_of(request.tag, found, chosen.files[0].name)
        shutil.rmtree(_downloads(folder), ignore_errors=True)
        record = _record(request, folder, found, files)
        folder.finish(record)
    except BaseException:
        _clear(folder)
        raise
    return record


def _downloads(folder: Folder) -> Path:
    """In the build's own folder, so that its lock holds for them and pruning finds what was left."""
    return folder.root / "downloads"


def _clear(folder: Folder) -> None:
    """Remove all but a download that can be gone on with."""
    for path in folder.root.glob("*"):
        if path == _downloads(folder):
            continue
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@dataclass(frozen=True)
class _File:
    """What an archive was: its address, its SHA-256, and how deep in it the programs or libraries lay."""

    name: str
    url: str
    sha256: str
    depth: int


def _unpacked(request: ArchiveRequest, asset: Asset, folder: Folder, progress: Progress | None) -> _File:
    """Download the file and add what it holds to the folder of programs."""
    archive = _downloads(folder) / asset.name
    digest = _downloaded(request, asset, archive, progress)
    raw = folder.root / "unpacked"
    try:
        unpack(archive, raw)
        depth = _gather(asset, raw, folder.bin)
    finally:
        archive.unlink(missing_ok=True)
        shutil.rmtree(raw, ignore_errors=True)
    return _File(asset.name, asset.url, digest, depth)


def _downloaded(request: ArchiveRequest, asset: Asset, archive: Path, progress: Progress | None) -> str:
    wanted = Wanted(asset.url, asset.size, asset.sha256)
    try:
        return download(wanted, archive, Patience(SystemClock(), left_s=_PATIENCE_S), progress=progress)
    except WrongContentError as error:
        expected, found = asset.sha256 or f"{asset.size} B", error.found or f"> {asset.size} B"
        raise environment("archive-checksum", name=asset.name, found=found, expected=expected) from None
    except (UnansweredError, LimitedError, DeclinedError) as error:
        raise refusal(error, asset.url, request.tag.name) from None


def _gather(asset: Asset, raw: Path, programs: Path) -> int:
    """The folder of the server becomes the folder of programs; libraries of another archive join it.

    How deep it lay is returned.
    """
    if not programs.exists():
        servers = sorted(raw.rglob(SERVER), key=lambda path: len(path.parts))
        if not servers:
            raise environment("archive-damaged", name=asset.name, why=f"no {SERVER}")
        programs.parent.mkdir(parents=True)
        depth = len(servers[0].relative_to(raw).parts) - 1
        servers[0].parent.rename(programs)
        return depth
    libraries = sorted(raw.rglob("lib*.so*"))
    for path in libraries:
        if not (programs / path.name).exists():
            path.rename(programs / path.name)
    return len(libraries[0].relative_to(raw).parts) - 1 if libraries else 0


def _must_be_of(tag: Tag, found: Inspected, name: str) -> None:
    if found.commit is None or not is_commit(tag.sha, found.commit):
        args = {"name": name, "said": found.version, "tag": tag.name, "sha": tag.sha[:9]}
        raise environment("archive-wrong-commit", **args)


def _record(request: ArchiveRequest, folder: Folder, found: Inspected, files: tuple[_File, ...]) -> Build:
    return Build(
        side=request.side,
        tag=request.tag.name,
        sha=request.tag.sha,
        key=folder.root.name,
        backend=request.backend,
        source="archive",
        native=False,
        tools=found.tools,
        commands=tuple(_commands(f"builds/{folder.root.name}/bld/bin", files)),
        version=found.version,
        binaries=binaries(folder.bin),
        archives={file.name: file.sha256 for file in files},
    )


def _commands(place: str, files: tuple[_File, ...]) -> Iterator[tuple[str, ...]]:
    """What brings the same files to any machine, where the server's own command line expects them."""
    yield ("mkdir", "-p", place)
    for file in files:
        yield ("curl", "-fLO", file.url)
        if file.name.endswith(".zip"):
            yield ("unzip", "-j", file.name, "-d", place)
        else:
            yield ("tar", "-xzf", file.name, "-C", place, f"--strip-components={file.depth}")
