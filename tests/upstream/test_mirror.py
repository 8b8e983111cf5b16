import hashlib
import re
from pathlib import Path

import pytest

from bot.errors import BotError, Exit
from bot.upstream.mirror import Mirror, Moved, Update
from tests.support.repository import FakeUpstream


def open_mirror(upstream: FakeUpstream, tmp_path: Path) -> Mirror:
    return Mirror.open(upstream.url, tmp_path / "mirror")


def test_pair_without_names_is_the_newest_tag_and_the_one_before(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    ids = upstream.line("b9998", "b9999", "b10000")
    upstream.commit("docs : no tag (#1)", {"README.md": "x"})
    upstream.tag("v0.3.0")
    pair = open_mirror(upstream, tmp_path).pair()
    assert (pair.base.name, pair.base.sha) == ("b9999", ids["b9999"])
    assert (pair.head.name, pair.head.sha, pair.head.number) == ("b10000", ids["b10000"], 10000)
    assert (pair.ancestor, pair.commits, pair.skipped, pair.web) == (True, 1, (), None)


def test_named_pair_counts_commits_and_lists_skipped_tags(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1", "b2")
    upstream.commit("ci : untagged", {"ci.yml": "x"})
    upstream.line("b4", "b5")
    pair = open_mirror(upstream, tmp_path).pair("b1", "b5")
    assert pair.skipped == ("b2", "b4")
    assert pair.commits == 4


def test_same_tag_twice_is_a_self_test(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1")
    pair = open_mirror(upstream, tmp_path).pair("b1", "b1")
    assert pair.is_self_test
    assert (pair.ancestor, pair.commits, pair.skipped) == (True, 0, ())


def test_newer_and_diverged_baselines_are_no_ancestors(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1", "b2")
    upstream.branch("side", ids["b1"])
    upstream.line("b3")
    mirror = open_mirror(upstream, tmp_path)
    newer, diverged = mirror.pair("b2", "b1"), mirror.pair("b2", "b3")
    assert (newer.ancestor, newer.commits) == (False, 0)
    assert (diverged.ancestor, diverged.commits) == (False, 1)
    assert not mirror.is_ancestor(ids["b2"], diverged.head.sha)


def test_histories_that_share_nothing_are_neither_yes_nor_no(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1")
    upstream.branch("other", orphan=True)
    upstream.line("b2")
    pair = open_mirror(upstream, tmp_path).pair()
    assert (pair.ancestor, pair.commits) == (None, None)


def test_tag_name_that_is_a_short_id_of_another_commit_does_not_resolve(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    upstream.line("b1")
    name = _commit_whose_id_looks_like_a_tag(upstream)
    upstream.tag("b2")
    mirror = open_mirror(upstream, tmp_path)
    with pytest.raises(BotError) as caught:
        mirror.resolve(name)
    assert caught.value.code == "no-such-tag"
    assert caught.value.exit_code == Exit.USAGE


def _commit_whose_id_looks_like_a_tag(upstream: FakeUpstream) -> str:
    before = upstream.git("cat-file", "commit", "HEAD")
    for number in range(10_000):
        content = f"{before}\n\n{number}\n".encode()
        sha = hashlib.sha1(b"commit %d\0%b" % (len(content), content)).hexdigest()
        if re.match("b[1-9][0-9]{3}", sha):
            assert upstream.git("hash-object", "-t", "commit", "-w", "--stdin", stdin=content) == sha
            upstream.git("reset", "--quiet", "--hard", sha)
            assert upstream.git("rev-parse", sha[:5]) == sha
            return sha[:5]
    raise AssertionError("no id like a tag")


@pytest.mark.parametrize("name", ["b1~1", "b2^", "b2^{/step}", "b2:src", "../heads/master", "-b2", ""])
def test_revision_syntax_is_no_tag_name(upstream: FakeUpstream, tmp_path: Path, name: str) -> None:
    upstream.line("b1", "b2")
    with pytest.raises(BotError) as caught:
        open_mirror(upstream, tmp_path).resolve(name)
    assert caught.value.code == "no-such-tag"


def test_missing_tag_names_the_nearest(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b9556", "b9601")
    with pytest.raises(BotError) as caught:
        open_mirror(upstream, tmp_path).pair("b9556", "b9602")
    assert caught.value.values["tag"] == "b9602"
    assert caught.value.values["nearest"] == "b9601"


def test_annotated_tag_resolves_to_its_commit(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1")
    upstream.tag("v0.1.0", annotated=True)
    tag = open_mirror(upstream, tmp_path).resolve("v0.1.0")
    assert (tag.sha, tag.number) == (ids["b1"], None)


def test_new_moved_and_deleted_tags_are_reported_and_not_followed(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    ids = upstream.line("b1", "b2", "b3")
    mirror = open_mirror(upstream, tmp_path)
    ids |= upstream.line("b4")
    upstream.tag("b2", "b4")
    upstream.delete_tag("b3")

    expected = Update(added=("b4",), moved=(Moved("b2", ids["b2"], ids["b4"]),), vanished=("b3",))
    assert mirror.update() == expected
    assert mirror.tags() == ("b1", "b4")
    for name, code in {"b2": "tag-moved", "b3": "tag-vanished"}.items():
        with pytest.raises(BotError) as caught:
            mirror.resolve(name)
        assert (caught.value.code, caught.value.values["was"]) == (code, ids[name])
    assert mirror.commit(ids["b3"]).sha == ids["b3"]


def test_tag_put_aside_comes_back_when_the_remote_puts_it_back(
    upstream: FakeUpstream, tmp_path: Path
) -> None:
    ids = upstream.line("b1", "b2", "b3")
    mirror = open_mirror(upstream, tmp_path)
    upstream.tag("b2", "b1")
    upstream.delete_tag("b3")
    mirror.update()
    upstream.tag("b2", ids["b2"])
    upstream.tag("b3", ids["b3"])
    assert mirror.update() == Update()
    assert mirror.tags() == ("b1", "b2", "b3")
    assert mirror.resolve("b2").sha == ids["b2"]


def test_deleted_tag_that_returns_elsewhere_counts_as_moved(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1", "b2")
    mirror = open_mirror(upstream, tmp_path)
    upstream.delete_tag("b2")
    mirror.update()
    upstream.tag("b2", "b1")
    assert mirror.update().moved == (Moved("b2", ids["b2"], ids["b1"]),)


def test_full_commit_id_is_taken_and_an_untagged_one_fetched(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b1")
    mirror = open_mirror(upstream, tmp_path)
    sha = upstream.commit("server : later", {"later.cpp": "x"})
    assert mirror.pair("b1", sha).commits == 1


@pytest.mark.parametrize(("sha", "code"), [("abc123", "not-a-full-sha"), ("f" * 40, "no-such-commit")])
def test_unknown_or_short_commit_id_is_refused(
    upstream: FakeUpstream, tmp_path: Path, sha: str, code: str
) -> None:
    upstream.line("b1")
    with pytest.raises(BotError) as caught:
        open_mirror(upstream, tmp_path).commit(sha)
    assert caught.value.code == code


def test_lowest_tag_has_nothing_to_compare_with(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.line("b7", "b8")
    with pytest.raises(BotError) as caught:
        open_mirror(upstream, tmp_path).pair(head="b7")
    assert caught.value.code == "no-previous-tag"


def test_remote_without_release_tags_says_so(upstream: FakeUpstream, tmp_path: Path) -> None:
    upstream.commit("initial", {"a": "b"})
    with pytest.raises(BotError) as caught:
        open_mirror(upstream, tmp_path).pair()
    assert (caught.value.code, caught.value.exit_code) == ("no-tags", Exit.ENVIRONMENT)


def test_only_what_a_release_contains_is_accepted(upstream: FakeUpstream, tmp_path: Path) -> None:
    ids = upstream.line("b1")
    between = upstream.commit("server : merged (#2)", {"a.cpp": "x"})
    ids |= upstream.line("b2")
    upstream.branch("pull", ids["b1"])
    foreign = upstream.commit("server : nobody has looked", {"a.cpp": "y"})
    upstream.tag("v1-by-somebody")
    mirror = open_mirror(upstream, tmp_path)
    assert mirror.is_accepted(mirror.named("b2"))
    assert [mirror.is_accepted(mirror.named(sha)) for sha in (ids["b1"], between, ids["b2"])] == [True] * 3
    assert not mirror.is_accepted(mirror.named(foreign))
