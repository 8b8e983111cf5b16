"""The pictures show every round, in words, the same anywhere."""

import math
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bot import store
from bot.pipeline.writing import write_reports
from bot.records import Round, Scenario, Tag
from bot.report import numbers
from bot.report.charts import chart_images, chart_names, charts
from bot.report.rows import metric_rows
from bot.report.words import catalog
from tests.support import runs
from tests.support.outcomes import OUTCOMES
from tests.support.pictures import (
    BOTH,
    HREF,
    SVG,
    across,
    at,
    by_id,
    drawn,
    full,
    measured,
    parsed,
    requests,
    round_of,
    told,
)


def test_every_round_of_every_metric_is_a_point() -> None:
    run = full()
    named = by_id(parsed(charts(run, BOTH)["rounds.svg"]))
    metrics = [item.metric for item in run.comparisons]
    places = ["1", "2", "3", "3.1", *(str(number) for number in range(4, 13))]
    wanted = {f"round-{place}-{metric}" for place in places for metric in metrics}
    assert len(metrics) == 9
    assert {name for name in named if name.startswith("round-")} == wanted


def test_points_lie_in_the_order_and_at_the_size_of_their_changes() -> None:
    run = measured(*(round_of(index, change) for index, change in enumerate((-0.02, 0.0, 0.01, 0.02))))
    named = by_id(parsed(charts(run, BOTH)["rounds.svg"]))
    rate = [at(named[f"round-{number}-decode:coding"]) for number in range(1, 5)]
    assert [x for x, _ in rate] == sorted(x for x, _ in rate)
    assert [y for _, y in rate] == sorted(y for _, y in rate)
    zero = rate[1][0]
    assert (rate[3][0] - zero) / (rate[2][0] - zero) == pytest.approx(
        math.log(1.02) / math.log(1.01), rel=0.02
    )
    slower = [at(named[f"round-{number}-ttft:coding"])[0] for number in range(1, 5)]
    assert slower == sorted(slower, reverse=True)


@pytest.mark.parametrize("margin", [0.03, 0.10])
def test_band_ends_where_a_round_of_exactly_the_margin_lies(margin: float) -> None:
    rounds = (round_of(0, -margin), round_of(1, margin), round_of(2, 0.0), round_of(3, 0.0))
    named = by_id(parsed(charts(measured(*rounds, margin=margin), BOTH)["rounds.svg"]))
    for metric in ("decode:coding", "prefill:chat", "ttft:document"):
        ends = sorted(at(named[f"round-{number}-{metric}"])[0] for number in (1, 2))
        assert across(named[f"band-{metric}"]) == pytest.approx(ends, abs=0.02), metric


def test_interval_and_estimate_are_the_decisions_own() -> None:
    run = full()
    named = by_id(parsed(charts(run, BOTH)["rounds.svg"]))
    item = next(one for one in run.comparisons if one.metric == "prefill:document")
    band = across(named["band-prefill:document"])
    pixels = (band[1] - band[0]) / (math.log(1.03) - math.log(0.97))
    zero = band[1] - pixels * math.log(1.03)
    low, high = across(named["interval-prefill:document"])
    assert (low - zero) / pixels == pytest.approx(item.low, abs=1e-4)
    assert (high - zero) / pixels == pytest.approx(item.high, abs=1e-4)
    assert (at(named["estimate-prefill:document"])[0] - zero) / pixels == pytest.approx(item.effect, abs=1e-4)


def test_rows_and_printed_changes_are_those_of_the_report() -> None:
    run = full()
    texts = told(parsed(charts(run, BOTH)["rounds.svg"]))
    changes = [f"{sign} {row.change}" for row in metric_rows(run) for sign in signs(row.symbol)]
    assert [text for text in texts if text in set(changes)] == changes
    names = [text for text in texts if re.match("[💬📄💻] ", text)]
    assert names[:3] == ["💬 短对话 chat · TTFT", "💬 短对话 chat · Prefill", "💬 短对话 chat · Decode"]


def signs(symbol: str) -> str:
    return {"faster": "▲", "slower": "▼", "within": "=", "unresolved": "?"}[symbol]


