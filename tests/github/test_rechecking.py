"""A report is looked over again: which ones, what is edited, and under every fault still one post."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot import store
from bot.delivery.handover import Again, Plan
from bot.delivery.posting import Poster
from bot.delivery.rechecking import Rechecked, Rechecker, is_worth, looked_over
from bot.github.state import StateFolder
from bot.github.targets import parse
from bot.records import Run
from bot.watch.state import WEEK_S, Posted
from bot.watch.trouble import OpenIssue, OpenIssues
from tests.support.github.faults import KINDS, Kind
from tests.support.github.places import BOT, TOKEN, Place, finished, places
from tests.support.github.server import Github
from tests.support.github.state import Grant
from tests.support.troubles import undone

PLACES = ("issue", "pull", "comment", "discussion", "release")
FOLDER = "runs/b9602/den-default-w1-1"


def posted_at(target: str, run: Run) -> Posted:
    return Posted(
        key="w1-1",
        at=0.0,
        targets=(target,),
        records=(FOLDER,),
        base_sha=run.pair.base.sha,
        head=run.pair.head.name,
        head_sha=run.pair.head.sha,
    )


def issues(*numbers: int, answered: bool = True) -> OpenIssues:
    items = tuple(
        OpenIssue(number=number, title="t", created="2026-06-01", versions=(9602,)) for number in numbers
    )
    return OpenIssues(
        repository="ggml-org/llama.cpp",
        looked_up_at="2026-06-09T00:00:00+00:00",
        answered=answered,
        items=items,
    )


class Case:
    """A report of an upgrade that stands, and a plan to look it over."""

    def __init__(self, folder: Path, place: Place, make: Callable[..., Poster]) -> None:
        self.keeper = StateFolder(folder / "state")
        self.run = finished("upgrade")
        self.place = place
        self.make = make
        store.save(folder / "state" / FOLDER / "run.json", self.run)
        make().post([self.run], [parse(place.target)])

    def again(self, found: OpenIssues | None, *, revert: bool = False) -> Rechecked:
        reverts = (undone(self.run.highlights.items[0].sha),) if revert and self.run.highlights else ()
        item = Again(posted=posted_at(self.place.target, self.run), newest="b9688", undone=reverts)
        plan = Plan(kind="watch", issues=found, again=(item,))
        return Rechecker(plan, self.keeper, self.make, WEEK_S).do()


@pytest.fixture
def case(tmp_path: Path, poster: Callable[..., Poster]) -> Callable[[str], Case]:
    return lambda kind: Case(tmp_path, places(tmp_path)[kind], poster)


@pytest.mark.parametrize("kind", PLACES)
def test_new_trouble_is_edited_in_everywhere(github: Github, case: Callable[[str], Case], kind: str) -> None:
    made = case(kind)
    done = made.again(issues(27001))
    (body,) = made.place.bodies(github.world)
    assert done.done == ("w1-1",) and not done.errors
    assert "27001" in body and "2026-06-09" not in body.split("<details>")[0]
    assert "1970-01-08 复查过这份报告，当时上游最新的标签是 b9688" in body
    ((folder, kept),) = done.records
    assert folder == FOLDER and kept.verdict is not None and kept.verdict.code == "optional"


@pytest.mark.parametrize("fault", KINDS)
@pytest.mark.parametrize("kind", PLACES)
def test_a_fault_makes_no_second_post_and_loses_no_edit(
    github: Github, case: Callable[[str], Case], kind: str, fault: Kind
) -> None:
    made = case(kind)
    make = made.make
    made.make = lambda: make(timeout_s=1 if fault.startswith("timeout") else 30)
    github.faults.add(fault)
    first = made.again(issues(27001))
    assert len(made.place.bodies(github.world)) == 1
    github.faults.pending.clear()
    if not first.done:
        github.world.tokens.setdefault(TOKEN, Grant(BOT))
        assert made.again(issues(27001)).done == ("w1-1",)
    (body,) = made.place.bodies(github.world)
    assert "27001" in body or first.refused


@pytest.mark.parametrize("kind", PLACES[:-1])
def test_what_stands_no_more_is_not_made_again(
    github: Github, case: Callable[[str], Case], kind: str
) -> None:
    made = case(kind)
    repo = github.world.repos["octo/bench"]
    for thread in (*repo.issues.values(), *repo.discussions.values()):
        thread.comments.clear()
    repo.discussions = {3: repo.discussions[3]}
    assert made.again(issues(27001)).done == ("w1-1",)
    assert made.place.bodies(github.world) == []


def test_a_revert_of_what_the_report_names_counts_and_others_do_not(case: Callable[[str], Case]) -> None:
    made = case("issue")
    plan = Plan(kind="watch", issues=issues())
    item = Again(posted=posted_at(made.place.target, made.run), newest="b9688")
    assert made.run.highlights is not None
    named = item.model_copy(update={"undone": (undone(made.run.highlights.items[0].sha),)})
    other = item.model_copy(update={"undone": (undone("e" * 40),)})
    assert is_worth(made.run, looked_over(made.run, plan, named, WEEK_S))
    assert not is_worth(made.run, looked_over(made.run, plan, other, WEEK_S))


def test_a_look_that_was_not_answered_leaves_what_was_known(case: Callable[[str], Case]) -> None:
    made = case("issue")
    item = Again(posted=posted_at(made.place.target, made.run), newest="b9688")
    known = looked_over(made.run, Plan(kind="watch", issues=issues(27001)), item, WEEK_S)
    after = looked_over(known, Plan(kind="watch", issues=issues(answered=False)), item, WEEK_S)
    assert after.upstream_trouble == known.upstream_trouble
    assert after.verdict == known.verdict


def test_nothing_new_is_no_request(github: Github, case: Callable[[str], Case]) -> None:
    made = case("issue")
    github.calls.clear()
    assert made.again(issues()) == Rechecked(done=("w1-1",))
    assert github.calls == []


def test_an_edit_costs_two_requests(github: Github, case: Callable[[str], Case]) -> None:
    made = case("issue")
    github.calls.clear()
    made.again(issues(27001))
    assert [call.method for call in github.calls] == ["POST", "PATCH"]


def test_a_record_that_is_gone_or_of_another_pair_changes_nothing(
    github: Github, case: Callable[[str], Case], tmp_path: Path
) -> None:
    made = case("issue")
    path = tmp_path / "state" / FOLDER / "run.json"
    for text in ("{", made.run.model_dump_json(by_alias=True).replace(made.run.pair.head.sha, "f" * 40)):
        path.write_text(text)
        assert made.again(issues(27001)) == Rechecked(done=("w1-1",))
    path.unlink()
    assert made.again(issues(27001)) == Rechecked(done=("w1-1",))
    assert "27001" not in made.place.bodies(github.world)[0]
