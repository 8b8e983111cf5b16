"""Reports that stand: when they are due, and how they leave the state."""

from bot.watch.state import DAY_S, KEPT_POSTED, WEEK_S, Posted, State


def posted(key: str, at: float = 0.0) -> Posted:
    return Posted(
        key=key,
        at=at,
        targets=("issue:octo/bench#1",),
        records=(f"runs/{key}",),
        base_sha="a",
        head="b9602",
        head_sha="b",
    )


def test_a_report_is_due_after_a_week_and_for_a_week() -> None:
    state = State(posted=(posted("one"),))
    due = [bool(state.due(day * DAY_S)) for day in (0, 6.9, 7, 13.9, 14)]
    assert due == [False, False, True, True, False]


def test_what_was_looked_over_or_is_past_it_leaves() -> None:
    state = State(posted=(posted("done"), posted("old", -3 * WEEK_S), posted("young")))
    left = state.with_posted([posted("new")], ["done"], WEEK_S)
    assert [item.key for item in left.posted] == ["young", "new"]


def test_a_finish_that_is_done_again_adds_nothing() -> None:
    once = State().with_posted([posted("one")], [], 0.0)
    assert once.with_posted([posted("one")], [], 0.0) == once


def test_the_oldest_go_where_there_are_too_many() -> None:
    many = [posted(str(number)) for number in range(KEPT_POSTED + 5)]
    kept = State().with_posted(many, [], 0.0).posted
    assert len(kept) == KEPT_POSTED and kept[0].key == "5"


def test_a_state_of_before_is_read() -> None:
    assert State.model_validate({"schema_version": 1, "done": []}).posted == ()
