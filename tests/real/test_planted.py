"""What is planted in a real head is found, named and sized; what is no harm is recorded and no more."""

from pathlib import Path

import pytest

from bot.report.words import catalog
from tests.support.real import Ended, ask, on_device, real_config, with_model
from tests.support.tiny_model import make_tiny_model

pytestmark = pytest.mark.real

#: Long beside what a busy machine is late with a wake-up, so that only what is planted differs.
TOKEN_US, PLANTED_MIB = 8_000, 300
SCENARIO = {"prompt": "coding", "prompt_tokens": 64, "n_predict": 32, "requests": 3, "judged": ["decode"]}


@pytest.fixture(scope="module")
def hungrier(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """b9553 against a b9601 that takes 300 MiB more."""
    folder = tmp_path_factory.mktemp("hungrier")
    config = real_config(folder, tiny, scenarios={"coding": SCENARIO})
    wrapper = {"base": on_device(folder, TOKEN_US), "head": on_device(folder, TOKEN_US, mib=PLANTED_MIB)}
    return ask(config, folder / "run", wrapper=wrapper)


@pytest.fixture(scope="module")
def different(builds: dict[str, Path], tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Ended:
    """b9601 against itself with other weights behind the same name: the same work, other words."""
    folder = tmp_path_factory.mktemp("different")
    (folder / "other").mkdir()
    other = make_tiny_model(folder / "other" / tiny.name, seed=8)
    config = real_config(
        folder,
        tiny,
        machine={"isolation": "none"},  # a sandbox shows no model but the profile's own
        scenarios={"coding": SCENARIO},
        evidence=["canary"],
    )
    device = on_device(folder, TOKEN_US)
    wrapper = {"base": device, "head": (*device, *with_model(folder, other))}
    return ask(config, folder / "run", wrapper=wrapper)


def test_memory_that_grew_is_found_and_sized(hungrier: Ended) -> None:
    memory = hungrier.run.memory
    assert memory is not None
    assert (memory.source, memory.outcome) == ("rss", "more")
    assert memory.change_mib == pytest.approx(PLANTED_MIB, abs=memory.tolerance_mib)
    assert memory.base_range_mib < PLANTED_MIB / 4


def test_memory_that_grew_is_named_in_both_languages_and_holds_nothing_on_the_host(hungrier: Ended) -> None:
    assert "memory" in hungrier.reasons()
    assert not {"headroom_below_reserve", "regression"} & set(hungrier.reasons())
    memory = hungrier.run.memory
    assert memory is not None
    mib = int(f"{memory.head_mib:.0f}") - int(f"{memory.base_mib:.0f}")
    for language in ("en", "zh-Hans"):
        told = catalog(language).text("reason-memory-rss-more", mib=str(mib))
        assert told in hungrier.report(language)
        assert f"+{mib}" in hungrier.report(language)


def test_other_words_are_recorded_and_never_a_regression(different: Ended) -> None:
    (canary,) = different.run.evidence
    (parts,) = canary.notes
    assert parts.code == "greedy_parts"
    assert 1 <= int(parts.args["token"]) <= int(parts.args["tokens"]) == 64
    assert "regression" not in different.reasons()
    assert different.run.verdict is not None
    assert different.run.verdict.code != "hold", different.run.verdict


def test_other_words_stand_in_the_report_with_their_place(different: Ended) -> None:
    args = different.run.evidence[0].notes[0].args
    for language in ("en", "zh-Hans"):
        told = catalog(language).text(
            "note-greedy_parts", token=int(args["token"]), tokens=int(args["tokens"])
        )
        assert told in different.report(language)
