"""Where each side's binaries come from, in the file and on the command line."""

from pathlib import Path

import pytest

from bot.config import load
from bot.config.sources import BUILD, Source, SourcesConfig, parse
from bot.errors import BotError, Exit
from tests.config.conftest import Write

GOOD = "profiles:\n  mine:\n    model: m.gguf\n"


def test_both_sides_are_built_unless_told_otherwise(write: Write) -> None:
    settings = load(write(GOOD))
    assert (settings.sources.base, settings.sources.head) == (BUILD, BUILD)


def test_each_form_of_the_file(write: Write) -> None:
    path = write(GOOD + "sources:\n  base: path:llama.cpp/build/bin\n  head: archive:vulkan\n")
    sources = load(path).sources
    assert sources.base == Source(kind="path", folder=path.absolute().parent / "llama.cpp/build/bin")
    assert sources.head == Source(kind="archive", variant="vulkan")


def test_a_source_reads_as_it_is_written() -> None:
    for text in ("build", "archive", "archive:vulkan", "path:/opt/llama.cpp/bin"):
        assert str(parse(text, "--head-source")) == text


def test_the_command_lines_folders_are_those_of_the_shell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    assert parse("path:~/llama.cpp", "--base-source").folder == Path("/home/someone/llama.cpp")
    assert parse("path:bin", "--base-source").folder == Path("bin")


@pytest.mark.parametrize("text", ["", "builds", "path:", "archive:cuda", "/opt/bin", 'path:"', "path: "])
def test_anything_else_is_named_with_what_is_allowed(text: str) -> None:
    if text == 'path:"':
        assert parse(text, "--base-source").folder == Path('"')
        return
    with pytest.raises(BotError) as caught:
        parse(text, "--base-source")
    assert (caught.value.code, caught.value.exit_code) == ("bad-source", Exit.USAGE)
    assert caught.value.values["option"] == "--base-source"


@pytest.mark.parametrize(
    ("upstream", "api"),
    [
        ("https://github.com/ggml-org/llama.cpp", "https://api.github.com/repos/ggml-org/llama.cpp"),
        ("https://github.com/ggml-org/llama.cpp.git", "https://api.github.com/repos/ggml-org/llama.cpp"),
        ("git@github.com:me/llama.cpp.git", "https://api.github.com/repos/me/llama.cpp"),
        ("https://git.example.com/a/b", "https://git.example.com/api/v3/repos/a/b"),
        ("/srv/llama.cpp", None),
        ("file:///srv/llama.cpp", None),
    ],
)
def test_where_the_releases_are_follows_from_the_repository(upstream: str, api: str | None) -> None:
    assert SourcesConfig().api(upstream) == api
    named = SourcesConfig(releases="http://127.0.0.1:9/repos/a/b")
    assert named.api(upstream) == "http://127.0.0.1:9/repos/a/b"
