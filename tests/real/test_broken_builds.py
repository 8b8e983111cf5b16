"""A head that breaks where the base does not: each way has its own word, and the verdict is hold."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import Exit
from bot.pipeline.run import exit_code
from bot.report.words import catalog
from tests.support.real import Ended, ask, left_running, real_config
from tests.support.scripted import once, scripted, turning

pytestmark = pytest.mark.real

#: The fault of a scripted head, what it is called, and what the record says of it.
FAULTS = (
    ("crash_loading", "crashed_loading", "GGML_ASSERT(n_embd > 0) failed"),
    ("segfault_loading", "crashed_loading", "SIGSEGV"),
    ("hang_loading", "hung_loading", "not ready"),
    ("crash_streaming", "crashed_serving", "SIGABRT"),
    ("hang_streaming", "hung_serving", ""),
    ("out_of_memory", "out_of_memory", "cudaMalloc failed: out of memory"),
    ("out_of_memory_streaming", "out_of_memory", "CUDA error: out of memory"),
    ("refused_flag", "refused_flag", "--frobnicate"),
    ("bad_model", "bad_model", "invalid magic characters"),
    ("garbage_stream", "bad_response", ""),
    ("not_http", "bad_response", ""),
    ("error_line", "bad_response", "Compute error"),
)
HASTE = {"load_s": 2.5, "stall_s": 2.0, "request_s": 10.0, "stop_s": 2.0}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of which nothing may be running afterwards."""
    yield tmp_path
    assert left_running(tmp_path) == []


@pytest.fixture
def config(builds: dict[str, Path], folder: Path, tiny: Path) -> Path:
    """Settings of a run with the tiny model."""
    return real_config(folder, tiny)


def says(ended: Ended, message: str) -> None:
    """Both reports hold that sentence of the catalogs."""
    for language in ("en", "zh-Hans"):
        assert catalog(language).text(message).lower() in ended.report(language).lower(), language


@pytest.mark.parametrize(("fault", "status", "detail"), FAULTS)
def test_a_head_that_breaks_is_held_and_its_fault_is_named(
    config: Path, folder: Path, fault: str, status: str, detail: str
) -> None:
    wrapper = {"base": scripted(folder), "head": scripted(folder, "head", fault=fault)}
    ended = ask(config, folder / "run", wrapper=wrapper, timeouts=HASTE)
    assert set(ended.statuses("head")) - {"ok"} == {status}
    assert set(ended.statuses("base")) == {"ok"}
    broken = [launch for launch in ended.run.launches("head") if launch.status == status]
    assert len(broken) == 2
    assert detail in broken[0].detail
    assert_held(ended, status)


def assert_held(ended: Ended, status: str) -> None:
    assert ended.run.verdict is not None
    assert (ended.run.verdict.code, ended.reasons()[0]) == ("hold", "head_broken")
    assert ended.run.verdict.reasons[0].args["status"] == status
    assert exit_code(ended.run, "hold") == Exit.FOUND
    assert exit_code(ended.run, None) == Exit.DONE
    says(ended, "verdict-hold")
    says(ended, f"status-{status}")


@pytest.mark.parametrize(
    ("fault", "status"), [("crash_loading", "crashed_loading"), ("closes", "bad_response")]
)
def test_a_base_that_breaks_leaves_nothing_to_compare_with(
    config: Path, folder: Path, fault: str, status: str
) -> None:
    wrapper = {"base": scripted(folder, "base", fault=fault), "head": scripted(folder)}
    ended = ask(config, folder / "run", wrapper=wrapper)
    assert ended.run.verdict is not None
    assert (ended.run.verdict.code, ended.reasons()[0]) == ("unknown", "base_broken")
    assert exit_code(ended.run, "hold") == Exit.DONE
    says(ended, "verdict-unknown")
    says(ended, f"status-{status}")


def test_a_real_server_that_runs_out_of_memory_is_told_as_such(
    builds: dict[str, Path], folder: Path, tiny: Path
) -> None:
    """The kernel really refuses b9601 the 205 MB of its KV cache."""
    config = real_config(folder, tiny, flags="-c 400000 -t 1 -fa on")
    ended = ask(config, folder / "run", wrapper={"head": ("prlimit", "--as=350000000")})
    told = {launch.status: launch.detail for launch in ended.run.launches("head")}
    assert "failed to allocate" in told["out_of_memory"], told
    assert (ended.run.verdict.code, ended.reasons()[0]) == ("hold", "head_broken")  # type: ignore[union-attr]
    says(ended, "status-out_of_memory")


def test_a_real_flag_that_only_the_head_refuses_is_told_as_such(
    builds: dict[str, Path], folder: Path, tiny: Path
) -> None:
    """b9601 knows --log-prompts-dir, b9553 does not: here b9553 is the head."""
    config = real_config(folder, tiny, flags=f"-c 1024 -t 1 -fa on --log-prompts-dir {folder / 'prompts'}")
    ended = ask(config, folder / "run", base="b9601", head="b9553")
    assert set(ended.statuses("head")) == {"refused_flag"}
    assert "--log-prompts-dir" in next(iter(ended.run.launches("head"))).detail
    assert_held(ended, "refused_flag")


def test_a_head_that_breaks_later_keeps_the_rounds_before(config: Path, folder: Path) -> None:
    head = turning(folder, "head", after=4, fault="crash_streaming")
    ended = ask(config, folder / "run", wrapper={"base": scripted(folder), "head": head})
    assert [len(item.launches) for item in ended.run.valid_rounds] == [2, 2]
    assert ended.statuses("head")[-2:] == ["crashed_serving", "crashed_serving"]
    assert [note.code for note in ended.run.notes] == ["stopped_broken"]
    assert_held(ended, "crashed_serving")


def test_a_launch_that_broke_once_is_measured_again(config: Path, folder: Path) -> None:
    head = once(folder, "head", at=4, fault="crash_streaming")
    ended = ask(config, folder / "run", wrapper={"base": scripted(folder), "head": head})
    assert [(item.index, item.attempt, item.is_valid) for item in ended.run.rounds] == [
        (0, 0, True),
        (1, 0, False),
        (1, 1, True),
        (2, 0, True),
        (3, 0, True),
    ]
    assert len(ended.run.valid_rounds) == 4
    (news,) = (reason for reason in ended.run.verdict.reasons if reason.code == "head_broke_once")  # type: ignore[union-attr]
    made = len(ended.statuses("head"))
    assert news.args == {"status": "crashed_serving", "broken": 1, "launches": made, "again": True}
    assert "head_broken" not in ended.reasons()
    for language in ("en", "zh-Hans"):
        words = catalog(language)
        status = words.text("status-crashed_serving")
        told = words.text("headline-head_broke_once", head_tag="b9601", status=status, launches=made)
        assert told in ended.report(language).splitlines()[2]
