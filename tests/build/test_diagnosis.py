"""From log to cause: one excerpt or more for each row of the table, and logs of any shape."""

import tomllib
import tracemalloc
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from fluent.runtime import FluentBundle, FluentResource
from hypothesis import given, settings
from hypothesis import strategies as st

from bot import resources
from bot.build import log_search
from bot.build.diagnosis import causes, diagnose, diagnose_file

LOGS: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("logs.toml").read_text("utf-8"))["log"]
BY_BUILDER = {
    "illegal-instruction",
    "wrong-commit",
    "no-version",
    "timed-out",
    "binaries-missing",
    "foreign-library",
}


@pytest.mark.parametrize("log", LOGS, ids=[f"{index}-{log['cause']}" for index, log in enumerate(LOGS)])
def test_each_log_has_its_cause(log: dict[str, Any]) -> None:
    found = diagnose(log["text"].splitlines(keepends=True))
    assert (found.cause, found.kind) == (log["cause"], log["class"])
    assert log["first"] in found.excerpt


def test_every_row_of_the_table_is_tried() -> None:
    assert {log["cause"] for log in LOGS} == set(causes()) - BY_BUILDER


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_cause_has_words(language: str) -> None:
    bundle = FluentBundle([language])
    bundle.add_resource(
        FluentResource((resources.templates() / f"locales/{language}.ftl").read_text("utf-8"))
    )
    missing = [
        name
        for cause in causes()
        for name in (f"cause-{cause}", f"advice-{cause}")
        if not bundle.has_message(name)
    ]
    assert missing == []


def test_the_first_error_names_the_cause_not_a_later_one() -> None:
    first = next(log for log in LOGS if log["cause"] == "undefined-symbol")["text"]
    later = next(log for log in LOGS if log["cause"] == "disk-full")["text"]
    found = diagnose((first + "[9/9] Linking\n" + later).splitlines())
    assert found.cause == "undefined-symbol"
    assert "No space left" not in found.excerpt
    assert "No space left" in found.tail


def test_an_unknown_error_of_another_job_borrows_no_cause() -> None:
    log = "FAILED: [code=1] a.o\ncc a.c\nsomething odd\nFAILED: [code=1] b.o\ncc b.c\nc++: error: Killed\n"
    found = diagnose(log.splitlines())
    assert (found.kind, found.cause) == ("unknown", "unknown")
    assert "something odd" in found.excerpt


def test_the_command_line_is_no_diagnostic() -> None:
    log = [
        "FAILED: [code=1] x.o",
        "cc -DHINT='No space left on device' -c x.c",
        "x.c:1:1: error: unknown type name 'q'",
    ]
    assert diagnose(log).cause == "compile-error"


def test_a_reason_far_below_what_cmake_says_first_is_found() -> None:
    """CMake wraps all that nvcc would call, some hundred lines, between its own words and the compiler's."""
    log = [
        "CMake Error at CMakeDetermineCompilerId.cmake:949 (message):",
        '  Compiling the CUDA compiler identification source file "CMakeCUDACompilerId.cu" failed.',
        *(f"  #$ PATH=/opt/cuda/part{line}:/usr/bin" for line in range(200)),
        "  error: #error -- unsupported GNU version! gcc versions later than 15 are",
        "-- Configuring incomplete, errors occurred!",
    ]
    found = diagnose(log)
    assert found.cause == "host-compiler-too-new"
    assert "unsupported GNU version" in found.excerpt
    assert len(found.excerpt.splitlines()) < 25


def test_a_hundred_megabytes_are_read_in_bounded_memory(tmp_path: Path) -> None:
    step = (
        "[12/364] Building CXX object src/CMakeFiles/llama.dir/llama-graph.cpp.o\n"
        + "note: "
        + "x" * 930
        + "\n"
    )
    log = tmp_path / "log"
    with log.open("w") as file:
        for _ in range(100):
            file.write(step * (2**20 // len(step)))
        file.write("a.c:1:1: error: bad\n")
    tracemalloc.start()
    found = diagnose_file(log)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.cause == "compile-error"
    assert peak < 2**21


def test_a_log_without_an_error() -> None:
    found = diagnose(["-- ok", "[1/1] Linking"])
    assert (found.cause, found.excerpt, found.tail) == ("unknown", "", "-- ok\n[1/1] Linking")


def test_a_log_of_one_endless_line_stays_small(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_bytes(b"x" * 5_000_000 + b"\na.c:1:1: error: bad\n" + b"y" * 5_000_000)
    found = diagnose_file(log)
    assert found.cause == "compile-error"
    assert len(found.excerpt) + len(found.tail) < 3000


#: What a log is made of: lines with and without an error, short and long, whole and cut.
PIECES = st.one_of(
    st.sampled_from([log["text"] for log in LOGS]).map(str.encode),
    st.sampled_from(
        [b"x" * 3000, b"\n" * 50, b"c++ -Werror -c error.cpp\n", b"SomeError: no\n", b"\xff\xfe\n"]
    ),
    st.binary(max_size=40),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=12).map(b"".join), st.sampled_from([64, 700, 1 << 18]))
def test_searching_a_file_finds_what_reading_every_line_finds(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, piece: int
) -> None:
    log = tmp_path_factory.getbasetemp() / "any-log"
    log.write_bytes(data)
    with patch.object(log_search, "_PIECE", piece):
        found = diagnose_file(log)
    read = diagnose(line.decode("utf-8", "replace") for line in data.split(b"\n"))
    assert (found.cause, found.kind, found.excerpt) == (read.cause, read.kind, read.excerpt)
    assert found.tail == read.tail


def test_lines_that_only_look_like_errors_are_passed_over(tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = b"c++ -Werror=return-type -Wfatal-errors -o error.o -c error.cpp\n"
    log.write_bytes(command * 20_000 + b"SomeError: caught\n" * 20_000 + b"a.c:1:1: error: bad\n")
    found = diagnose_file(log)
    assert found.cause == "compile-error"
    assert found.excerpt.endswith("SomeError: caught\na.c:1:1: error: bad")


def test_what_follows_the_first_error_is_not_read(tmp_path: Path) -> None:
    """The first error of a long log costs no more than that of a short one."""
    log = tmp_path / "log"
    log.write_bytes(b"a.c:1:1: error: bad\n[2/9] next\n" + b"b.c:1:1: error: worse\n" * 100_000)
    with log.open("rb") as file:
        assert log_search.first(file, lambda line: "error" in line) == 0
        assert file.tell() <= 1 << 18
    assert diagnose_file(log).excerpt == "a.c:1:1: error: bad"


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_give_printable_bounded_text(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    log = tmp_path_factory.getbasetemp() / "any-bytes"
    log.write_bytes(b"error: " + data)
    found = diagnose_file(log)
    assert all(char.isprintable() or char in "\n\t" for char in found.excerpt + found.tail)
    assert found.at("compile").stage == "compile"
