"""What a machine learns of its own noise, run by run."""

from pathlib import Path

import pytest

from bot.config import Settings
from bot.pipeline import calibrations
from bot.pipeline.explaining import conclude
from bot.records import Calibration, Highlights, Noise, Pair, PastSelfTest, Reason, Run
from bot.report.render import render
from bot.store import write_text
from tests.support import facts, runs
from tests.support.facts import CODING, launch


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.model_construct(cache=tmp_path)


def measured(
    run_id: str, *, head: float = 1.0, self_test: bool = False, noisy: bool = False, **changes: object
) -> Run:
    """Four rounds, or the twelve that a noisy machine takes; a launch's requests differ by some percent."""
    swing = (1.0, 1.2, 0.85, 1.1) * 3 if noisy else (1.0, 1.001, 0.999, 1.0)
    rounds = []
    for index, factor in enumerate(swing):
        one = facts.round_of(index, base=1.0, head=head * factor)
        rounds.append(one.model_copy(update={"launches": tuple(map(jittered, one.launches))}))
    pair = facts.pair()
    if self_test:
        pair = Pair(base=pair.base, head=pair.base)
    return conclude(facts.run(id=run_id, rounds=tuple(rounds), plan=facts.plan(), pair=pair, **changes))


def jittered(item: object) -> object:
    made = launch("base", 0) if item is None else item
    samples = tuple(
        one.model_copy(update={"predicted_ms": one.predicted_ms * (1 + 0.004 * index)})
        for index, one in enumerate(made.samples)  # type: ignore[attr-defined]
    )
    return made.model_copy(update={"samples": samples})  # type: ignore[attr-defined]


def learned(settings: Settings, run: Run) -> Run:
    done = calibrations.calibrated(settings, run)
    calibrations.remember(settings, done)
    return done


def calibration(run: Run) -> Calibration:
    assert run.calibration is not None
    return run.calibration


def test_every_run_adds_to_what_is_known_once(settings: Settings) -> None:
    assert calibration(learned(settings, measured("one"))).runs == 1
    assert calibration(learned(settings, measured("one"))).runs == 1
    again = calibration(learned(settings, measured("two")))
    assert (again.runs, again.self_tests) == (2, 0)
    assert {item.metric for item in again.noise} == {"ttft:coding", "prefill:coding", "decode:coding"}
    assert calibrations.known(settings, measured("three")) == again


def test_other_flags_are_another_calibration(settings: Settings) -> None:
    learned(settings, measured("one"))
    other = measured("two")
    other = other.model_copy(update={"profile": other.profile.model_copy(update={"flags": ("-c", "1")})})
    assert calibrations.known(settings, other) is None


def test_a_self_test_that_finds_a_change_is_a_false_alarm(settings: Settings) -> None:
    done = calibration(learned(settings, measured("one", self_test=True, head=0.8)))
    assert (done.self_tests, done.false_alarms) == (1, 1)
    done = calibration(learned(settings, measured("two", self_test=True)))
    assert (done.self_tests, done.false_alarms, done.unresolved) == (2, 1, ())


def test_a_failed_self_test_leaves_no_verdict_until_one_passes(settings: Settings) -> None:
    learned(settings, measured("one", self_test=True, noisy=True))
    later = conclude(learned(settings, measured("two")))
    assert later.verdict is not None
    assert (later.verdict.code, later.verdict.reasons[0].code) == ("unknown", "self_test_failed")
    metrics = {item.metric for item in later.comparisons if item.primary}
    assert {item.outcome for item in later.comparisons if item.metric in metrics} == {"inconclusive"}
    learned(settings, measured("three", self_test=True))
    assert conclude(learned(settings, measured("four"))).verdict.code == "optional"  # type: ignore[union-attr]


def test_a_false_alarm_takes_the_verdict_and_the_change_from_its_metric(settings: Settings) -> None:
    learned(settings, measured("one", self_test=True, head=0.8))
    later = conclude(learned(settings, measured("two", head=0.8)))
    assert later.verdict is not None
    assert (later.verdict.code, later.verdict.reasons[0].code) == ("unknown", "self_test_alarm")
    outcomes = {item.metric: item.outcome for item in later.comparisons}
    assert outcomes["decode:coding"] == outcomes["ttft:coding"] == "inconclusive"
    assert "self_test_side_alarm" in {note.code for note in later.notes}


def test_a_change_too_large_for_the_noise_is_told_where_the_self_test_only_stayed_open(
    settings: Settings,
) -> None:
    learned(settings, measured("one", self_test=True, noisy=True))
    later = conclude(learned(settings, measured("two", head=0.5)))
    assert later.verdict is not None
    assert (later.verdict.code, later.verdict.reasons[0].code) == ("hold", "regression")


