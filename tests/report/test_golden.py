"""Every outcome in every language is the text that a person has read (tests/report/golden)."""

import time
from pathlib import Path

import pytest

from bot import store
from bot.records import Run
from bot.report.markdown import check
from bot.report.render import render
from bot.report.verdict import conclude
from tests.report.regenerate import GOLDEN
from tests.support.outcomes import OUTCOMES


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_report_is_the_one_that_was_read(outcome: str) -> None:
    for name, text in render(OUTCOMES[outcome]()).items():
        assert text == (GOLDEN / outcome / name).read_text(encoding="utf-8"), f"{outcome}/{name}"


def test_no_golden_report_is_left_of_an_outcome_that_is_gone() -> None:
    assert {path.name for path in GOLDEN.iterdir()} == set(OUTCOMES)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_report_is_sound_markdown(outcome: str) -> None:
    for name, text in render(OUTCOMES[outcome]()).items():
        assert check(text) == [], name


def test_same_bytes_from_the_record_on_disk(tmp_path: Path) -> None:
    run = OUTCOMES["upgrade"]()
    store.save(tmp_path / "run.json", run)
    assert render(store.load_run(tmp_path / "run.json")) == render(run)


def test_first_language_is_open_and_the_others_are_folded() -> None:
    run = OUTCOMES["optional"]()
    first, second = render(run, languages=("en", "zh-Hans"))["report.md"].splitlines()[:2]
    assert first == "### b9556 → b9602: Optional upgrade here. Same speed, 176 MiB more VRAM free"
    assert second == "**可升可不升：速度持平，显存余量多出 176 MiB**"
    text = render(run, languages=("en", "zh-Hans"))["report.md"]
    assert text.index("#### Conclusion") < text.index("<summary>中文：变更与结论") < text.index("#### 结论")


def test_one_language_alone_has_no_switch_and_no_other_language() -> None:
    files = render(OUTCOMES["optional"](), languages=("en",))
    assert list(files) == ["report.md", "report.en.md"]
    picture = "![Change in each round](charts/rounds.svg)\n\n"
    assert files["report.en.md"].count(picture) == 1
    assert files["report.md"] == files["report.en.md"].replace(picture, "")
    assert "速度" not in files["report.md"]


def test_single_language_files_link_to_each_other() -> None:
    files = render(OUTCOMES["optional"]())
    assert files["report.en.md"].startswith("[简体中文](report.zh-Hans.md) | **English**\n")


def test_a_report_is_rendered_in_a_fifth_of_a_second() -> None:
    run = OUTCOMES["optional"]()
    render(run)
    began = time.process_time()
    render(run)
    assert time.process_time() - began < 0.2


def test_a_verdict_in_the_record_is_not_made_anew() -> None:
    run: Run = OUTCOMES["optional"]()
    hold = OUTCOMES["hold-headroom"]()
    told = render(run.model_copy(update={"verdict": conclude(hold)}))["report.en.md"]
    assert "Hold off for now" in told
