"""Charts in comments: from the state's branch and nowhere else, light and dark, there before the post."""

from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

import cmarkgfm
import pytest
from cmarkgfm.cmark import Options

from bot.delivery import wording
from bot.delivery.published import images_beside
from bot.errors import BotError, Exit
from bot.github.state import Change, StateFolder
from bot.records import Run
from bot.report.charts import charts, themed
from bot.report.markdown import check
from bot.report.words import catalog
from tests.github.test_finishing import NEWS, FinishAll, comments, finish, other_profile  # noqa: F401 - fixture
from tests.support.github.places import REPO
from tests.support.github.server import Github

FOLDER = f"https://github.com/{REPO}/blob/llama-release-bot/runs/b9602/den-mine-c1/charts"


def body(run: Run) -> str:
    return wording.body([run], None, images={run.id: FOLDER})


def test_the_pictures_stand_in_a_fold_below_the_conclusion_in_both_languages() -> None:
    text = body(NEWS)
    fold = text.index("<details><summary>图表 · Charts</summary>")
    assert text.index("#### 结论") < text.index("<summary>English: changes") < fold
    html = cmarkgfm.github_flavored_markdown_to_html(text, options=Options.CMARK_OPT_UNSAFE)
    (picture,) = ET.fromstring(
        html[html.index("<picture>") : html.index("</picture>") + 10].replace('">', '"/>')
    ).iter("picture")
    assert [dict(item.attrib) for item in picture] == [
        {"media": "(prefers-color-scheme: dark)", "srcset": f"{FOLDER}/rounds-dark.svg?raw=true"},
        {"alt": "每轮的变化 / Change in each round", "src": f"{FOLDER}/rounds-light.svg?raw=true"},
    ]


def test_a_picture_from_anywhere_else_is_no_sound_report() -> None:
    assert check(body(NEWS), images=FOLDER) == []
    assert [found.partition(":")[0] for found in check(body(NEWS))] == ["image", "image"]
    for text in (
        "![x](https://example.org/x.png)",
        "![x](//example.org/charts/x.png)",
        f"![x]({FOLDER}/../../x.svg/y)",
        '<img src="https://example.org/x.png">',
        "<img src=https://example.org/x.png>",
        "<picture><source srcset='https://example.org/x.png'></picture>",
        "<IMG\nSRC='https://example.org/charts/x.png'>",
        "<video poster='https://example.org/x.png'></video>",
    ):
        assert check(text, images=FOLDER) != [], text
    assert check("![x](charts/rounds.svg)") == []


def test_without_a_branch_there_is_no_picture() -> None:
    assert "<picture>" not in wording.body([NEWS], None)
    assert "<picture>" not in wording.plain([NEWS])


def test_a_report_that_is_too_long_gives_up_its_pictures_first(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = body(NEWS)
    monkeypatch.setattr(wording, "BUDGET", len(whole) - 400)
    assert "<picture>" not in body(NEWS) and "图表" in body(NEWS)


def test_every_picture_has_one_form_for_each_theme() -> None:
    drawn = charts(NEWS, (catalog("en"),))
    made = themed(drawn)
    assert set(made) == {"rounds-light.svg", "rounds-dark.svg"}
    colours = {name: fills(text) for name, text in made.items()}
    assert "#ffffff" in colours["rounds-light.svg"] and "#0d1117" not in colours["rounds-light.svg"]
    assert "#0d1117" in colours["rounds-dark.svg"]
    for text in made.values():
        assert "prefers-color-scheme" not in text
        ET.fromstring(text)


def fills(svg: str) -> str:
    return svg[svg.index("<style>") : svg.index("</style>")]


def test_the_files_are_there_before_the_post_that_shows_them(
    github: Github,
    finish: FinishAll,  # noqa: F811 - the fixture
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[tuple[int, int]] = []
    real = StateFolder.change

    def change(self: StateFolder, wanted: Change, message: str) -> bool:
        done = real(self, wanted, message)
        seen.append((len(list((tmp_path / "state").rglob("rounds-dark.svg"))), len(comments(github))))
        return done

    monkeypatch.setattr(StateFolder, "change", change)
    assert finish("a", NEWS, other_profile(NEWS, "small")) == []
    assert seen[0] == (2, 0)
    (comment,) = comments(github)
    prefix = f"https://github.com/{REPO}/blob/llama-release-bot/"
    shown = [part.partition("?raw=true")[0] for part in comment.split(prefix)[1:]]
    assert len(shown) == 4 and all((tmp_path / "state" / path).is_file() for path in shown)


def test_where_nothing_can_be_pushed_the_report_comes_without_pictures(
    github: Github,
    finish: FinishAll,  # noqa: F811 - the fixture
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def change(self: StateFolder, wanted: Change, message: str) -> bool:
        raise BotError("state-not-pushed", Exit.GITHUB, branch="x", why="no")

    monkeypatch.setattr(StateFolder, "change", change)
    assert finish("a", NEWS) == ["state-not-pushed"]
    (comment,) = comments(github)
    assert "<picture>" not in comment


@pytest.mark.parametrize("page", ["runs/b9602/den-mine-c1", "runs/b9602"])
def test_a_post_of_an_earlier_day_keeps_its_pictures(page: str) -> None:
    folders = ["runs/b9602/den-mine-c1"]
    at = f"https://github.com/{REPO}/tree/llama-release-bot/"
    found: Mapping[str, str] = images_beside(at + page, folders, [NEWS])
    assert found == {NEWS.id: FOLDER}
    assert images_beside(None, folders, [NEWS]) == {}
    assert images_beside("https://example.org/x", folders, [NEWS]) == {}
