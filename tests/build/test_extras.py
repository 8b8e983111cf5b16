"""Programs that only some profiles need: added to a finished build, missed by no other."""

from pathlib import Path
from typing import Any

from bot.build.builder import BuildRequest, Built, build, folder_of
from bot.build.extras import PERPLEXITY
from bot.build.toolchain import Toolchain
from bot.records import Tag
from tests.support import cmake_project

WITH = "add_executable(llama-perplexity server.c)\ntarget_link_libraries(llama-perplexity mini)\n"
WITH += 'target_compile_definitions(llama-perplexity PRIVATE NUMBER="1" COMMIT="a")\n'
BROKEN = WITH.replace("server.c", "broken.c")
USUAL = {"llama-server", "llama-bench", "libmini.so"}


def made(cache: Path, tools: Toolchain, *extras: str, extra_cmake: str = WITH, **more: Any) -> Built:
    def export(_sha: str, folder: Path) -> None:
        cmake_project.lay(folder, extra_cmake=extra_cmake, **more)

    return build(asked(cache, export, *extras), toolchain=tools)


def asked(cache: Path, export: Any, *extras: str) -> BuildRequest:
    tag = Tag(name="b77", sha="0123456789abcdef0123456789abcdef01234567", number=77)
    return BuildRequest(
        side="head", tag=tag, backend="cpu", cache=cache, export=export, jobs=1, extras=extras
    )


def test_a_build_that_nobody_asked_more_of_has_no_more(tmp_path: Path, tools: Toolchain) -> None:
    assert set(made(tmp_path, tools).record.binaries) == USUAL


def test_an_extra_is_added_to_a_finished_build_whose_key_and_programs_stay(
    tmp_path: Path, tools: Toolchain
) -> None:
    before = made(tmp_path, tools).record
    after = made(tmp_path, tools, PERPLEXITY)
    assert after.record.key == before.key
    assert set(after.record.binaries) == USUAL | {PERPLEXITY}
    assert {name: after.record.binaries[name] for name in USUAL} == before.binaries
    assert after.folder is not None
    assert (after.folder / PERPLEXITY).is_file()


def test_with_its_extra_the_build_is_still_a_finished_one(tmp_path: Path, tools: Toolchain) -> None:
    first = made(tmp_path, tools, PERPLEXITY).record
    for extras in ((), (PERPLEXITY,)):
        again = made(tmp_path, tools, *extras).record
        assert again.cached
        assert again.binaries == first.binaries
        assert again.stages == first.stages  # nothing was made anew


def test_an_extra_that_does_not_compile_fails_no_build(tmp_path: Path, tools: Toolchain) -> None:
    files = {"broken.c": "#error no\n"}
    built = made(tmp_path, tools, PERPLEXITY, extra_cmake=BROKEN, files=files)
    assert built.record.status == "ok"
    assert PERPLEXITY not in built.record.binaries
    assert made(tmp_path, tools, extra_cmake=BROKEN, files=files).record.cached


def test_extras_are_no_part_of_the_key(tmp_path: Path, tools: Toolchain) -> None:
    def never(_sha: str, _folder: Path) -> None:
        raise AssertionError

    keys = {folder_of(asked(tmp_path, never, *extras), tools).root for extras in ((), (PERPLEXITY,))}
    assert len(keys) == 1