def test_used_unused_and_invalid_rounds_differ_without_colour() -> None:
    run = full()
    frozen = next(item for item in run.comparisons if item.frozen and item.rounds < 12)
    root = parsed(charts(run, BOTH)["rounds.svg"])
    named = by_id(root)

    def shape(place: str) -> tuple[str | None, str | None]:
        use = next(named[f"round-{place}-{frozen.metric}"].iter(f"{SVG}use"))
        return use.get(HREF), use.get("class")

    assert shape("1") == shape("2") == shape("3.1") == shape(str(frozen.rounds))
    assert shape(str(frozen.rounds + 1)) == shape("12") != shape("1")
    assert shape("3")[0] not in (shape("1")[0], shape("12")[0])
    assert any("invalid, does not count: round 3" in text for text in told(root))


def test_a_round_off_the_scale_is_told_in_figures() -> None:
    run = measured(*(round_of(index, change) for index, change in enumerate((0.0, 0.002, -0.002, 0.9))))
    root = parsed(charts(run, BOTH)["rounds.svg"])
    assert "+90.0%" in told(root)
    assert any("beyond the scale" in text for text in told(root))
    assert 0 < at(by_id(root)["round-4-decode:coding"])[0] < 440


def test_slow_launches_are_told_beside_their_metric() -> None:
    texts = told(parsed(charts(OUTCOMES["hold-regression"](), BOTH)["rounds.svg"]))
    assert "偏慢 slow: b9602 ×2" in texts


@pytest.mark.parametrize("name", ["rounds.svg", "memory.svg"])
def test_words_stand_in_both_languages_and_no_letter_is_drawn(name: str) -> None:
    root = parsed(drawn()[name])
    texts = " ".join(told(root))
    for words in BOTH:
        assert words.text("chart-rounds" if name == "rounds.svg" else "chart-memory-nvml") in texts
        assert words.text("chart-interval" if name == "rounds.svg" else "chart-peak") in texts
    assert not [text for text in told(root) if re.fullmatch(r"words\d+", text)]
    outlines = [element for element in root.iter(f"{SVG}path") if "id" in element.attrib]
    assert all(re.fullmatch("m[0-9a-f]{10}", element.attrib["id"]) for element in outlines)


def test_one_language_alone_has_only_its_words() -> None:
    for text in charts(full(), (catalog("en"),)).values():
        assert not re.search("[\u4e00-\u9fff]", "".join(told(parsed(text))))


@pytest.mark.parametrize("name", ["rounds.svg", "memory.svg"])
def test_pictures_are_described_for_those_who_cannot_see_them(name: str) -> None:
    root = parsed(drawn()[name])
    named = by_id(root)
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"].split() == ["title", "description"]
    assert named["title"].tag == f"{SVG}title"
    wanted = "💻 编程 coding · Decode" if name == "rounds.svg" else "b9602: 载入后 loaded 15319 MiB"
    assert wanted in (named["description"].text or "")


def test_each_round_names_itself_and_its_change_to_a_pointer() -> None:
    run = measured(*(round_of(index, 0.01) for index in range(4)))
    named = by_id(parsed(charts(run, BOTH)["rounds.svg"]))
    title = named["round-3-decode:coding"].find(f"{SVG}title")
    assert title is not None
    assert title.text == f"3: {numbers.percent(0.01)}"


@pytest.mark.parametrize("name", ["rounds.svg", "memory.svg"])
def test_every_colour_has_a_dark_form(name: str) -> None:
    style = parsed(drawn()[name]).findtext(f"{SVG}style") or ""
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    rules = dict(re.findall(r"\.(c\d+)\{([^}]*)\}", light))
    darkened = dict(re.findall(r"\.(c\d+)\{([^}]*)\}", dark))
    for rule, declarations in rules.items():
        for colour in re.findall("(?:fill|stroke):#[0-9a-f]{6}", declarations):
            assert rule in darkened, declarations
            assert colour not in darkened[rule]