def test_a_side_metric_that_the_self_test_left_open_is_a_note_and_no_verdict(settings: Settings) -> None:
    run = measured("two")
    found = Calibration(key=calibrations.key_of(run), runs=1, unresolved=("ttft:coding",))
    calibrations.remember(settings, run.model_copy(update={"calibration": found}))
    later = conclude(learned(settings, run))
    assert [note.code for note in later.notes] == ["self_test_side"]
    assert later.verdict is not None and later.verdict.code == "optional"


def test_a_self_test_cut_short_says_nothing(settings: Settings) -> None:
    four = measured("one", self_test=True, noisy=True)
    cut = conclude(four.model_copy(update={"rounds": four.rounds[:4]}))
    assert {item.outcome for item in cut.comparisons} == {"inconclusive"}
    done = calibration(learned(settings, cut))
    assert (done.runs, done.self_tests, done.unresolved) == (1, 0, ())


def test_each_self_test_is_dated_and_only_so_many_are_kept(settings: Settings) -> None:
    for number in range(30):
        day = f"2026-06-{number + 1:02}T00:00:00+00:00"
        done = calibration(learned(settings, measured(f"r{number}", self_test=True, created=day)))
    assert (done.self_tests, len(done.past)) == (30, 24)
    assert (done.past[-1].at[:10], done.past[-1].outcome) == ("2026-06-30", "quiet")


def test_a_pair_in_which_nothing_acts_on_the_profile_is_a_free_self_test(settings: Settings) -> None:
    nothing = Highlights(worth=(Reason(code="worth-nothing"),))
    done = calibration(learned(settings, measured("one", highlights=nothing)))
    assert (done.self_tests, done.past[-1].pair, done.past[-1].outcome) == (1, True, "quiet")
    done = calibration(learned(settings, measured("two", highlights=nothing, head=0.8)))
    assert (done.self_tests, done.false_alarms) == (2, 1)
    assert (done.unresolved, done.alarmed) == ((), ())  # the changelog may have overlooked what moved
    something = Highlights(worth=(Reason(code="worth-perf", args={"count": 1}),))
    assert calibration(learned(settings, measured("three", highlights=something))).self_tests == 2


def test_k_follows_the_noise_unless_somebody_chose_it(settings: Settings) -> None:
    scenarios = (CODING.model_copy(update={"requests": 5}),)
    run = measured("one")
    run = run.model_copy(update={"profile": run.profile.model_copy(update={"scenarios": scenarios})})
    assert calibrations.with_requests(settings, run) == scenarios
    noise = Noise(
        metric="decode:coding",
        scenario="coding",
        request=0.02,
        launch=0.005,
        sd_round=0.02,
        rounds=4,
        detectable=0.03,
    )
    known = Calibration(key=calibrations.key_of(run), runs=1, noise=(noise,))
    calibrations.remember(settings, run.model_copy(update={"calibration": known}))
    assert [item.requests for item in calibrations.with_requests(settings, run)] == [11]
    assert [item.requests for item in calibrations.with_requests(settings, measured("two"))] == [3]


def test_a_damaged_file_is_no_obstacle(settings: Settings) -> None:
    write_text(calibrations._place(settings, calibrations.key_of(measured("one"))), "{")
    assert calibration(learned(settings, measured("one"))).runs == 1


def test_the_report_says_what_this_machine_can_see() -> None:
    def noise(metric: str, detectable: float) -> Noise:
        scenario = metric.partition(":")[2]
        spread = {"request": 0.01, "launch": 0.01, "sd_round": 0.01}
        return Noise(metric=metric, scenario=scenario, rounds=6, detectable=detectable, **spread)

    past = PastSelfTest(at="2026-06-14T08:30:00Z", run="r", outcome="quiet", rounds=6)
    known = Calibration(
        key="k",
        runs=3,
        self_tests=2,
        false_alarms=0,
        past=(past,),
        noise=(noise("decode:coding", 0.014), noise("prefill:document", 0.045)),
    )
    files = render(runs.run(calibration=known))
    english = files["report.en.md"]
    assert "6 rounds find a change of this size in four cases of five:" in english
    assert "Decode 1.4%" in english
    assert "too noisy" not in english  # this run did show the prefill equal
    assert "so far: 2, false alarms: 0. The last, on 2026-06-14, found no difference." in english
    assert "6 轮测量有八成把握发现这么大的变化" in files["report.zh-Hans.md"]
    assert "four cases of five" not in render(runs.run())["report.en.md"]
