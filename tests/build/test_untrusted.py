"""Code that upstream has not accepted: a compiler cache and a folder of its own, gone with the run."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.build import usage
from bot.build.boxes import libraries
from bot.build.builder import build
from bot.build.layout import Folder
from bot.build.pruning import Limits, discard, prune
from bot.build.toolchain import Toolchain
from bot.isolation import means
from tests.build.test_builder import SHA, Source, request_for
from tests.build.test_pruning import lay

PLENTY = Limits(kept=9, mib=1e6)


@pytest.fixture(autouse=True)
def let_go() -> Iterator[None]:
    """As if this process ended."""
    yield
    for root in list(usage._held):
        usage.release(root.with_suffix(""))


def made(path: Path) -> set[str]:
    return {item.name for item in path.iterdir() if item.is_dir()} if path.is_dir() else set()


def test_untrusted_code_never_touches_the_common_compiler_cache(tmp_path: Path, tools: Toolchain) -> None:
    built = build(request_for(tmp_path, Source(), trusted=False, run="r1"), toolchain=tools)
    assert built.record.status == "ok"
    assert not (tmp_path / "ccache").exists()
    own = tmp_path / "builds" / built.record.key / "ccache"
    assert any(own.rglob("*R")) or any(own.rglob("stats"))


def test_trusted_builds_share_theirs(tmp_path: Path, tools: Toolchain) -> None:
    built = build(request_for(tmp_path, Source()), toolchain=tools)
    assert made(tmp_path / "ccache")
    assert "untrusted" not in built.record.key


def test_only_the_same_run_finds_it_again(tmp_path: Path, tools: Toolchain) -> None:
    source = Source()
    keys = []
    for run in ("r1", "r1", "r2"):
        built = build(request_for(tmp_path, source, trusted=False, run=run), toolchain=tools)
        keys.append((built.record.key, built.record.cached))
    trusted = build(request_for(tmp_path, source), toolchain=tools)
    assert [is_cached for _, is_cached in keys] == [False, True, False]
    assert len({key for key, _ in keys}) == 2
    assert not trusted.record.cached
    assert source.exports == 3


def test_its_end_takes_builds_and_cache_along_and_nobody_elses(tmp_path: Path, tools: Toolchain) -> None:
    builds = tmp_path / "builds"
    for changes in ({"trusted": False, "run": "r1"}, {"trusted": False, "run": "r2"}, {}):
        build(request_for(tmp_path, Source(), **changes), toolchain=tools)
    before = made(builds)
    (gone,) = discard(builds, "r1")
    assert (len(before), made(builds)) == (3, before - {gone})
    assert gone.startswith(SHA[:12])
    assert discard(builds, "r1") == ()


def test_what_a_killed_run_left_goes_after_a_day(tmp_path: Path) -> None:
    day = 86400.0
    for key, age in (("a-untrusted-0", 0.9), ("b-untrusted-0", 1.1), ("c", 9.0), ("d-untrusted", 9.0)):
        lay(tmp_path, key, age=age * day)
    assert prune(tmp_path, PLENTY) == ("b-untrusted-0",)
    assert Folder(tmp_path / "d-untrusted").is_untrusted


def test_compilers_are_shut_in_and_the_record_says_so(tmp_path: Path, tools: Toolchain) -> None:
    if not means().bwrap:
        pytest.skip(f"no sandbox here: {means().refusal or 'bubblewrap is missing'}")
    secret = tmp_path / "secret"
    secret.write_text("token")
    source = Source(
        extra_cmake=f"""
            file(GLOB seen RELATIVE {tmp_path} {tmp_path}/*)
            file(GLOB beside RELATIVE {tmp_path}/builds {tmp_path}/builds/*/*)
            file(GLOB processes RELATIVE /proc /proc/[0-9]*)
            list(LENGTH processes count)
            file(WRITE ${{CMAKE_BINARY_DIR}}/seen "${{seen}}|${{beside}}|${{count}}|$ENV{{HOME}}")
        """
    )
    built = build(request_for(tmp_path, source), toolchain=tools)
    assert built.folder is not None
    seen, beside, count, _ = (built.folder.parent / "seen").read_text().split("|")
    key = built.record.key
    assert set(seen.split(";")) == {"builds", "ccache"}
    assert set(beside.split(";")) == {f"{key}/src", f"{key}/bld"}
    assert int(count) <= 3
    assert built.record.isolation == ("leash", "network", "pid", "filesystem", "environment")
    assert build(request_for(tmp_path, source), toolchain=tools).record.isolation == built.record.isolation


def test_no_tree_decides_what_its_server_sees(tmp_path: Path, tools: Toolchain) -> None:
    source = Source(extra_cmake='set(CMAKE_BUILD_RPATH "/home/somebody/.ssh" CACHE STRING "" FORCE)\n')
    built = build(request_for(tmp_path, source), toolchain=tools)
    assert built.folder is not None
    assert "CMAKE_BUILD_RPATH:STRING=/home" in (built.folder.parent / "CMakeCache.txt").read_text()
    assert libraries(built.folder) == ()


def test_a_folder_of_programs_that_leads_elsewhere_is_refused(tmp_path: Path, tools: Toolchain) -> None:
    link = """
        file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/other)
        file(CREATE_LINK ${CMAKE_BINARY_DIR}/other ${CMAKE_BINARY_DIR}/bin SYMBOLIC)
    """
    record = build(request_for(tmp_path, Source(extra_cmake=link)), toolchain=tools).record
    assert record.failure is not None
    assert (record.status, record.failure.cause) == ("failed", "binaries-missing")
