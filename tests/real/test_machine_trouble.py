"""Trouble that is no build's doing: it is named, nothing finished is lost, and the same command goes on."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from bot.errors import Exit
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.run import exit_code
from bot.report.words import catalog
from bot.store import load_run
from tests.real.conftest import Desks
from tests.support.command import Command
from tests.support.real import Ended, ask, left_running, real_config
from tests.support.scripted import filling, once, scripted

pytestmark = pytest.mark.real


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder of which nothing may be running afterwards."""
    yield tmp_path
    assert left_running(tmp_path) == []


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 8 MiB of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = os.geteuid() == 0 and subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=8m", "none", place], capture_output=True, check=False
    )
    if not mounted or mounted.returncode != 0:
        pytest.skip("NOT TESTED: a full disk (needs root and the right to mount a tmpfs)")
    try:
        yield place
    finally:
        subprocess.run(["umount", "--lazy", place], check=True)


def sentences(ended: Ended) -> tuple[str, str]:
    """What the user reads, in both languages."""
    assert ended.error is not None
    return catalog("en").error(ended.error), catalog("zh-Hans").error(ended.error)


def test_a_model_that_is_not_there_ends_the_run_before_it_begins(
    builds: dict[str, Path], folder: Path
) -> None:
    missing = folder / "missing.gguf"
    ended = ask(real_config(folder, missing), folder / "run")
    assert ended.error is not None
    assert (ended.code, ended.error.exit_code) == ("model-missing", Exit.USAGE)
    assert all(str(missing) in sentence for sentence in sentences(ended))
    assert not ended.folder.exists()


def test_a_model_whose_download_was_cut_short_is_told_before_anything_starts(
    builds: dict[str, Path], folder: Path, tiny: Path
) -> None:
    cut = folder / "cut.gguf"
    cut.write_bytes(tiny.read_bytes()[:300_000])
    ended = ask(real_config(folder, cut), folder / "run")
    assert ended.error is not None
    assert (ended.code, ended.error.exit_code) == ("model-damaged", Exit.USAGE)
    assert all(str(cut) in sentence for sentence in sentences(ended))


def test_a_model_that_both_servers_refuse_says_nothing_of_the_new_tag(
    builds: dict[str, Path], folder: Path, tiny: Path
) -> None:
    """Sound to its header, but a tensor is missing: only the servers find that out."""
    strange = folder / "strange.gguf"
    strange.write_bytes(tiny.read_bytes().replace(b"blk.1.ffn_up.weight", b"blk.1.ffn_xp.weight"))
    ended = ask(real_config(folder, strange), folder / "run")
    assert {*ended.statuses("base"), *ended.statuses("head")} == {"bad_model"}
    assert ended.run.verdict is not None
    assert (ended.run.verdict.code, ended.reasons()) == ("unknown", ["both_broken"])
    assert exit_code(ended.run, "hold") == Exit.DONE
    for language in ("en", "zh-Hans"):
        assert catalog(language).text("status-bad_model") in ended.report(language)
        assert catalog(language).text("verdict-unknown").lower() in ended.report(language).lower()


def test_a_port_that_is_taken_once_does_no_harm(builds: dict[str, Path], folder: Path, tiny: Path) -> None:
    head = once(folder, "head", at=3, fault="port_taken")
    ended = ask(real_config(folder, tiny), folder / "run", wrapper={"base": scripted(folder), "head": head})
    assert {launch.status for launch in ended.run.launches()} == {"ok"}
    assert [(item.index, item.attempt) for item in ended.run.rounds] == [(0, 0), (1, 0), (2, 0), (3, 0)]


def test_ports_that_stay_taken_are_the_machines_fault(
    builds: dict[str, Path], folder: Path, tiny: Path
) -> None:
    taken = scripted(folder, "taken", fault="port_taken")
    ended = ask(real_config(folder, tiny), folder / "run", wrapper={"base": taken, "head": taken})
    assert {*ended.statuses("base"), *ended.statuses("head")} == {"port_taken"}
    assert ended.run.verdict is not None
    assert (ended.run.verdict.code, ended.reasons()) == ("unknown", ["nothing_measured"])
    assert ended.run.verdict.reasons[0].args["status"] == "port_taken"
    for language in ("en", "zh-Hans"):
        assert catalog(language).text("status-port_taken") in ended.report(language)


def test_a_disk_that_fills_up_ends_the_run_and_loses_no_finished_round(
    builds: dict[str, Path], folder: Path, tiny: Path, small_disk: Path
) -> None:
    config = real_config(folder, tiny)
    well = scripted(folder)
    full = filling(folder, "full", after=4, place=small_disk)
    ended = ask(config, small_disk / "run", wrapper={"base": well, "head": full})
    assert ended.error is not None
    assert (ended.code, ended.error.exit_code) == ("no-space", Exit.ENVIRONMENT)
    assert all(str(small_disk / "run") in sentence for sentence in sentences(ended))
    kept = {path: path.read_bytes() for path in sorted((small_disk / "run" / "rounds").glob("*.json"))}
    assert [path.name for path in kept] == ["00-0.json", "01-0.json"]
    (small_disk / "filler").unlink()
    goes_on = ask(config, small_disk / "run", wrapper={"base": well, "head": well})
    assert len(goes_on.run.valid_rounds) == 4
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_disk_that_is_full_from_the_start_is_told_as_such(
    builds: dict[str, Path], folder: Path, tiny: Path, small_disk: Path
) -> None:
    subprocess.run(f"cat /dev/zero > {small_disk}/filler", shell=True, stderr=subprocess.DEVNULL, check=False)
    ended = ask(real_config(folder, tiny), small_disk / "run")
    assert ended.error is not None
    assert (ended.code, ended.error.exit_code) == ("cannot-write", Exit.ENVIRONMENT)
    (small_disk / "filler").unlink()
    well = scripted(folder)
    goes_on = ask(real_config(folder, tiny), small_disk / "run", wrapper={"base": well, "head": well})
    assert len(goes_on.run.valid_rounds) == 4


def launch_process(command: Command, slot: str) -> psutil.Process | None:
    """The process of the launch in this slot, while there is one."""
    for child in psutil.Process(command.process.pid).children(recursive=True):
        try:
            words = child.cmdline()
        except psutil.Error:
            continue
        if any(word.endswith("bench/launch.py") for word in words[:5]) and f"launches/{slot}" in words[-1]:
            return child
    return None


def test_a_launch_process_that_is_killed_costs_its_round_and_no_more(desks: Desks) -> None:
    desk = desks("lost", lambda folder: {side: scripted(folder, token_ms=2.0) for side in ("base", "head")})
    command = desk.run("run")
    command.until((desk.folder / "run" / "rounds" / "00-0.json").exists)
    command.until(lambda: launch_process(command, "002") is not None)
    found = launch_process(command, "002")
    assert found is not None
    found.kill()
    assert command.wait() == 0, command.stderr
    run = load_run(desk.folder / "run" / "run.json")
    assert [(item.index, item.attempt, item.is_valid) for item in run.rounds][:3] == [
        (0, 0, True),
        (1, 0, False),
        (1, 1, True),
    ]
    assert [launch.status for launch in run.rounds[1].launches].count("lost") == 1
    assert len(RunFolder(desk.folder / "run").rounds()) == 5
    assert run.verdict is not None
    assert run.verdict.code != "hold"
    assert desk.gone() == []
