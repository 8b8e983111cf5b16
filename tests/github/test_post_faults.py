"""Whatever goes wrong on the way, the report stands once in the end, or not at all with a clear word."""

from pathlib import Path

import pytest

from bot.delivery.posting import Outcome
from bot.errors import Exit
from bot.github.targets import parse
from bot.report.words import catalog
from tests.github.conftest import MakePoster
from tests.support.github.faults import KINDS as FAULTS
from tests.support.github.faults import Call, Kind
from tests.support.github.places import KINDS, TOKEN, finished, places
from tests.support.github.server import Github

RUN = finished()
#: These are answers, not accidents: the report is refused, and the sentence says so.
REFUSALS = {
    "too_long_422": "github-too-long",
    "graphql_forbidden": "github-forbidden",
    "token_expired": "github-token",
}


def post(poster: MakePoster, target: str, timeout_s: int = 30) -> Outcome:
    (outcome,) = poster(timeout_s=timeout_s).post([RUN], [parse(target)])
    return outcome


def is_write(call: Call) -> bool:
    return call.write


def is_read(call: Call) -> bool:
    return not call.write


def hits(fault: Kind, kind: str) -> bool:
    """Whether the fault can happen to a post of this kind at all."""
    return kind != "file" and (not fault.startswith("graphql") or kind in ("comment", "discussion"))


def clear(outcome: Outcome) -> bool:
    """Whether the error is a sentence in both languages, with exit 5."""
    error = outcome.error
    assert error
    said = [catalog(tag).error(error) for tag in ("en", "zh-Hans")]
    return error.exit_code == Exit.GITHUB and all(text != str(error) and "{" not in text for text in said)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_of_the_write_leaves_one_post_or_none_and_a_word(
    fault: Kind, kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    github.faults.add(fault, is_write)
    outcome = post(poster, place.target, timeout_s=1 if "timeout" in fault else 30)
    if hits(fault, kind) and fault in REFUSALS:
        assert outcome.error and outcome.error.code == REFUSALS[fault]
        assert clear(outcome)
        assert place.bodies(github.world) == []
    else:
        assert outcome.error is None
        assert len(place.bodies(github.world)) == 1
    if kind == "file":
        assert github.calls == []


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "file"])
@pytest.mark.parametrize("fault", ["502_after", "reset_after"])
def test_a_list_that_lags_behind_a_lost_answer_makes_no_second_post(
    fault: Kind, kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    github.faults.add(fault, is_write)
    github.lag = 3
    outcome = post(poster, place.target)
    assert outcome.error is None
    assert len(place.bodies(github.world)) == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "file"])
def test_a_list_that_lags_for_longer_leaves_one_post_all_the_same(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    github.faults.add("502_after", is_write)
    github.lag = 6
    outcome = post(poster, place.target)
    assert outcome.error is None
    assert len(github.writes()) == (2 if kind == "release" else 3)
    assert len(place.bodies(github.world)) == 1


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "file"])
@pytest.mark.parametrize(
    "fault",
    ["502", "reset", "slow", "primary_403", "primary_429", "secondary_403", "secondary_429_retry_after",
     "graphql_rate_limited", "not_modified_304"],
)  # fmt: skip
def test_a_fault_of_a_read_is_waited_out(
    fault: Kind, kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    github.faults.add(fault, is_read, times=2)
    assert post(poster, place.target).error is None
    assert len(place.bodies(github.world)) == 1
    assert len(github.writes()) == 1


@pytest.mark.parametrize(
    ("fault", "waits"),
    [
        ("primary_403", [601]),
        ("primary_429", [601]),
        ("secondary_403", [60]),
        ("secondary_403_retry_after", [45]),
        ("secondary_429", [60]),
        ("secondary_429_retry_after", [45]),
    ],
)
def test_a_limit_is_waited_for_as_long_as_it_says(
    fault: Kind, waits: list[float], github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    github.faults.add(fault, is_write)
    assert post(poster, places(tmp_path)["issue"].target).error is None
    assert github.clock.waits == waits


def test_limits_without_a_time_are_waited_for_twice_as_long_each_time(
    github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    github.faults.add("secondary_403", is_write, times=3)
    assert post(poster, places(tmp_path)["comment"].target).error is None
    assert github.clock.waits == [60, 120, 240]


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "file"])
@pytest.mark.parametrize("fault", ["502", "reset", "502_after", "primary_403", "secondary_429"])
def test_an_outage_loses_nothing_and_doubles_nothing(
    fault: Kind, kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    """The outage outlasts all patience; a later process finds the post in the outbox."""
    place = places(tmp_path)[kind]
    github.faults.add(fault, lambda call: True, times=1000)
    outcome = post(poster, place.target)
    assert outcome.error and outcome.error.code in ("github-unanswered", "github-limited")
    assert clear(outcome)
    github.faults.pending.clear()
    outcomes = poster().post([RUN], [parse(places(tmp_path)["file"].target)])
    assert [item.error for item in outcomes] == [None]
    poster().post([RUN], [parse(places(tmp_path)["issue"].target)])
    assert len(place.bodies(github.world)) == 1
    assert len(places(tmp_path)["issue"].bodies(github.world)) == 1
    assert poster().outbox.waiting() == []


def test_a_token_that_ends_between_look_and_post_leaves_the_post_in_the_outbox(
    github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)["pull"]
    grant = github.world.tokens[TOKEN]
    github.faults.add("token_expired", is_write)
    assert post(poster, place.target).error
    github.world.tokens[TOKEN] = grant
    assert post(poster, place.target).error is None
    assert len(place.bodies(github.world)) == 1
