"""What is slower comes out as slower, and what is the same as no change: real servers, real clocks."""

import math
from pathlib import Path

import pytest

from bot.errors import Exit
from bot.pipeline.run import exit_code
from bot.report.words import catalog
from tests.support.real import Ended, ask, left_running, on_device, real_config

pytestmark = pytest.mark.real

#: Microseconds of a decode step: the head's device does three steps in the time of the base's four. Long
#: beside what a busy machine is late with a wake-up.
BASE_US, HEAD_US = 12_000, 16_000
SCENARIO = {"prompt": "coding", "prompt_tokens": 64, "n_predict": 32, "requests": 3, "judged": ["decode"]}


@pytest.fixture(scope="module")
def slower(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """b9553 against a b9601 that decodes a quarter slower."""
    folder = tmp_path_factory.mktemp("slower")
    config = real_config(folder, tiny, margin="10%", scenarios={"coding": SCENARIO})
    wrapper = {"base": on_device(folder, BASE_US), "head": on_device(folder, HEAD_US)}
    return ask(config, folder / "run", wrapper=wrapper)


@pytest.fixture(scope="module")
def same(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """b9601 against itself."""
    folder = tmp_path_factory.mktemp("same")
    config = real_config(folder, tiny, margin="15%", scenarios={"coding": SCENARIO})
    device = on_device(folder, BASE_US)
    wrapper = {"base": device, "head": device}
    return ask(config, folder / "run", base="b9601", head="b9601", wrapper=wrapper)


def test_a_build_that_is_a_quarter_slower_is_a_regression_of_that_size(slower: Ended) -> None:
    (decode,) = slower.run.comparisons
    assert decode.metric == "decode:coding"
    assert decode.outcome == "regression", decode
    assert 0.15 <= -decode.change <= 0.35, decode
    low, high = decode.change_interval
    assert low < decode.change < high < 0


def test_it_is_the_builds_own_decode_that_is_slower(slower: Ended) -> None:
    """The record's raw samples say the same as its verdict."""
    medians: dict[str, list[float]] = {"base": [], "head": []}
    for launch in (launch for item in slower.run.valid_rounds for launch in item.launches):
        value = launch.log_median("coding", "decode")
        assert value is not None
        medians[launch.side].append(value)
    means = {side: sum(values) / len(values) for side, values in medians.items()}
    assert math.exp(means["head"] - means["base"]) - 1 == pytest.approx(slower.run.comparisons[0].change)


def test_its_verdict_is_hold_and_says_so_in_both_languages(slower: Ended) -> None:
    assert slower.run.verdict is not None
    assert slower.run.verdict.code == "hold"
    assert slower.reasons() == ["regression"]
    for language in ("en", "zh-Hans"):
        report = slower.report(language)
        assert catalog(language).text("verdict-hold").lower() in report.splitlines()[2].lower()
        assert "▼" in report
        assert f"{slower.run.comparisons[0].change:.1%}".replace("-", "−") in report


@pytest.mark.parametrize(("fail_on", "code"), [("regression", 10), ("hold", 10), (None, 0)])
def test_the_exit_code_is_that_of_a_regression_where_it_was_asked_for(
    slower: Ended, fail_on: str | None, code: int
) -> None:
    assert exit_code(slower.run, fail_on) == Exit(code)


def test_a_build_against_itself_has_no_winner(same: Ended) -> None:
    assert [item.outcome for item in same.run.comparisons] == ["within"], same.run.comparisons
    assert {launch.status for launch in same.run.launches()} == {"ok"}
    assert same.run.verdict is not None
    assert same.run.verdict.code == "optional"
    assert exit_code(same.run, "regression") == Exit.DONE


def test_the_two_sides_of_a_self_test_are_one_commit_in_two_folders(same: Ended) -> None:
    base, head = same.run.builds
    assert (base.sha, base.options, base.version) == (head.sha, head.options, head.version)
    assert base.key != head.key
    assert same.run.pair.is_self_test


def test_the_report_of_a_self_test_says_what_it_is(same: Ended) -> None:
    for language, word in (("en", "self-test (A/A)"), ("zh-Hans", "A/A")):
        report = same.report(language)
        assert word in report.splitlines()[2]


def test_nothing_is_left_running_after_a_run(slower: Ended, same: Ended) -> None:
    assert left_running(slower.folder.parent) == []
    assert left_running(same.folder.parent) == []
