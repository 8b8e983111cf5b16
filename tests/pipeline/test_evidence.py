"""The step of further evidence: in its order, within its budget, never done twice, never the end of a run."""

import io
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from bot.errors import environment
from bot.pipeline import evidence
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.evidence.desk import Desk
from bot.pipeline.launching import save_tokens
from bot.progress import Reporter
from bot.records import Evidence, EvidenceKind, Reason, Run
from bot.report.words import catalog
from tests.support.runs import rounds, run

Gather = Callable[[Desk], Iterable[Evidence]]


@pytest.fixture
def gathered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Run]:
    """Gather with these gatherers, in this order; `budget` in seconds, `made` the run."""
    save_tokens(tmp_path / "tokens.json", {})

    def gather(gatherers: dict[EvidenceKind, Gather], *, budget: float = 900, made: Run | None = None) -> Run:
        monkeypatch.setattr(evidence, "GATHERERS", gatherers)
        context: Any = SimpleNamespace(
            folder=RunFolder(tmp_path),
            profile=SimpleNamespace(evidence=tuple(gatherers)),
            settings=SimpleNamespace(evidence_budget_s=budget),
            reporter=Reporter(catalog("en").text, Console(file=io.StringIO())),
        )
        return evidence.gather(context, made or run())

    return gather


def found(kind: EvidenceKind, label: str = "", seconds: float = 1.0) -> Evidence:
    return Evidence(kind=kind, label=label, outcome="same", seconds=seconds)


def never(_: Desk) -> Iterable[Evidence]:
    raise AssertionError("this was done already, or was not to be done")


def test_kinds_come_in_the_order_of_the_profile_and_are_on_disk(
    gathered: Callable[..., Run], tmp_path: Path
) -> None:
    two = [found("variant", "a"), found("variant", "b")]
    finished = gathered({"canary": lambda _: [found("canary")], "variant": lambda _: two})
    assert [(item.kind, item.label) for item in finished.evidence] == [
        ("canary", ""),
        ("variant", "a"),
        ("variant", "b"),
    ]
    names = ["canary.json", "variant-a.json", "variant-b.json"]
    assert sorted(path.name for path in (tmp_path / "evidence").iterdir()) == names


def test_a_kind_on_disk_is_not_gathered_again(gathered: Callable[..., Run]) -> None:
    first = gathered({"canary": lambda _: [found("canary")]})
    assert gathered({"canary": never}).evidence == first.evidence


def test_a_gatherer_of_several_finds_what_it_had_finished(gathered: Callable[..., Run]) -> None:
    def dies(_: Desk) -> Iterable[Evidence]:
        yield found("variant", "a", 3.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gathered({"variant": dies})
    kept = []

    def goes_on(desk: Desk) -> Iterable[Evidence]:
        kept.append(desk.kept("variant", "a"))
        yield from (item for item in kept if item)
        yield found("variant", "b")

    assert [item.label for item in gathered({"variant": goes_on}).evidence] == ["a", "b"]
    assert kept == [found("variant", "a", 3.0)]


@pytest.mark.parametrize(
    "trouble",
    [
        environment("no-space", path="/x"),
        OSError(5, "Input/output error"),
        KeyError("total"),
        ValueError("could not convert string to float"),
        ZeroDivisionError("division by zero"),
        TypeError("int() argument must be a string"),
    ],
)
def test_trouble_of_a_kind_is_a_reason_and_the_next_kind_is_gathered(
    gathered: Callable[..., Run], trouble: Exception
) -> None:
    def fails(_: Desk) -> Iterable[Evidence]:
        yield found("variant", "a")
        raise trouble

    finished = gathered({"variant": fails, "canary": lambda _: [found("canary")]})
    assert [item.outcome for item in finished.evidence] == ["same", "not_run", "same"]
    why = finished.evidence[1].why
    assert why is not None
    assert (why.code, why.args["error"]) == ("evidence_failed", str(trouble))


def test_what_the_budget_has_no_room_for_is_not_run_and_not_kept(
    gathered: Callable[..., Run], tmp_path: Path
) -> None:
    finished = gathered({"canary": never, "leak": never}, budget=2)
    assert [(item.kind, item.outcome, item.why) for item in finished.evidence] == [
        (kind, "not_run", Reason(code="evidence_budget")) for kind in ("canary", "leak")
    ]
    assert not (tmp_path / "evidence").exists()


def test_an_earlier_sitting_counts_against_the_budget(gathered: Callable[..., Run]) -> None:
    def dies(_: Desk) -> Iterable[Evidence]:
        yield found("variant", "a", 600.0)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        gathered({"variant": dies})
    left = []

    def looks(desk: Desk) -> Iterable[Evidence]:
        left.append(desk.left_s)
        return []

    gathered({"canary": looks})
    assert 290 < left[0] <= 300


def test_a_kind_says_how_long_it_took_where_its_gatherer_does_not(
    gathered: Callable[..., Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = iter(range(0, 1000, 7))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    finished = gathered({"canary": lambda _: [found("canary", seconds=0.0)]})
    assert finished.evidence[0].seconds == 7.0


@pytest.mark.parametrize(
    "made",
    [
        run(rounds=()),
        run(rounds=rounds(2), notes=(Reason(code="stopped_broken", args={"side": "head", "count": 2}),)),
        run(notes=(Reason(code="environment_unstable", args={"reruns": 5}),)),
    ],
)
def test_a_run_whose_measurement_broke_off_gathers_nothing(gathered: Callable[..., Run], made: Run) -> None:
    assert gathered({"canary": never}, made=made) == made


def test_a_profile_that_asks_for_nothing_gets_nothing(gathered: Callable[..., Run]) -> None:
    made = run()
    assert gathered({}, made=made) == made
