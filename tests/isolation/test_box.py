"""Which paths a box shows: by a list of what is shown, never the home, folders before what lies in them."""

import os
from pathlib import Path

import pytest

from bot.isolation import Box, devices, enclose, named_in, places


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's home, with programs of their own."""
    path = tmp_path / "home"
    (path / ".local" / "bin").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(path))
    return path


def made(path: Path, mode: int = 0o644) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    path.chmod(mode)
    return path


def laid(box: Box) -> dict[str, str]:
    """What is laid at each place: the option of bwrap."""
    words = enclose(Path("/usr/bin/bwrap"), box, None)
    one = {"--tmpfs", "--proc", "--dev"}
    two = {"--ro-bind-try", "--bind", "--symlink", "--dev-bind"}
    found = {}
    for place, word in enumerate(words):
        if word in one | two:
            found[words[place + (1 if word in one else 2)]] = word
    return found


def test_writes_are_open_and_reads_are_not(tmp_path: Path) -> None:
    model = made(tmp_path / "models" / "m.gguf")
    shown = laid(Box(writes=(tmp_path / "own",), reads=(model, tmp_path / "missing")))
    assert shown[str(tmp_path / "own")] == "--bind"
    assert shown[str(model)] == "--ro-bind-try"
    assert str(tmp_path / "missing") not in shown
    assert str(tmp_path / "models") not in shown
    assert (tmp_path / "own").is_dir()


def test_what_lies_in_a_folder_is_laid_after_it(tmp_path: Path, home: Path) -> None:
    own = home / ".cache" / "own"
    order = list(laid(Box(writes=(own,), reads=(made(own / "src" / "a").parent,))))
    assert order.index("/tmp") < order.index(str(home)) < order.index(str(own)) < order.index(f"{own}/src")


def test_the_home_is_never_shown_as_a_whole(tmp_path: Path, home: Path) -> None:
    assert laid(Box(reads=(home, tmp_path, Path("/"))))[str(home)] == "--tmpfs"
    assert str(tmp_path) not in laid(Box(reads=(tmp_path,)))


def test_what_lies_in_a_shown_folder_is_not_laid_again(tmp_path: Path) -> None:
    toolkit = made(tmp_path / "cuda" / "bin" / "nvcc", 0o755).parents[1]
    shown = laid(Box(reads=(toolkit / "bin", toolkit, Path("/usr/bin/env"))))
    assert str(toolkit) in shown
    assert str(toolkit / "bin") not in shown
    assert "/usr/bin/env" not in shown


def test_a_link_is_shown_as_it_is_named_and_as_it_is(tmp_path: Path) -> None:
    blob = made(tmp_path / "blobs" / "0123")
    link = tmp_path / "snapshots" / "m.gguf"
    link.parent.mkdir()
    link.symlink_to(blob)
    shown = laid(Box(reads=(link,)))
    assert (shown[str(link)], shown[str(blob)]) == ("--ro-bind-try", "--ro-bind-try")


def test_a_command_line_names_its_model_with_all_parts_and_its_program_with_its_libraries(
    tmp_path: Path,
) -> None:
    server = made(tmp_path / "bin" / "llama-server", 0o755)
    server.write_bytes(b"\x7fELF")
    parts = [made(tmp_path / "models" / f"big-{number:05}-of-00003.gguf") for number in (1, 2, 3)]
    executable = made(tmp_path / "windows" / "m.gguf", 0o777)
    made(tmp_path / "models" / "big-00001-of-00002.gguf")
    library = made(tmp_path / "device.so")
    words = [
        str(server),
        "-m",
        str(parts[0]),
        str(executable),
        f"LD_PRELOAD={library}",
        "-c",
        "2048",
        "/nowhere/x",
        "/",
        "/tmp",
    ]
    assert set(named_in([*words, "/dev/null", "/proc/self", "/sys"])) == {
        server,
        server.parent,
        *parts,
        executable,
        library,
    }


def test_a_program_comes_with_what_it_was_installed_with(tmp_path: Path, home: Path) -> None:
    compiler = made(tmp_path / "conda" / "bin" / "gcc", 0o755)
    assert set(places.installed([compiler])) == {tmp_path / "conda"}
    cmake = made(home / ".local" / "bin" / "cmake", 0o755)
    made(home / ".local" / "share" / "cmake-3.30" / "Modules")
    made(home / ".local" / "share" / "keyrings" / "login")
    found = set(places.installed([cmake]))
    assert {home / ".local" / "bin", home / ".local" / "lib", home / ".local/share/cmake-3.30"} <= found
    assert not any(path == home or path.name in (".local", "share") for path in found)
    alone = made(home / "ninja", 0o755)
    assert set(places.installed([alone])) == {alone}


def test_no_key_lies_in_what_every_command_sees() -> None:
    shown = {str(path) for path in places.system()}
    assert not shown & {"/", "/etc", "/home", "/root", "/opt", "/run", "/var", "/mnt", "/srv", "/etc/ssl"}


def test_cudas_own_device_file_is_made_before_it_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dev = tmp_path / "dev"
    made(dev / "nvidiactl")
    helper = made(tmp_path / "bin" / "nvidia-modprobe", 0o755)
    helper.write_text(f'#!/bin/sh\necho "$@" > {dev}/nvidia-uvm\n')
    monkeypatch.setenv("PATH", f"{helper.parent}:{os.environ['PATH']}")
    monkeypatch.setattr(devices, "_DEV", dev)
    assert [path.name for path in devices.gpus()] == ["nvidia-uvm", "nvidiactl"]
    assert (dev / "nvidia-uvm").read_text() == "-c 0 -u\n"
