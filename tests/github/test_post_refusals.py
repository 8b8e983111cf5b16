"""Where nothing can or may be posted, the report says which it is, and nothing is sent twice or in vain."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.errors import BotError, Exit
from bot.github.targets import parse
from bot.report.words import catalog
from tests.github.conftest import MakePoster
from tests.support.github.places import KINDS, OWNER, REPO, TOKEN, finished, places
from tests.support.github.server import Github
from tests.support.github.state import Thread, World

RUN = finished()


def lock(world: World) -> None:
    for threads in (world.repos[REPO].issues, world.repos[REPO].discussions):
        for thread in threads.values():
            thread.locked = True


def close(world: World) -> None:
    for threads in (world.repos[REPO].issues, world.repos[REPO].discussions):
        for thread in threads.values():
            thread.closed = True


def delete(world: World) -> None:
    for threads in (world.repos[REPO].issues, world.repos[REPO].discussions):
        for thread in threads.values():
            thread.gone = True


def archive(world: World) -> None:
    world.repos[REPO].archived = True


def vanish(world: World) -> None:
    world.repos.clear()


def forbid(world: World) -> None:
    world.tokens[TOKEN].permissions = {"issues": "read", "discussions": "read", "contents": "read"}


def switch_off(world: World) -> None:
    world.repos[REPO].has_discussions = False


def recategorize(world: World) -> None:
    world.repos[REPO].categories = ("ideas", "polls")


def unpublish(world: World) -> None:
    world.repos[REPO].releases.clear()


def expire(world: World) -> None:
    del world.tokens[TOKEN]


CASES = [
    *((lock, kind, "github-locked") for kind in ("issue", "pull", "comment")),
    *((close, kind, "github-closed") for kind in ("issue", "pull", "comment")),
    *((delete, kind, "github-gone") for kind in ("issue", "pull", "comment")),
    *((archive, kind, "github-archived") for kind in ("issue", "pull", "comment", "discussion")),
    *((vanish, kind, "github-gone") for kind in ("issue", "pull", "comment", "discussion")),
    *((forbid, kind, "github-forbidden") for kind in KINDS if kind != "file"),
    *((expire, kind, "github-token") for kind in KINDS if kind != "file"),
    *((switch_off, kind, "github-discussions-off") for kind in ("comment", "discussion")),
    (recategorize, "discussion", "github-no-category"),
    (unpublish, "release", "github-no-release"),
    (vanish, "release", "github-no-release"),
]


@pytest.mark.parametrize(("change", "kind", "code"), CASES)
def test_a_refusal_is_said_in_words_and_costs_at_most_one_write(
    *,
    change: Callable[[World], None],
    kind: str,
    code: str,
    github: Github,
    poster: MakePoster,
    tmp_path: Path,
) -> None:
    change(github.world)
    (outcome,) = poster().post([RUN], [parse(places(tmp_path)[kind].target)])
    assert outcome.error is not None
    assert (outcome.error.code, outcome.error.exit_code) == (code, Exit.GITHUB)
    for tag in ("en", "zh-Hans"):
        assert REPO in catalog(tag).error(outcome.error)
    assert len(github.writes()) <= 1
    assert len(github.calls) <= 2
    assert github.clock.waits == []


@pytest.mark.parametrize("kind", ["issue", "comment"])
def test_what_is_refused_for_good_does_not_wait_in_the_outbox(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    lock(github.world)
    poster().post([RUN], [parse(places(tmp_path)[kind].target)])
    assert poster().outbox.waiting() == []


def test_one_refusal_stops_no_other_target(github: Github, poster: MakePoster, tmp_path: Path) -> None:
    github.world.repos[REPO].issues[1].locked = True
    targets = [parse(places(tmp_path)[kind].target) for kind in ("issue", "pull", "file")]
    outcomes = poster().post([RUN], targets)
    assert [outcome.action for outcome in outcomes] == ["created", None, "created"]
    assert (tmp_path / "out.md").read_text().startswith("### b9556 → b9602")


def test_an_unknown_category_is_answered_with_those_there_are(github: Github, poster: MakePoster) -> None:
    (outcome,) = poster().post([RUN], [parse(f"discussion:{REPO}/benchmarks")])
    assert outcome.error
    said = catalog("en").error(outcome.error)
    assert "no category benchmarks" in said and "announcements | general | q-a" in said


# --- upstream -----------------------------------------------------------------------------------------


def upstream(world: World) -> None:
    repo = world.add_repo("ggml-org/llama.cpp")
    here = world.repos[REPO]
    repo.issues, repo.discussions, repo.releases = here.issues, here.discussions, here.releases


UPSTREAM = [
    "issue:ggml-org/llama.cpp#1",
    "issue:GGML-Org/whatever#2",
    "discussion:ggml-org/llama.cpp#3",
    "discussion:Ggml-org/llama.cpp/general",
    "release:ggml-org/llama.cpp@v1",
]
SETTINGS = [(False, False), (True, False), (False, True)]


@pytest.mark.parametrize("target", UPSTREAM)
@pytest.mark.parametrize(("allowed", "forced"), SETTINGS)
def test_upstream_gets_no_request_unless_both_settings_say_so(
    target: str, allowed: bool, forced: bool, github: Github, poster: MakePoster
) -> None:
    upstream(github.world)
    made = poster(force=forced, allow_upstream=allowed)
    (outcome,) = made.post([RUN], [parse(target)])
    assert outcome.error and outcome.error.code == "github-upstream"
    assert github.calls == []


@pytest.mark.parametrize("kind", ["issue", "pull", "comment", "discussion", "release"])
@pytest.mark.parametrize(("allowed", "forced"), SETTINGS)
def test_a_repository_that_moved_to_upstream_is_upstream(
    *, kind: str, allowed: bool, forced: bool, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    upstream(github.world)
    del github.world.repos[REPO]
    github.world.renames[REPO] = "ggml-org/llama.cpp"
    made = poster(force=forced, allow_upstream=allowed)
    (outcome,) = made.post([RUN], [parse(places(tmp_path)[kind].target)])
    assert outcome.error and outcome.error.code == "github-upstream"
    assert github.writes() == []


@pytest.mark.parametrize(("kind", "number"), [("issue", 1), ("pull", 2), ("comment", 3)])
def test_a_thread_that_was_transferred_to_upstream_is_upstream(
    kind: str, number: int, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    github.world.add_repo("ggml-org/llama.cpp")
    repo = github.world.repos[REPO]
    (repo.issues | repo.discussions)[number].moved_to = "ggml-org/llama.cpp"
    (outcome,) = poster().post([RUN], [parse(places(tmp_path)[kind].target)])
    assert outcome.error and outcome.error.code == "github-upstream"
    assert github.writes() == []


def test_upstream_is_allowed_where_both_settings_say_so(github: Github, poster: MakePoster) -> None:
    upstream(github.world)
    made = poster(force=True, allow_upstream=True)
    (outcome,) = made.post([RUN], [parse("issue:ggml-org/llama.cpp#1")])
    assert outcome.action == "created"


def test_the_door_to_pygithub_is_shut_for_upstream_too(poster: MakePoster) -> None:
    with pytest.raises(BotError) as caught:
        poster().client().repository("GGML-org/llama.cpp")
    assert caught.value.code == "github-upstream"


@pytest.mark.parametrize("kind", ["issue", "pull", "comment", "discussion", "release"])
def test_a_repository_that_was_renamed_still_gets_its_one_report(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    poster().post([RUN], [parse(place.target)])
    repo = github.world.repos.pop(REPO)
    repo.full_name = "octo/renamed"
    github.world.repos["octo/renamed"] = repo
    github.world.renames[REPO] = "octo/renamed"
    for target in (place.target, place.target.replace("bench", "renamed")):
        (outcome,) = poster().post([RUN], [parse(target)])
        assert outcome.action == "unchanged"


# --- targets ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "issue:octo/bench#1",
        "issue:o/.github#12",
        "discussion:octo/bench#3",
        "discussion:octo/bench/show-and-tell",
        "release:octo/bench@v1.0/rc",
        "file:reports/out.md",
    ],
)
def test_a_target_reads_and_prints_the_same(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "issue:",
        "file:",
        "issue:octo/bench",
        "issue:octo/bench#0",
        "issue:octo/bench#1 ",
        "issue:octo/bench#-1",
        "issue:octo/bench#１",
        "issue:octo/..#1",
        "issue:octo/bench/../../ggml-org/llama.cpp#1",
        "issue:ggml-org%2fllama.cpp#1",
        "issue:-octo/bench#1",
        "discussion:octo/bench/a/b",
        "discussion:octo/bench",
        "release:octo/bench",
        "release:octo/bench@",
        "release:octo/bench@a b",
        "pull:octo/bench#1",
        "https://github.com/octo/bench/issues/1",
        "issue:octo/bench#1\n",
    ],
)
def test_anything_else_is_no_target(text: str) -> None:
    with pytest.raises(BotError) as caught:
        parse(text)
    assert (caught.value.code, caught.value.exit_code) == ("bad-target", Exit.USAGE)


def test_an_issue_opened_later_is_no_obstacle(github: Github, poster: MakePoster) -> None:
    github.world.repos[REPO].issues[9] = Thread(9, "Later", OWNER)
    (outcome,) = poster().post([RUN], [parse(f"issue:{REPO}#9")])
    assert outcome.action == "created"
    assert outcome.url.startswith(f"https://github.com/{REPO}/issues/9#issuecomment-")
