"""The comments on a phone and on a desk, in headless Chromium; pictures are kept in screenshots/."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.report.render import render
from tests.support import browser
from tests.support.outcomes import OUTCOMES

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(browser.PROGRAM is None, reason="LOUD: no Chromium, the layout is NOT checked"),
]
SCREENSHOTS = Path(__file__).parents[2] / "screenshots"


def comments(first: str, second: str) -> dict[str, str]:
    """Every outcome's comment, that language open."""
    return {name: render(make(), languages=(first, second))["report.md"] for name, make in OUTCOMES.items()}


def keep(folder: Path) -> None:
    """Copy the pictures to where a person looks; a later run replaces them."""
    SCREENSHOTS.mkdir(exist_ok=True)
    for picture in folder.glob("*.png"):
        shutil.move(picture, SCREENSHOTS / picture.name)


def problems(found: Mapping[str, browser.Layout]) -> dict[str, tuple[str, ...]]:
    return {name: (*item.wide, *item.broken) for name, item in found.items() if item.wide or item.broken}


@pytest.mark.parametrize("width", [360, 1000])
@pytest.mark.parametrize("languages", [("zh-Hans", "en"), ("en", "zh-Hans")])
@pytest.mark.parametrize("folds", [False, True])
def test_nothing_is_wider_than_its_box_and_no_unit_is_broken(
    width: int, languages: tuple[str, str], folds: bool, tmp_path: Path
) -> None:
    name = f"{languages[0]}-{width}{'-open' if folds else ''}"
    found = browser.measure(comments(*languages), width, tmp_path, folds=folds, name=name)
    keep(tmp_path)
    assert set(found) == set(OUTCOMES)
    assert {item.viewport for item in found.values()} == {width}
    assert problems(found) == {}


def test_the_layout_check_finds_what_is_wrong(tmp_path: Path) -> None:
    wide = "| " + " | ".join(f"{number * 1111}.1234" for number in range(1, 9)) + " |"
    reports = {
        "table": f"{wide}\n{'|--:' * 8}|\n",
        "unit": "| a | b |\n|--:|--:|\n| " + "123.456 MiB and " * 3 + " | " + "words " * 40 + "|\n",
        "fine": "### ok\n\n| a | b |\n|--:|--:|\n| 1 | 2 |\n",
    }
    found = browser.measure(reports, 360, tmp_path)
    assert found["table"].wide and not found["fine"].wide
    assert found["unit"].broken and not found["fine"].broken
