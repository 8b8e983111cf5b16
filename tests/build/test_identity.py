"""Both formats of `--version`."""

import pytest

from bot.build.identity import is_commit, version


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("version: 9601 (deadbee)\nbuilt with GNU 12.2.0 for Linux x86_64\n", ("9601 (deadbee)", "deadbee")),
        (
            "ggml_cuda_init: found 1 CUDA devices:\nversion: 0.6.0-dev (build 11434, commit abc1234)\n",
            ("0.6.0-dev (build 11434, commit abc1234)", "abc1234"),
        ),
        ("version: 0 (unknown)\n", None),
        ("", None),
    ],
)
def test_version_of_both_eras(output: str, said: tuple[str, str] | None) -> None:
    assert version(output) == said


def test_a_commit_is_compared_by_prefix_of_at_least_seven() -> None:
    sha = "deadbeef" + "0" * 32
    assert is_commit(sha, "deadbee")
    assert is_commit(sha, sha)
    assert not is_commit(sha, "dead")
    assert not is_commit(sha, "deadbea")
