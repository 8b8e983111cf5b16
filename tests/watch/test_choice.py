"""Which pair is due: cadence, age, silence, caps, moved tags. No git: what only git knows is scripted."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from bot.config.watch import Every, WatchConfig
from bot.watch.choice import Chooser, Chosen, is_digest_due
from bot.watch.jobs import Silence
from bot.watch.state import DAY_S, WEEK_S, Done, Moved, State, Subject

NOW = 1_796_000_000.0
DEN = Subject(machine="den", profile="mine")


def sha(name: str) -> str:
    return name.removeprefix("b").rjust(40, "0")


@dataclass
class Scripted:
    """Tags are `ages` days old (10 unless said); everything matters but what leads to `quiet` heads."""

    ages: dict[str, float] = field(default_factory=dict)
    quiet: tuple[str, ...] = ()
    strangers: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    def committed_at(self, commit: str) -> float:
        self.asked.append(commit)
        return NOW - self.ages.get(f"b{int(commit)}", 10) * DAY_S

    def is_ancestor(self, base: str, head: str) -> bool:
        return base not in map(sha, self.strangers)

    def matters(self, profile: str, base: str, head: str) -> tuple[bool, int]:
        return head not in map(sha, self.quiet), 4


def done(head: str, /, base: str = "b1", days_ago: float = 3, **changes: Any) -> Done:
    values: dict[str, Any] = {
        "job": f"job-{head}-{days_ago}",
        "subject": DEN,
        "base": base,
        "base_sha": sha(base),
        "head": head,
        "head_sha": sha(head),
        "at": NOW - days_ago * DAY_S,
        "seconds": 1800.0,
        "verdict": "optional",
        "measured": True,
        "path": f"runs/{head}",
    }
    return Done.model_validate(values | changes)


def choose(
    names: str, *history: Done, git: Scripted | None = None, state: State | None = None, **config: Any
) -> Chosen | Silence:
    settings = WatchConfig(**config)
    listed = {name: sha(name) for name in names.split()}
    state = (state or State()).with_done(history)
    return Chooser(settings, state, listed, git or Scripted(), NOW).choose(DEN)


def pair(found: Chosen | Silence) -> tuple[str, str] | str:
    return (found.base, found.head) if isinstance(found, Chosen) else found.code


def test_all_new_tags_become_one_pair_from_the_last_one_measured() -> None:
    assert pair(choose("b100 b101 b102 b110", done("b101"))) == ("b101", "b110")


def test_order_is_that_of_the_numbers() -> None:
    assert pair(choose("b10000 b9998 b9999", done("b9998"))) == ("b9998", "b10000")


def test_the_first_run_takes_the_newest_and_the_tag_before_it() -> None:
    assert pair(choose("b100 b101 b102")) == ("b101", "b102")
    assert pair(choose("b100")) == "watch-seen"


def test_a_schedule_that_was_late_by_days_catches_up_with_one_run() -> None:
    assert pair(choose("b100 b150 b199", done("b100", days_ago=9), every=Every(seconds=86400))) == (
        "b100",
        "b199",
    )


@pytest.mark.parametrize(("days", "due"), [(0.5, False), (0.9, False), (0.97, True), (1.5, True)])
def test_daily_is_a_day_after_the_last_try_with_an_hour_of_grace(days: float, due: bool) -> None:
    found = choose("b100 b101", done("b100", days_ago=days))
    assert pair(found) == (("b100", "b101") if due else "watch-early")


def test_a_run_that_was_asked_for_does_not_put_the_next_one_off_but_is_its_baseline() -> None:
    asked = done("b101", days_ago=0.1, asked=True)
    assert pair(choose("b100 b101 b102", done("b100", days_ago=2), asked)) == ("b101", "b102")


@pytest.mark.parametrize(("every", "due"), [(1, True), (3, True), (4, False)])
def test_every_so_many_tags(every: int, due: bool) -> None:
    found = choose("b100 b101 b102 b103", done("b100", days_ago=0.1), every=Every(tags=every))
    assert pair(found) == (("b100", "b103") if due else "watch-few")


def test_a_tag_waits_until_it_is_old_enough_and_an_older_one_goes_first() -> None:
    git = Scripted(ages={"b101": 1.5, "b102": 0.9, "b103": 0.1})
    assert pair(choose("b100 b101 b102 b103", done("b100"), git=git)) == ("b100", "b101")
    young = Scripted(ages={"b101": 0.5})
    assert pair(choose("b100 b101", done("b100"), git=young)) == "watch-young"
    assert pair(choose("b100 b101", done("b100"), git=young, min_age_s="1h")) == ("b100", "b101")


def test_a_quiet_range_is_no_run_and_says_how_many_commits_it_has() -> None:
    found = choose("b100 b101", done("b100"), git=Scripted(quiet=("b101",)))
    assert isinstance(found, Silence)
    assert (found.code, found.base, found.head, found.commits) == ("watch-quiet", "b100", "b101", 4)


def test_a_quiet_range_is_a_free_self_test_where_the_owner_lets_it() -> None:
    quiet = Scripted(quiet=("b101",))
    found = choose("b100 b101", done("b100"), git=quiet, self_test_when_idle=True)
    assert pair(found) == ("b100", "b101")
    capped = done("b100", seconds=3600.0)
    found = choose("b100 b101", capped, git=quiet, self_test_when_idle=True, gpu_hours_per_week=1)
    assert pair(found) == "watch-capped"


def test_after_a_quiet_range_the_next_run_still_starts_from_what_was_measured() -> None:
    git = Scripted(quiet=("b101",))
    assert pair(choose("b100 b101 b102", done("b100"), git=git)) == ("b100", "b102")


def test_git_is_not_asked_where_the_names_say_enough() -> None:
    git = Scripted()
    assert pair(choose("b100 b101", done("b101"), git=git)) == "watch-seen"
    assert pair(choose("b100 b101 b102", done("b101", days_ago=0.1), git=git)) == "watch-early"
    assert git.asked == []


def test_the_weeks_gpu_hours_are_a_bound_for_what_nobody_asked_for() -> None:
    week = [done(f"b{n}", days_ago=2, seconds=5 * 3600.0) for n in (97, 98, 99, 100)]
    assert pair(choose("b100 b101", *week)) == "watch-capped"
    assert pair(choose("b100 b101", *week, gpu_hours_per_week=21)) == ("b100", "b101")
    asked = [item.model_copy(update={"asked": True}) for item in week]
    assert pair(choose("b100 b101", *asked)) == ("b100", "b101")
    old = [item.model_copy(update={"at": NOW - WEEK_S - 1}) for item in week]
    assert pair(choose("b100 b101", *old)) == ("b100", "b101")


def test_a_failed_run_is_no_baseline_and_the_same_tag_is_not_tried_again() -> None:
    failed = done("b101", "b100", days_ago=2, measured=False, path="", verdict=None)
    assert pair(choose("b100 b101", done("b100", days_ago=5), failed)) == "watch-seen"
    assert pair(choose("b100 b101 b102", done("b100", days_ago=5), failed)) == ("b100", "b102")


@pytest.mark.parametrize(
    "changes",
    [{"measured": False}, {"preset": "quick"}, {"base": "b101"}, {"head": "f" * 40}],
)
def test_what_was_no_whole_comparison_of_a_tag_is_no_baseline(changes: dict[str, Any]) -> None:
    other = done("b101", days_ago=2, asked=True, **changes)
    assert pair(choose("b100 b101 b102", done("b100", days_ago=5), other)) == ("b100", "b102")


def test_a_baseline_that_is_not_in_the_heads_history_is_replaced_by_the_tag_before() -> None:
    git = Scripted(strangers=("b100",))
    assert pair(choose("b100 b101 b102", done("b100"), git=git)) == ("b101", "b102")


def test_a_moved_tag_is_neither_head_nor_named_as_base() -> None:
    state = State(tags={"b100": sha("b7"), "b101": sha("b101"), "b102": sha("b8")})
    last = done("b100", head_sha=sha("b7"))
    found = choose("b100 b101 b102", last, state=state)
    assert isinstance(found, Chosen)
    assert (found.base, found.base_sha, found.head) == (sha("b7"), sha("b7"), "b101")


def test_a_tag_that_moved_stays_aside_after_it_was_reported() -> None:
    state = State(tags={"b101": sha("b101")}, moved=(Moved(name="b101", was=sha("b9"), now=sha("b101")),))
    assert pair(choose("b100 b101", done("b100"), state=state)) == "watch-seen"


def test_subjects_do_not_share_a_baseline() -> None:
    other = done("b101", subject=Subject(machine="den", profile="other"))
    assert pair(choose("b99 b100 b101 b102", done("b100"), other)) == ("b100", "b102")


def test_a_digest_comes_a_week_after_the_first_run_and_then_weekly() -> None:
    config = WatchConfig(targets=("issue:a/b#1",))
    assert not is_digest_due(config, State(), NOW)
    assert not is_digest_due(config, State().with_done([done("b100", days_ago=6.9)]), NOW)
    old = State().with_done([done("b100", days_ago=7.1)])
    assert is_digest_due(config, old, NOW)
    assert not is_digest_due(config, old.model_copy(update={"digest_at": NOW - DAY_S}), NOW)
    assert not is_digest_due(WatchConfig(), old, NOW)
