from pathlib import Path

import pytest

from bot.errors import BotError
from bot.records import FileChange
from bot.upstream import history
from bot.upstream.mirror import Mirror
from tests.support.repository import FakeUpstream


def test_commits_come_oldest_first_with_message_paths_and_pull_request(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    ids = upstream.line("b1")
    first = upstream.commit(
        "CUDA: fix race (#24360)", {"ggml/src/a.cu": "1\n", "docs/b.md": "2\n"}, body="why\n\n* and"
    )
    second = upstream.commit('Revert "CUDA: fix race (#24360)" (#24715)', {"ggml/src/a.cu": None})
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    upstream.tag("b2")
    mirror.update()
    one, two = mirror.commits(ids["b1"], second)
    assert (one.sha, one.subject, one.body, one.pr) == (
        first,
        "CUDA: fix race (#24360)",
        "why\n\n* and",
        24360,
    )
    assert one.files == (FileChange(path="docs/b.md"), FileChange(path="ggml/src/a.cu"))
    assert (two.sha, two.pr) == (second, 24715)
    assert two.files == (FileChange(path="ggml/src/a.cu"),)


@pytest.mark.parametrize(
    ("subject", "pr"),
    [
        ("sync : ggml (ggml/1234)", None),
        ("server : see (#12) for more", None),
        ("server : fix (#99)", 99),
        ("Merge pull request #77 from someone/branch", 77),
    ],
)
def test_pull_request_number_of_a_subject(
    upstream: FakeUpstream, tmp_path: Path, subject: str, pr: int | None
) -> None:
    ids = upstream.line("b1")
    head = upstream.commit(subject, {"x": "y"})
    upstream.tag("b2")
    (commit,) = Mirror.open(upstream.url, tmp_path / "mirror").commits(ids["b1"], head)
    assert commit.pr == pr


def test_merge_is_one_step_with_what_it_brought(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1")
    upstream.branch("feature")
    upstream.commit("one", {"one.cpp": "1"})
    upstream.commit("two", {"two.cpp": "2"})
    upstream.switch("master")
    upstream.commit("main goes on", {"main.cpp": "m"})
    merged = upstream.merge("feature", "Merge feature")
    upstream.tag("b2")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    commits = mirror.commits(ids["b1"], merged)
    assert [commit.subject for commit in commits] == ["main goes on", "Merge feature"]
    assert [file.path for file in commits[1].files] == ["one.cpp", "two.cpp"]
    assert mirror.count(ids["b1"], merged) == 2


def test_commit_without_changes_and_awkward_texts_keep_their_place(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    ids = upstream.line("b1")
    upstream.commit("/starts with a slash", body="/" + "a" * 40 + "\n\n中文 \x01 text")
    upstream.commit("empty")
    head = upstream.commit("paths", {"src/ü 名.cpp": "1", "tab\tname": "2"})
    upstream.tag("b2")
    slash, empty, paths = Mirror.open(upstream.url, tmp_path / "mirror").commits(ids["b1"], head)
    assert (slash.subject, slash.files) == ("/starts with a slash", ())
    assert slash.body.endswith("中文 \x01 text")
    assert (empty.subject, empty.files) == ("empty", ())
    assert {file.path for file in paths.files} == {"src/ü 名.cpp", "tab\tname"}


def test_user_configuration_changes_nothing(
    upstream: FakeUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = upstream.line("b1")
    upstream.commit("server : move", {"src/b1.cpp": None, "src/moved.cpp": "b1\n"})
    upstream.tag("b2")
    hostile = tmp_path / "gitconfig"
    hostile.write_text(
        "[diff]\nrenames=copies\nnoprefix=true\n[log]\nshowSignature=true\n[core]\nquotePath=true\n"
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(hostile))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    (commit,) = Mirror.open(upstream.url, tmp_path / "mirror").commits(ids["b1"], upstream.head())
    assert [file.path for file in commit.files] == ["src/b1.cpp", "src/moved.cpp"]


def test_fewer_commits_than_counted_is_an_error(
    upstream: FakeUpstream, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = upstream.line("b1", "b2", "b3")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    whole = history._diff
    monkeypatch.setattr(history, "_diff", lambda git, steps: whole(git, steps.splitlines()[0] + "\n"))
    with pytest.raises(BotError) as caught:
        mirror.commits(ids["b1"], ids["b3"])
    assert caught.value.code == "commits-mismatch"
    assert (caught.value.values["read"], caught.value.values["expected"]) == (1, 2)


def test_git_that_fails_is_an_error_and_no_short_list(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1")
    with pytest.raises(BotError) as caught:
        Mirror.open(upstream.url, tmp_path / "mirror").commits(ids["b1"], "f" * 40)
    assert caught.value.code == "git-failed"


def test_tree_diff_counts_lines_where_the_blobs_are(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.git("config", "uploadpack.allowFilter", "false")
    base = upstream.commit("one", {"a.cpp": "1\n2\n", "gone.cpp": "x\n", "same": "s"})
    upstream.tag("b1")
    upstream.branch("other", orphan=True)
    head = upstream.commit("two", {"a.cpp": "1\n3\n4\n", "bin": "\0\1", "same": "s"})
    upstream.tag("b2")
    changes = Mirror.open(upstream.url, tmp_path / "mirror").tree_diff(base, head)
    assert changes == (
        FileChange(path="a.cpp", added=2, deleted=1),
        FileChange(path="bin"),
        FileChange(path="gone.cpp", added=0, deleted=1),
    )


def test_tree_diff_of_a_mirror_without_blobs_fetches_none(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1", "b2")
    mirror = Mirror.open(upstream.url, tmp_path / "mirror")
    upstream.path.rename(tmp_path / "unreachable")
    assert mirror.tree_diff(ids["b1"], ids["b2"]) == (FileChange(path="src/b2.cpp"),)
