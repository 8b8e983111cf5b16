"""A stand-in for GitHub's releases: REST answers and files over real HTTP, with ranges and faults."""

import hashlib
import io
import json
import re
import tarfile
import threading
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

REPO = "ggml-org/llama.cpp"


@dataclass
class Releases:
    """Tags with their files. `cut` ends the next answer for a file after so many bytes of it.

    `wrong` are files that are served with other bytes than their digest says; `plain` those without a digest.
    """

    files: dict[str, dict[str, bytes]] = field(default_factory=dict)
    cut: dict[str, int] = field(default_factory=dict)
    wrong: dict[str, bytes] = field(default_factory=dict)
    plain: set[str] = field(default_factory=set)
    status: int = 0
    ranges: list[str | None] = field(default_factory=list)
    url: str = ""

    @property
    def api(self) -> str:
        """The repository's address at the REST API."""
        return f"{self.url}/repos/{REPO}"

    def described(self, tag: str) -> dict[str, Any] | None:
        """A release as the REST API shows it; None for a tag without one."""
        if tag not in self.files:
            return None
        return {"tag_name": tag, "assets": [self._asset(tag, name) for name in self.files[tag]]}

    def _asset(self, tag: str, name: str) -> dict[str, Any]:
        content = self.files[tag][name]
        digest = None if name in self.plain else f"sha256:{hashlib.sha256(content).hexdigest()}"
        url = f"{self.url}/{REPO}/releases/download/{tag}/{name}"
        shape = {"name": name, "size": len(content), "state": "uploaded"}
        return {**shape, "digest": digest, "browser_download_url": url}


@contextmanager
def serving(releases: Releases) -> Iterator[Releases]:
    """The releases at an address of this machine as long as the block runs."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(releases))
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    releases.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield releases
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(releases: Releases) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if releases.status:
                self._send(releases.status, json.dumps({"message": "not now"}).encode())
            elif found := re.fullmatch(rf"/repos/{REPO}/releases/tags/(\S+)", self.path):
                shown = releases.described(found[1])
                self._send(200 if shown else 404, json.dumps(shown or {"message": "Not Found"}).encode())
            elif found := re.fullmatch(rf"/{REPO}/releases/download/(\S+)", self.path):
                self.send_response(302)  # as GitHub does: the files lie elsewhere
                self.send_header("location", f"{releases.url}/files/{found[1]}")
                self.send_header("content-length", "0")
                self.end_headers()
            else:
                self._file(*self.path.removeprefix("/files/").partition("/")[::2])

        def _file(self, tag: str, name: str) -> None:
            asked = self.headers.get("range")
            releases.ranges.append(asked)
            content = releases.wrong.get(name, releases.files.get(tag, {}).get(name))
            if content is None:
                self._send(404, b"")
                return
            start = int(asked.removeprefix("bytes=").partition("-")[0]) if asked else 0
            if start >= len(content) > 0:
                self._send(416, b"")
                return
            self.send_response(206 if asked else 200)
            if asked:
                self.send_header("content-range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("content-length", str(len(content) - start))
            self.end_headers()
            self.wfile.write(content[start : start + releases.cut.pop(name, len(content))])

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silence."""

    return Handler


def packed(folder: Path, tag: str) -> bytes:
    """A release archive of the programs in a folder, as upstream packs them: below `llama-<tag>/`.

    The programs look for their libraries beside them (`$ORIGIN`), whatever folder they were built in.
    """
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz", compresslevel=1) as archive:
        for path in sorted(folder.iterdir()):
            member = archive.gettarinfo(path, f"llama-{tag}/{path.name}")
            content = path.read_bytes() if member.isreg() else b""
            archive.addfile(member, io.BytesIO(_moved(content)))
    return stream.getvalue()


def tarred(files: Mapping[str, bytes], links: Mapping[str, str] | None = None, mode: int = 0o755) -> bytes:
    """An archive with exactly these members."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), mode
            archive.addfile(member, io.BytesIO(content))
        for name, target in (links or {}).items():
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, target
            archive.addfile(member)
    return stream.getvalue()


def zipped(files: Mapping[str, bytes], mode: int = 0o755) -> bytes:
    """As `tarred`, in the form of before b7486."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = (0o100000 | mode) << 16
            archive.writestr(info, content)
    return stream.getvalue()


def server_program(said: str) -> bytes:
    """A `llama-server` that knows only `--version`."""
    lines = f"version: {said}", "built with GNU 14.2.0 for Linux x86_64"
    return "".join(["#!/bin/sh\n", *(f"echo '{line}' >&2\n" for line in lines)]).encode()


_RUNPATH = re.compile(rb"/[\w./-]+/bld/bin:?\0")


def _moved(content: bytes) -> bytes:
    """The RUNPATH of the folder it was built in becomes `$ORIGIN`, in place."""
    return _RUNPATH.sub(lambda found: b"$ORIGIN".ljust(len(found[0]), b"\0"), content)
