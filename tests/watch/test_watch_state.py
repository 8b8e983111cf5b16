"""What is remembered between runs: repeatable, bounded, and read back as it was written."""

import pytest

from bot.delivery.watching import read_state
from bot.errors import BotError
from bot.watch.news import is_news
from bot.watch.state import DAY_S, KEPT_RUNS, KEPT_TAGS, Done, Moved, State, Subject, moved_since
from tests.support.github.places import finished
from tests.support.runs import memory

NOW = 1_796_000_000.0
DEN = Subject(machine="den", profile="mine")
#: The example needs less memory than before; this one does not.
QUIET = finished("optional").model_copy(update={"memory": memory(15535.0, 15535.0)})


def done(job: str, at: float = NOW, **changes: object) -> Done:
    pair = {"base": "b1", "base_sha": "1" * 40, "head": "b2", "head_sha": "2" * 40}
    return Done.model_validate({"job": job, "subject": DEN, "at": at, **pair, **changes})


def test_the_same_job_twice_is_one_entry_with_the_later_facts() -> None:
    state = State().with_done([done("a"), done("b")]).with_done([done("a", posts=("https://x/1",))])
    assert [(item.job, item.posts) for item in state.done] == [("b", ()), ("a", ("https://x/1",))]


def test_it_stays_small() -> None:
    state = State().with_done(done(str(number)) for number in range(KEPT_RUNS + 50))
    assert len(state.done) == KEPT_RUNS
    assert state.done[-1].job == str(KEPT_RUNS + 49)
    tags = State().with_tags({f"b{number}": f"{number:040}" for number in range(1000)}, ())
    assert len(tags.tags) == KEPT_TAGS
    assert "b999" in tags.tags and "b1" not in tags.tags


def test_a_known_tag_keeps_the_commit_it_had_when_it_was_first_seen() -> None:
    state = State().with_tags({"b1": "1" * 40, "b2": "2" * 40}, ())
    now = {"b1": "9" * 40, "b3": "3" * 40}
    moved = (Moved(name="b1", was="1" * 40, now="9" * 40), Moved(name="b2", was="2" * 40))
    assert moved_since(state, now) == moved
    after = state.with_tags(now, moved)
    assert after.tags == {"b1": "1" * 40, "b2": "2" * 40, "b3": "3" * 40}
    assert after.with_tags(now, moved).moved == moved


def test_posts_of_the_day_are_counted_once_for_several_profiles() -> None:
    together = ("https://github.com/a/b/discussions/1",)
    state = State().with_done(
        [
            done("a", posts=together),
            done("b", posts=together),
            done("c", posts=("https://x/2",), asked=True),
            done("d", at=NOW - DAY_S - 1, posts=("https://x/3",)),
        ]
    )
    assert state.posts(NOW) == 1


def test_the_file_is_read_back_and_a_damaged_one_is_not_taken_for_an_empty_one() -> None:
    state = State().with_done([done("a")])
    assert read_state(state.model_dump_json()) == state
    assert read_state(None) == State()
    for text in ("", "{", '{"done": [1]}', '{"schema_version": 2}'):
        with pytest.raises(BotError) as caught:
            read_state(text)
        assert caught.value.code == "state-damaged"


@pytest.mark.parametrize(
    ("outcome", "always", "changed", "worse"),
    [
        ("optional", True, True, False),
        ("quiet", True, False, False),
        ("optional-less-memory", True, True, False),
        ("cannot-tell", True, False, False),
        ("upgrade", True, True, False),
        ("upgrade-fix", True, True, False),
        ("hold-regression", True, True, True),
        ("hold-headroom", True, True, True),
        ("head-build-failed", True, True, True),
        ("head-broken", True, True, True),
        ("base-build-failed", True, False, False),
    ],
)
def test_what_is_worth_a_post_that_nobody_asked_for(
    outcome: str, always: bool, changed: bool, worse: bool
) -> None:
    run = QUIET if outcome == "quiet" else finished(outcome)
    found = (is_news([run], "always"), is_news([run], "changed"), is_news([run], "worse"))
    assert found == (always, changed, worse)


def test_one_profile_with_news_takes_the_others_of_its_machine_along() -> None:
    assert is_news([QUIET, finished("hold-regression")], "worse")
    assert not is_news([QUIET, finished("upgrade")], "worse")