def test_pictures_are_small() -> None:
    for name, text in drawn().items():
        assert 2_000 < len(text.encode()) <= 60_000, name


_PRINT = """
import sys
from pathlib import Path
from bot import store
from bot.report.charts import charts
from bot.report.words import catalog
files = charts(store.load_run(Path(sys.argv[1])), (catalog("zh-Hans"), catalog("en")))
sys.stdout.buffer.write("".join(files.values()).encode())
"""


def test_bytes_are_the_same_in_another_process_and_locale_without_a_word_on_stderr(tmp_path: Path) -> None:
    store.save(tmp_path / "run.json", full())
    wanted = "".join(charts(store.load_run(tmp_path / "run.json"), BOTH).values()).encode()
    (tmp_path / "matplotlibrc").write_text(
        "lines.dash_capstyle: round\nsvg.fonttype: path\npath.simplify: False\n"
    )
    for seed, language in (("1", "C"), ("2", "de_DE.UTF-8")):
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            "LANG": language,
            "LC_ALL": language,
            "MATPLOTLIBRC": str(tmp_path / "matplotlibrc"),
        }
        command = [sys.executable, "-c", _PRINT, str(tmp_path / "run.json")]
        done = subprocess.run(command, capture_output=True, env=environment, check=True)
        assert done.stdout == wanted
        assert done.stderr == b""


def test_other_records_give_other_pictures() -> None:
    other = measured(*(round_of(index, 0.011) for index in range(4)))
    assert drawn()["rounds.svg"] != charts(other, BOTH)["rounds.svg"]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_every_outcome_has_sound_pictures_or_none(outcome: str) -> None:
    run = OUTCOMES[outcome]()
    files = charts(run, BOTH)
    assert tuple(files) == chart_names(run)
    assert ("rounds.svg" in files) == any(item.rounds for item in run.comparisons)
    for text in files.values():
        by_id(parsed(text))


def test_nothing_is_drawn_where_there_is_nothing_to_draw() -> None:
    run = OUTCOMES["head-build-failed"]()
    assert charts(run, BOTH) == {}
    assert chart_images(run, BOTH[1]) == ()


def test_text_from_outside_does_nothing() -> None:
    name = "b\u202e\x00\ud800\uffff</text><script>\"&' $x^2$" + "x" * 400
    odd = Scenario(name='<g id="a b">&$\\', prompt_tokens=63, n_predict=64, requests=1, judged=("decode",))
    sides = (
        runs.launch("base", 0, samples=requests([odd], 1.0)),
        runs.launch("head", 1, samples=requests([odd], 1.01)),
    )
    run = full().model_copy(
        update={
            "pair": full().pair.model_copy(update={"head": Tag(name=name, sha="c" * 40)}),
            "rounds": (*full().rounds, Round(index=12, order="AB", launches=sides)),
            "comparisons": (runs.comparison("decode", odd.name, rounds=1),),
        }
    )
    files = charts(run, BOTH)
    assert "13: +1.0%" in files["rounds.svg"]
    for text in files.values():
        text.encode()
        root = parsed(text)
        assert not list(root.iter(f"{SVG}script"))
        assert not [element for element in root.iter() if len(element.attrib.get("id", "").split()) > 1]
        assert not set("\u202e\x00\uffff") & set(text)
        assert max(len(said) for said in told(root)) < 80


def test_a_picture_is_a_relative_link_in_a_file_beside_it() -> None:
    assert chart_images(full(), BOTH[1]) == (
        "![Change in each round](charts/rounds.svg)",
        "![Memory over a launch](charts/memory.svg)",
    )


def test_pictures_are_written_beside_the_report(tmp_path: Path) -> None:
    paths = write_reports(tmp_path, full(), ("en",))
    assert {tmp_path / "charts" / "rounds.svg", tmp_path / "charts" / "memory.svg"} <= set(paths)
    assert (tmp_path / "charts" / "rounds.svg").read_text("utf-8") == charts(full(), (BOTH[1],))["rounds.svg"]


def test_matplotlib_is_imported_only_to_draw() -> None:
    code = "import sys, bot.report.charts as c; print('matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
