"""The GPUs' device files, and where the kernel tells of network cards."""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

_DEV = Path("/dev")
#: NVIDIA's of desktops, servers, Jetson and WSL; AMD's.
_NAMES = ("nvidia*", "nvhost*", "nvmap", "nvgpu*", "dxg", "kfd", "dri")
_CREATE_S = 30.0
_CARDS = Path("/sys/class/net")


def gpus() -> Iterator[Path]:
    """Those that the driver has made, the one for CUDA's memory included."""
    _make_uvm()
    for pattern in _NAMES:
        yield from sorted(_DEV.glob(pattern))


def cards() -> Iterator[Path]:
    """The folders with names and addresses of the host's network cards: what is there are links to others."""
    if _CARDS.is_dir():
        yield from sorted(
            {_CARDS, *(card.resolve().parent for card in _CARDS.iterdir() if card.is_symlink())}
        )


def _make_uvm() -> None:
    """After a start of the machine the first CUDA program has this file made by a set-user-ID helper, which
    has no rights in a sandbox: so it is asked here, as the driver's library would (nvidia-modprobe(1))."""
    helper = shutil.which("nvidia-modprobe")
    if helper is None or not (_DEV / "nvidiactl").exists() or (_DEV / "nvidia-uvm").exists():
        return
    try:
        subprocess.run(
            [helper, "-c", "0", "-u"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_CREATE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return  # the server says that it sees no device
