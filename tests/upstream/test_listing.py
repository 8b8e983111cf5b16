"""The remote's release tags, without a clone."""

import pytest

from bot.errors import BotError
from bot.upstream.listing import listed, parsed
from tests.support.repository import FakeUpstream


def test_release_tags_with_their_commits_oldest_first(upstream: FakeUpstream) -> None:
    made = upstream.line("b9999", "b10000", "b9998")
    upstream.tag("v1.0")
    upstream.tag("b9", made["b9998"], annotated=True)
    found = listed(upstream.url)
    assert list(found) == ["b9", "b9998", "b9999", "b10000"]
    assert found["b9"] == made["b9998"]
    assert found["b10000"] == made["b10000"]


def test_an_annotated_tag_counts_by_its_commit_in_either_order() -> None:
    tag, commit = "a" * 40, "b" * 40
    lines = [f"{tag}\trefs/tags/b5", f"{commit}\trefs/tags/b5^{{}}"]
    assert parsed("\n".join(lines)) == parsed("\n".join(lines[::-1])) == {"b5": commit}


def test_a_remote_that_is_not_there_is_an_error_with_its_address(tmp_path: object) -> None:
    with pytest.raises(BotError) as caught:
        listed(f"file://{tmp_path}/nothing")
    assert caught.value.code == "upstream-unreachable"
