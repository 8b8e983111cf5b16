"""Sides that were not built here: release archives from a local server, and a folder of the user's own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from bot.build.prebuilt.unpack import unpack
from bot.config.sources import Source
from bot.errors import Exit
from bot.records import Run, Side
from tests.support.real import TAGS, Ended, ask, real_builds, real_config
from tests.support.releases import Releases, packed, serving

pytestmark = pytest.mark.real

ARCHIVE = Source(kind="archive")


@pytest.fixture(scope="module")
def releases() -> Iterator[Releases]:
    """Releases of the two tags, packed from their real builds."""
    files = {tag: {f"llama-{tag}-bin-ubuntu-x64.tar.gz": packed(real_builds()[tag], tag)} for tag in TAGS}
    with serving(Releases(files)) as served:
        yield served


@pytest.fixture
def config(tmp_path: Path, tiny: Path, releases: Releases) -> Path:
    path = real_config(tmp_path, tiny)
    (tmp_path / "cache" / "builds").unlink()  # what is unpacked here shall go with the test
    (tmp_path / "cache" / "builds").mkdir()
    for build in real_builds().values():
        root = build.parents[1]
        (tmp_path / "cache" / "builds" / root.name).symlink_to(root)
    shown = yaml.safe_load(path.read_text())
    path.write_text(yaml.safe_dump({**shown, "sources": {"releases": releases.api}}))
    return path


def mine(folder: Path, tag: str) -> Source:
    """A copy of a real build, as somebody may have it."""
    archive = folder / f"{tag}.tar.gz"
    archive.write_bytes(packed(real_builds()[tag], tag))
    unpack(archive, folder / "mine")
    return Source(kind="path", folder=folder / "mine" / f"llama-{tag}")


def other(folder: Path, tag: str) -> Source:
    """A copy whose programs still look for their libraries where they were built."""
    target = folder / "copy" / tag
    shutil.copytree(real_builds()[tag], target, symlinks=True)
    return Source(kind="path", folder=target)


def sources(run: Run) -> list[str]:
    return [build.source for build in run.builds]


def test_two_archives_are_compared_like_two_builds(config: Path, tmp_path: Path) -> None:
    both: dict[Side, Source] = {"base": ARCHIVE, "head": ARCHIVE}
    ended = ask(config, tmp_path / "out", sources=both)
    run = ended.run
    assert sources(run) == ["archive", "archive"]
    assert [launch.status for launch in run.launches() if launch.status != "ok"] == []
    assert [item.metric for item in run.comparisons] == ["decode:coding"]
    assert "sources_differ" not in ended.reasons()
    head = run.build("head")
    assert head is not None
    assert head.version == "9601 (1c26250)"
    assert [tool.name for tool in head.tools] == ["compiler"]
    assert f"{next(iter(head.archives.values()))}" in ended.report("en")
    assert "--base-source archive --head-source archive" in ended.report("en")


def test_an_archive_against_a_build_compares_memory_and_changes_but_no_speed(
    config: Path, tmp_path: Path
) -> None:
    ended = ask(config, tmp_path / "out", sources={"base": ARCHIVE})
    run = ended.run
    assert sources(run) == ["archive", "build"]
    assert run.comparisons == ()
    assert len(run.valid_rounds) == 4
    assert run.memory is not None
    assert run.verdict is not None
    assert (run.verdict.code, ended.reasons()[0]) == ("unknown", "sources_differ")
    report = ended.report("en")
    assert "do not compare" in report
    assert "tok/s" not in report.partition("<details>")[0]
    assert "curl -fLO" in report


def test_the_users_own_build_is_the_base_by_what_it_says_of_itself(config: Path, tmp_path: Path) -> None:
    own = mine(tmp_path, "b9553")
    ended = ask(config, tmp_path / "out", base=None, sources={"base": own})
    run = ended.run
    assert (run.pair.base.name, sources(run)) == ("b9553", ["path", "build"])
    assert "start your own build as before" in ended.report("en")
    assert str(tmp_path) not in (ended.folder / "run.json").read_text()


def test_a_build_of_another_tag_is_no_base(config: Path, tmp_path: Path) -> None:
    ended = ask(config, tmp_path / "out", sources={"base": mine(tmp_path, "b9601")})
    assert ended.error is not None
    assert (ended.code, ended.error.exit_code) == ("path-wrong-commit", Exit.USAGE)


def test_another_source_is_another_question(config: Path, tmp_path: Path) -> None:
    def asked(**sides: Source) -> Ended:
        return ask(config, tmp_path / "out", sources=dict(sides))

    assert asked(base=ARCHIVE, head=ARCHIVE).finished is not None
    assert asked(base=ARCHIVE).code == "other-run-here"


def test_an_archive_that_loads_another_builds_libraries_is_refused(
    config: Path, tmp_path: Path, releases: Releases, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As built here its programs look for their libraries in the folder they were built in."""
    monkeypatch.setattr("tests.support.releases._moved", lambda content: content)
    assert ask(config, tmp_path / "own", sources={"base": other(tmp_path, "b9553")}).code == (
        "binaries-foreign-library"
    )
    name = "llama-b9553-bin-ubuntu-x64.tar.gz"
    monkeypatch.setitem(releases.files["b9553"], name, packed(real_builds()["b9553"], "b9553"))
    ended = ask(config, tmp_path / "out", sources={"base": ARCHIVE})
    assert ended.code in {"binaries-foreign-library", "binaries-do-not-start"}
