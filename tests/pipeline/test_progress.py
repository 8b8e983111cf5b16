"""What a run says while it works."""

import io

import pytest
from rich.console import Console

from bot import progress
from bot.progress import Reporter, clock
from bot.report.words import catalog


def reporter(language: str = "en", **options: object) -> tuple[Reporter, io.StringIO]:
    out = io.StringIO()
    console = Console(file=out, width=120, **options)  # type: ignore[arg-type]
    return Reporter(catalog(language).text, console), out


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0, "0:00"), (59.6, "1:00"), (605, "10:05"), (3600, "1:00:00"), (7325, "2:02:05")]
)
def test_a_clock_reads_like_a_clock(seconds: float, shown: str) -> None:
    assert clock(seconds) == shown


def test_without_a_terminal_a_stage_is_one_line() -> None:
    told, out = reporter()
    with told.stage("progress-build", base="b1", head="b2") as advance:
        for step in range(100):
            advance(step, 100)
    assert out.getvalue().splitlines() == ["0:00  Building b1 and b2"]


def test_a_long_stage_says_that_it_lives_and_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    told, out = reporter()
    now = iter([0.0, 0.0, 120.0, 120.0, 120.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    with told.stage("progress-build", base="b1", head="b2") as advance:
        advance(25, 100)
    assert "25% · 6:00 left" in out.getvalue()


def test_on_a_terminal_the_stage_ends_as_a_line_with_its_time() -> None:
    told, out = reporter(force_terminal=True)
    with told.stage("progress-build", base="b1", head="b2") as advance:
        advance(1, 2)
    assert "Building b1 and b2" in out.getvalue().splitlines()[-1]


def test_outside_words_are_no_markup() -> None:
    told, out = reporter()
    told.say("progress-begin", id="[red]b1[/red]", folder="x")
    assert "Run [red]b1[/red] in x" in out.getvalue()


def test_chinese_is_spoken_in_chinese() -> None:
    told, out = reporter("zh-Hans")
    told.say("progress-already-finished", id="b1-b2")
    assert "b1-b2 早已完成" in out.getvalue()
