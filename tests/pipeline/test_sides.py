"""What the sides of a run are: named, said by the user's own binaries, or what the user's server runs."""

import io
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from rich.console import Console

from bot.build.prebuilt.own import Own, look
from bot.config import Settings
from bot.config.models import MachineConfig, UpstreamConfig
from bot.config.sources import BUILD, Source, SourcesConfig
from bot.errors import BotError
from bot.pipeline.begin import open_mirror
from bot.pipeline.in_use import base_in_use
from bot.pipeline.request import Request
from bot.pipeline.sides import Sided, Sides, identity, must_match, named
from bot.pipeline.sides import look as look_at
from bot.progress import Reporter
from bot.report.words import catalog
from bot.upstream.mirror import Mirror
from tests.support.releases import server_program
from tests.support.repository import FakeUpstream


class Desk:
    """A mirror of b1, b2, b3 and an untagged commit, and what was said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        upstream = FakeUpstream(folder / "upstream")
        self.shas = {name: self._tagged(upstream, name) for name in ("b1", "b2")}
        self.shas["between"] = upstream.commit("between", {"f": "between"})
        self.shas["b3"] = self._tagged(upstream, "b3")
        self.said = io.StringIO()
        self.reporter = Reporter(catalog("en").text, Console(file=self.said, width=300))
        self.settings = self.with_server(None, upstream.url)
        self.mirror: Mirror = open_mirror(self.settings, self.reporter)

    def _tagged(self, upstream: FakeUpstream, name: str) -> str:
        sha = upstream.commit(name, {"f": name})
        upstream.tag(name)
        return sha

    def with_server(self, server: str | None, url: str = "") -> Settings:
        return Settings.model_construct(
            cache=self.folder / "cache",
            upstream=UpstreamConfig(url=url or self.settings.upstream.url),
            machine=MachineConfig(backend="cpu", server=server),
            sources=SourcesConfig(),
            profiles={},
        )

    def base(self, server: str | None, **asked: str) -> str | None:
        request = Request(**asked)  # type: ignore[arg-type]
        return base_in_use(self.with_server(server), request, self.mirror, self.reporter)

    def binaries(self, said: str) -> Own:
        folder = self.folder / "bin"
        folder.mkdir(exist_ok=True)
        (folder / "llama-server").write_bytes(server_program(said))
        (folder / "llama-server").chmod(0o755)
        return look(folder)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    return Desk(tmp_path)


@contextmanager
def answering(status: int, body: bytes) -> Iterator[str]:
    """A server that answers everything so."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            assert self.path == "/props"
            assert "authorization" not in self.headers
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Silence."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def props(build: str) -> bytes:
    return json.dumps({"build_info": build, "total_slots": 1}).encode()


def test_what_the_users_server_runs_is_the_base_and_is_said(desk: Desk) -> None:
    with answering(200, props(f"b2-{desk.shas['b2'][:7]}")) as url:
        assert desk.base(url) == "b2"
        assert f"The base is b2: that is what your server at {url} runs." in desk.said.getvalue()
        assert desk.base(url, base="b1") == "b1"
        assert desk.base(url, asked_by="watch") is None


def test_a_number_alone_is_not_believed(desk: Desk) -> None:
    """A shallow clone counts to 1; the commit is what it is."""
    with answering(200, props(f"b1-{desk.shas['between'][:9]}")) as url:
        assert desk.base(url) == desk.shas["between"]


def test_a_server_that_runs_head_leaves_the_base_to_the_rules(desk: Desk) -> None:
    with answering(200, props(f"b3-{desk.shas['b3'][:7]}")) as url:
        assert desk.base(url) is None
        assert "You run b3 already" in desk.said.getvalue()
        assert desk.base(url, head="b2") == "b3"


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (200, props("b9-fffffff"), "says that it is b9-fffffff"),
        (200, props("b0-unknown"), "says that it is b0-unknown"),
        (200, b"[]", "says that it is -"),
        (200, b"<html>", "says that it is -"),
        (401, b"{}", "does not answer (HTTP 401)"),
        (503, b"{}", "does not answer"),
    ],
)
def test_a_server_that_tells_nothing_is_said_and_passed_over(
    status: int, body: bytes, said: str, desk: Desk
) -> None:
    with answering(status, body) as url:
        assert desk.base(url) is None
    assert said in desk.said.getvalue()


def test_nobody_at_the_servers_address(desk: Desk) -> None:
    assert desk.base("http://127.0.0.1:1") is None
    assert "does not answer (ConnectError)" in desk.said.getvalue()


def test_own_binaries_name_their_tag(desk: Desk) -> None:
    own = desk.binaries(f"2 ({desk.shas['b2'][:7]})")
    side = Sided(Source(kind="path", folder=own.folder), own)
    assert named(side, None, desk.mirror, "--base") == "b2"
    assert named(side, "b1", desk.mirror, "--base") == "b1"
    assert named(Sided(BUILD), None, desk.mirror, "--base") is None


def test_own_binaries_of_an_unknown_commit_need_a_name(desk: Desk) -> None:
    own = desk.binaries("9 (fffffff)")
    with pytest.raises(BotError) as caught:
        named(Sided(BUILD, own), None, desk.mirror, "--base")
    assert (caught.value.code, caught.value.values["option"]) == ("path-unknown-commit", "--base")


def test_own_binaries_must_be_of_the_tag_they_stand_for(desk: Desk) -> None:
    own = desk.binaries(f"2 ({desk.shas['b2'][:7]})")
    sides: Sides = {"base": Sided(Source(kind="path", folder=own.folder), own), "head": Sided(BUILD)}
    must_match(sides, desk.mirror.pair("b2", "b3"))
    with pytest.raises(BotError) as caught:
        must_match(sides, desk.mirror.pair("b1", "b3"))
    assert (caught.value.code, caught.value.exit_code) == ("path-wrong-commit", 2)
    assert caught.value.values["tag"] == "b1"


def test_the_command_line_goes_before_the_settings(desk: Desk) -> None:
    archive = Source(kind="archive")
    settings = desk.with_server(None).model_copy(update={"sources": SourcesConfig(base=archive)})
    assert look_at(settings, Request())["base"].source == archive
    assert look_at(settings, Request(sources={"base": BUILD}))["base"].source == BUILD


def test_other_sources_are_another_question(desk: Desk) -> None:
    own = desk.binaries(f"2 ({desk.shas['b2'][:7]})")
    built, archive = Sided(BUILD), Sided(Source(kind="archive"))
    mine = Sided(Source(kind="path", folder=own.folder), own)
    assert identity({"base": built, "head": built}) == ""
    texts = {
        identity({"base": base, "head": head})
        for base in (built, archive, mine)
        for head in (built, archive, mine)
    }
    assert len(texts) == 9
