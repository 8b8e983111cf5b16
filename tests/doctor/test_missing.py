"""Each need taken away for real, and what is said about it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot import locks
from bot.build import cuda_toolkit, toolchain
from bot.doctor import conditions, neighbours, room, sources, tools
from bot.doctor.finding import Finding
from bot.pipeline.begin import intents, open_mirror
from bot.progress import Reporter
from bot.report.words import catalog
from tests.doctor.samples import Examined

ROOT = Path(__file__).parents[2]
HOLDER = """
import sys
from pathlib import Path
from bot.locks import gpu_lock
with gpu_lock("host", wait=False, run="b1-b2-77", folder=Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""
KILLED = """
import sys
from pathlib import Path
from bot import hooks
with hooks.around([["true"]], [["touch", sys.argv[1] + "/served"]], Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def only(findings: Iterator[Finding]) -> Finding:
    (found,) = findings
    return found


@pytest.mark.parametrize("head", ["archive", "path:/opt/llama"])
def test_no_compiler_is_asked_for_where_neither_side_is_compiled_here(examined: Examined, head: str) -> None:
    assert list(tools.tool_checks(examined(sources={"base": "archive", "head": head}))) == []
    one = tools.tool_checks(examined(sources={"base": "archive"}))
    assert [found.check for found in one] == ["compiler", "cmake", "ninja", "ccache"]


def test_a_model_is_described_without_hashing_it(examined: Examined, model: Path, tmp_path: Path) -> None:
    found = only(conditions.model(examined()))
    assert found.status == "ok"
    assert (found.args["name"], found.args["quantization"], found.args["hash"]) == (
        "tiny.gguf",
        "F32",
        "unknown",
    )
    assert not (tmp_path / "cache" / "models").exists()


def test_a_hash_that_is_remembered_is_said_until_the_file_changes(
    examined: Examined, model: Path, tmp_path: Path
) -> None:
    from bot.model import inspect  # noqa: PLC0415

    inspect(model, tmp_path / "cache" / "models")
    assert only(conditions.model(examined())).args["hash"] == "known"
    os.utime(model, ns=(1, 1))
    assert only(conditions.model(examined())).args["hash"] == "unknown"


def test_a_split_model_is_one_model(examined: Examined, model: Path) -> None:
    parts = [model.with_name(f"big-0000{number}-of-00002.gguf") for number in (1, 2)]
    for part in parts:
        shutil.copy(model, part)
    profiles = {"tiny": {"model": str(parts[0])}}
    found = only(conditions.model(examined(profiles=profiles)))
    assert (found.status, found.args["files"], found.args["size"]) == ("ok", 2, "1 MiB")
    parts[1].unlink()
    gone = only(conditions.model(examined(profiles=profiles)))
    assert (gone.message, gone.args["missing"]) == ("doctor-model-shard-missing", parts[1].name)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda path: path.unlink(), "doctor-model-missing"),
        (lambda path: path.write_bytes(path.read_bytes()[:-4096]), "doctor-model-damaged"),
        (lambda path: path.write_bytes(b"PK" + path.read_bytes()[2:]), "doctor-model-not-gguf"),
    ],
)
def test_a_model_that_cannot_be_used_is_missing(
    damage: object, message: str, examined: Examined, model: Path
) -> None:
    damage(model)  # type: ignore[operator]
    case = examined()
    found = only(conditions.model(case))
    assert (found.status, found.message, found.args["path"]) == ("missing", message, str(model))
    assert list(room.ram(case)) == []


def test_the_tools_of_this_machine_are_those_that_a_build_takes(examined: Examined) -> None:
    found = list(tools.tool_checks(examined()))
    assert [(item.check, item.status) for item in found] == [
        (name, "ok") for name in ("compiler", "cmake", "ninja", "ccache")
    ]
    taken = {tool.name: tool.version for tool in toolchain.find("cpu").tools}
    assert [item.args["version"] for item in found] == [
        taken[name] for name in ("c++", "cmake", "ninja", "ccache")
    ]


def test_an_empty_path_names_every_tool_that_is_missing(
    examined: Examined, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(toolchain, "_packaged_cmake", list)
    monkeypatch.setattr(toolchain, "_beside_python", lambda _name: [])
    found = [*tools.tool_checks(examined()), only(sources.git(examined()))]
    assert [(item.check, item.status) for item in found] == [
        (name, "missing") for name in ("compiler", "cmake", "ninja", "ccache", "git")
    ]
    assert list(sources.upstream(examined())) == []


def test_one_missing_tool_does_not_hide_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cuda_toolkit, "_places", lambda: iter(()))
    found = tools.look("cuda").found
    assert found["nvcc"] is None
    assert found["c++"] and found["cmake"] and found["ninja"] and found["ccache"]


def test_a_compiler_without_its_headers_is_told_from_a_whole_one(tmp_path: Path) -> None:
    broken = tmp_path / "c++"
    broken.write_text(
        "#!/bin/sh\necho 'x.cpp:2:10: fatal error: optional: No such file or directory' >&2\nexit 1\n"
    )
    broken.chmod(0o755)
    real = tools.look("cpu").found["c++"]
    assert real
    said = tools._compile_error(real.model_copy(update={"path": str(broken)}))
    assert said == "x.cpp:2:10: fatal error: optional: No such file or directory"


def test_a_closed_port_is_offline_and_a_mirror_makes_it_a_warning(examined: Examined, tmp_path: Path) -> None:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    gone = examined(upstream={"url": f"http://127.0.0.1:{port}/llama.cpp"})
    found = only(sources.upstream(gone))
    assert (found.status, found.message) == ("missing", "doctor-upstream-missing")
    assert str(port) in str(found.args["why"])

    there = examined()
    assert only(sources.upstream(there)).args["newest"] == "b2"
    open_mirror(there.settings, Reporter(catalog("en").text))
    (tmp_path / "upstream").rename(tmp_path / "away")
    offline = only(sources.upstream(there))
    assert (offline.status, offline.args["newest"]) == ("warning", "b2")


def test_a_remote_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/llama.cpp"
        seen = sources.look(url, tmp_path / "none.git", limit_s=1.0)
    assert (seen.newest, seen.why) == (None, "> 1 s")


def test_a_repository_without_release_tags_is_no_upstream(examined: Examined, tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path / "other")], check=True)
    case = examined(upstream={"url": (tmp_path / "other").as_uri()})
    assert only(sources.upstream(case)).message == "doctor-upstream-no-tags"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m,noexec", "tmpfs", str(folder)],
            check=False,
            capture_output=True,
        ).returncode
    )
    if not mounted:
        pytest.skip("mounting needs root")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_disk_that_is_too_small_or_runs_no_programs_is_told(examined: Examined, small_disk: Path) -> None:
    case = examined(cache=str(small_disk / "cache"))
    full = [item for item in room.disk(case) if item.status == "missing"]
    assert [(item.message, item.args["free"]) for item in full] == [("doctor-disk-full", "1 MiB")]
    assert only(room.cache(case)).message == "doctor-cache-noexec"


def test_a_disk_that_cannot_be_written_is_told(examined: Examined, small_disk: Path) -> None:
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    found = only(room.cache(examined(cache=str(small_disk / "cache"))))
    assert (found.message, found.args["why"]) == ("doctor-cache-readonly", "Read-only file system")


def test_a_file_in_the_place_of_the_cache_is_told(examined: Examined, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    found = only(room.cache(examined(cache=str(tmp_path / "file"))))
    assert (found.message, found.args["why"]) == ("doctor-cache-readonly", "Not a directory")


def test_looking_leaves_nothing_in_the_cache(examined: Examined, tmp_path: Path) -> None:
    case = examined()
    assert only(room.cache(case)).status == "ok"
    assert [*room.disk(case)] and only(room.runs(case)).status == "ok"
    assert not (tmp_path / "cache").exists()


def test_needs_on_one_disk_are_added_up() -> None:
    places = [room.Place(Path("/a"), 1, 500.0, 300.0), room.Place(Path("/b"), 1, 500.0, 300.0)]
    assert only(room.judge_disk(places)).args["needed"] == "600 MiB"
    apart = [places[0], room.Place(Path("/b"), 2, 5000.0, 300.0)]
    assert [item.status for item in room.judge_disk(apart)] == ["warning", "ok"]


def test_a_lock_that_another_run_holds_names_it(
    examined: Examined, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locks, "_shared_folder", lambda: tmp_path)
    assert only(neighbours.turn(examined())).status == "ok"
    with start(HOLDER, tmp_path) as other:
        found = only(neighbours.turn(examined()))
        assert other.stdin
        other.stdin.close()
    assert (found.status, found.message, found.args["run"]) == ("warning", "doctor-turn-busy", "b1-b2-77")
    assert found.args["pid"] == str(other.pid)


def test_what_a_killed_run_owes_is_named_and_not_done(examined: Examined) -> None:
    case = examined()
    owed = intents(case.settings) / "served"
    with start(KILLED, intents(case.settings)) as other:
        assert only(neighbours.leftovers(case)).status == "ok"  # its owner lives
        other.send_signal(signal.SIGKILL)
    found = only(neighbours.leftovers(case))
    assert (found.status, found.args["commands"], found.args["count"]) == ("warning", f"touch {owed}", 1)
    assert not owed.exists()


def test_a_hook_whose_program_is_gone_stops_a_run(examined: Examined) -> None:
    machine = {"backend": "cpu", "before": [["no-such-program", "stop"]], "after": [["true"]]}
    found = only(neighbours.hook_programs(examined(machine=machine)))
    assert (found.status, found.args["programs"]) == ("missing", "no-such-program")


def test_a_server_that_is_stopped_and_never_started_is_a_warning(examined: Examined) -> None:
    found = only(neighbours.hook_programs(examined(machine={"backend": "cpu", "before": [["true"]]})))
    assert found.message == "doctor-hooks-oneway"


def start(script: str, folder: Path) -> "subprocess.Popen[str]":
    """Another process of ours, once it says that it is where it should be."""
    other = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert other.stdout and other.stdout.readline() == "held\n"
    return other
