"""The changelog in a report: every commit once, what undoes what, texts in the reader's language."""

import re

import pytest

from bot.records import Highlights, Reason, RevertLink
from bot.report.render import render
from tests.support.changelogs import busy_commits, busy_highlights, highlights
from tests.support.outcomes import OUTCOMES
from tests.support.runs import run

LISTED = [name for name, make in OUTCOMES.items() if make().highlights]


def busy(language: str, **changes: object) -> str:
    found = busy_highlights().model_copy(update=changes)
    return render(run(changes=busy_commits(), highlights=found))[f"report.{language}.md"]


@pytest.mark.parametrize("outcome", LISTED)
def test_the_counts_sum_to_the_commits_and_agree_with_the_lines(outcome: str) -> None:
    item = OUTCOMES[outcome]()
    assert item.highlights is not None and item.changes is not None
    text = render(item)["report.en.md"]
    line = next(line for line in text.splitlines() if re.match(r"\d+ commits?: ", line))
    total, *parts = map(int, re.findall(r"\d+", line))
    assert total == sum(parts) == sum(item.highlights.accounted.values())
    above = text[text.index("#### Changes") : text.index(line)]
    if shown := re.search(r"(\d+) above", line):
        assert int(shown[1]) == len([item for item in item.highlights.items if item.applies != "no"])
        assert above.count("\n- **") == int(shown[1]) + len(item.highlights.themes)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_both_languages_tell_the_same_commits_in_the_same_order(outcome: str) -> None:
    files = render(OUTCOMES[outcome]())
    told = [re.findall(r"/pull/\d+|`[0-9a-f]{9}`", files[f"report.{tag}.md"]) for tag in ("zh-Hans", "en")]
    assert told[0] == told[1]


def test_the_fold_lists_every_commit_once_under_its_reason() -> None:
    fold = busy("en").split("All 8 commits</summary>")[1].split("</details>")[0]
    assert [fold.count(f"`{n * 9}`") for n in "12345678"] == [1] * 8
    heads = re.findall(r"\*\*(.+) · (\d+)\*\*", fold)
    assert heads[0] == ("shown above", "2") and sum(int(count) for _, count in heads) == 8
    assert ("reverted within the range", "2") in heads


def test_a_record_without_reasons_lists_them_plainly() -> None:
    fold = busy("en", reasons={}).split("All 8 commits</summary>")[1].split("</details>")[0]
    assert "**" not in fold and fold.count("\n- ") == 8


def test_reverts_say_what_they_undo() -> None:
    text = busy("en")
    where = "[#{0}](https://redirect.github.com/ggml-org/llama.cpp/pull/{0})"
    assert f"({where.format(24715)}) · reverts {where.format(23935)}" in text.split("####")[1]
    assert f"reverts {where.format(26502)} of this range, so neither has an effect" in text
    assert f"还原了同一区间内的 {where.format(26502)}，两者相互抵消" in busy("zh-Hans")


def test_a_revert_of_nobody_knows_what_adds_nothing() -> None:
    link = RevertLink(sha="3" * 40, in_range=False)
    assert "reverts" not in busy("en", reverts=(link,)).split("<details>")[0]


def test_a_line_is_in_the_readers_language_where_the_record_has_it() -> None:
    assert "**修复** · Server：客户端断开时保留 slot（" in busy("zh-Hans")
    assert "**Fix** · Server: keep the slot when a client goes away (" in busy("en")
    assert "CUDA：「cuda: reset" in busy("zh-Hans")


def test_followups_and_themes_are_counted() -> None:
    assert "with 1 follow-up\n" in busy("en")
    assert "- **Performance** · CUDA: 2 commits, such as “faster MMQ for q4_K” (" in busy("en")


def test_what_the_changes_are_worth_and_touch_is_told() -> None:
    line = busy_highlights().items[1].model_copy(update={"touches": (Reason(code="strange_touch"),)})
    assert "· strange_touch" in busy("en", items=(line,))
    worth = (Reason(code="worth-bugfix", args={"count": 2}), Reason(code="worth-perf", args={"count": 1}))
    assert "- Changes that apply here: 2 fixes, 1 speed or memory improvement." in busy("en", worth=worth)
    assert "Changes that apply" not in busy("en", worth=(Reason(code="worth-nothing"),))


def test_what_does_not_apply_is_one_line() -> None:
    items = tuple(
        item.model_copy(update={"applies": "no", "sha": f"{number:040x}"})
        for number, item in enumerate(highlights().items * 2)
    )
    found = Highlights(items=items, accounted={"not-applicable": 6})
    above = render(run(highlights=found))["report.en.md"].split("#### Conclusion")[0]
    assert len([line for line in above.splitlines() if "Not used by this profile" in line]) == 1
    assert "No change concerns this profile." in above


def test_metrics_without_a_suspect_share_one_sentence() -> None:
    text = render(OUTCOMES["upgrade"]())["report.en.md"]
    assert text.count("No commit was found") == 1
    assert "clearly related to the change of Decode and VRAM." in text
