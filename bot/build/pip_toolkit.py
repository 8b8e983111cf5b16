"""pip's CUDA packages (`nvidia-*`) laid out as one toolkit root, as nvcc and CMake expect it.

The packages lack what a toolkit has: from 13 on one folder `nvidia/cu13` without `lib64` and without plain
names (`libcublas.so`), before that one folder per component. The root is made of links; nvcc finds the rest
of itself beside the link that it is started by.
"""

import hashlib
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from filelock import FileLock

_MARKER = "laid"
_LIBRARIES = ("lib64", "lib")
#: CMake and the linker look in the first few by themselves.
_SEARCHED = 4
#: Where distributions, containers and WSL put the driver's library.
_DRIVER_PLACES = tuple(
    Path(place)
    for place in (
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib/aarch64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/nvidia/lib64",
        "/usr/lib/wsl/lib",
        "/run/opengl-driver/lib",
    )
)


def package_roots(site: Path) -> Iterator[tuple[Path, ...]]:
    """The folders below `site`/nvidia that make up one toolkit each; only where nvcc is among them."""
    nvidia = site / "nvidia"
    for root in sorted(nvidia.glob("cu[0-9]*")):
        if (root / "bin" / "nvcc").is_file():
            yield (root,)
    parts = tuple(sorted(nvidia.glob("cuda_*"))) + tuple(nvidia.glob("cublas"))
    if any((part / "bin" / "nvcc").is_file() for part in parts):
        yield parts


def is_plain(root: Path) -> bool:
    """Whether nvcc and CMake can use this root as it is: `lib64` with the names that a linker looks for."""
    library = root / "lib64"
    return (library / "libcudart.so").exists() and (library / "libcublas.so").exists()


def lay(parts: Sequence[Path], folder: Path) -> Path:
    """A root below `folder` that joins `parts`; made once, in one step. Raises OSError.

    Its name follows from what the packages hold, not from where they lie: the path is in every compiler call
    and in the binaries, and a new virtual environment is no reason to compile anything anew.
    """
    root = folder / f"cuda-{_digest(parts)}"
    folder.mkdir(parents=True, exist_ok=True)
    with FileLock(folder / f"{root.name}.lock"):
        if _is_laid(root):
            return root
        partial = folder / f"{root.name}.partial"
        shutil.rmtree(partial, ignore_errors=True)
        _join(parts, partial)
        (partial / _MARKER).write_text("\n".join(str(part) for part in parts), "utf-8")
        shutil.rmtree(root, ignore_errors=True)
        partial.rename(root)
    return root


def parts_of(root: Path) -> tuple[Path, ...]:
    """The packages that a root made by `lay` links to; empty for any other folder."""
    try:
        return tuple(Path(line) for line in (root / _MARKER).read_text("utf-8").splitlines())
    except OSError:
        return ()


def _is_laid(root: Path) -> bool:
    """Whether the root is whole and the packages that it links to are still there."""
    parts = parts_of(root)
    return bool(parts) and all(part.is_dir() for part in parts)


def has_driver(root: Path) -> bool:
    """Whether programs can be linked with the driver's library, as stub or as the real one."""
    places = (root / "lib64" / "stubs", root / "lib64", *_DRIVER_PLACES[:_SEARCHED])
    return any((place / "libcuda.so").exists() for place in places)


def _join(parts: Sequence[Path], root: Path) -> None:
    for name in ("bin", "include", "nvvm"):
        _link_files([part / name for part in parts], root / name)
    (root / "lib64").mkdir(parents=True, exist_ok=True)
    for part in parts:
        for library in _LIBRARIES:
            for file in _entries(part / library):
                _link_library(file, root / "lib64")
    _link_driver(root / "lib64" / "stubs")


def _link_files(sources: Iterable[Path], target: Path) -> None:
    """Links to each entry of the folders; a folder that several have is joined."""
    target.mkdir(parents=True, exist_ok=True)
    for source in sources:
        for entry in _entries(source):
            place = target / entry.name
            if entry.is_dir():
                _link_files([entry], place)
            elif not place.is_symlink():
                place.symlink_to(entry)


def _link_library(file: Path, target: Path) -> None:
    """The file under its own name, and `libx.so` for `libx.so.13`."""
    plain = file.name.partition(".so.")[0] + ".so" if ".so." in file.name else file.name
    for name in dict.fromkeys((file.name, plain)):
        if not (target / name).is_symlink():
            (target / name).symlink_to(file)


def _link_driver(stubs: Path) -> None:
    """The driver's own library in place of the stub that a whole toolkit has."""
    driver = next((file for place in _DRIVER_PLACES if (file := place / "libcuda.so.1").exists()), None)
    if driver is not None:
        stubs.mkdir(exist_ok=True)
        (stubs / "libcuda.so").symlink_to(driver)


def _entries(folder: Path) -> list[Path]:
    return sorted(folder.iterdir()) if folder.is_dir() else []


def _digest(parts: Sequence[Path]) -> str:
    """Of names and sizes: programs and libraries of another version have others."""
    files = (file for part in parts for name in ("bin", *_LIBRARIES) for file in _entries(part / name))
    listed = (f"{file.name} {file.stat().st_size}" for file in files if file.is_file())
    return hashlib.sha256("\n".join(sorted(listed)).encode()).hexdigest()[:8]
