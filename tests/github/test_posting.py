"""A report reaches its place once, says there what it should, and costs few requests."""

import re
from itertools import pairwise
from pathlib import Path

import pytest

from bot.delivery.posting import Asked, Outcome
from bot.errors import BotError
from bot.github.targets import parse
from tests.github.conftest import MakePoster
from tests.support import runs
from tests.support.github.places import KINDS, OWNER, RELEASE_TEXT, REPO, finished, places
from tests.support.github.server import Github
from tests.support.github.state import Comment, Person, Thread

RUN = finished()
GITHUB_KINDS = [kind for kind in KINDS if kind != "file"]


def post(poster: MakePoster, target: str, *records: object, **options: object) -> Outcome:
    (outcome,) = poster(**options).post(list(records) or [RUN], [parse(target)])  # type: ignore[arg-type]
    return outcome


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_stands_once_however_often_it_is_posted(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    first = post(poster, place.target)
    again = post(poster, place.target)
    assert first.error is None and again.error is None
    assert first.action == ("edited" if kind == "release" else "created")
    assert again.action == ("edited" if kind == "file" else "unchanged")
    bodies = place.bodies(github.world)
    assert len(bodies) == 1
    assert "b9556 → b9602" in bodies[0] and "Optional upgrade here" in bodies[0]


@pytest.mark.parametrize("kind", GITHUB_KINDS)
def test_a_report_costs_at_most_three_requests_and_one_write(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    post(poster, places(tmp_path)[kind].target)
    assert len(github.calls) == 2
    assert len(github.writes()) == 1
    github.calls.clear()
    other = finished("hold-regression")
    changed = other.model_copy(update={"pair": RUN.pair, "machine": RUN.machine, "profile": RUN.profile})
    assert post(poster, places(tmp_path)[kind].target, changed).action == "edited"
    assert len(github.calls) == 2
    assert len(places(tmp_path)[kind].bodies(github.world)) == 1


@pytest.mark.parametrize("kind", ["issue", "comment"])
def test_a_post_starts_with_a_hidden_marker_and_nothing_else_is_hidden(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    post(poster, place.target)
    (body,) = place.bodies(github.world)
    first, *rest = body.splitlines()
    assert first.startswith("<!-- llama-release-bot:v1 key=") and first.endswith(" -->")
    assert len(first.split("key=")[1].split()[0]) == 16
    assert rest[0] == ""
    assert all(line.startswith("<!-- llama-release-bot:") for line in rest if "<!--" in line)


@pytest.mark.parametrize("kind", ["issue", "pull", "comment", "discussion"])
def test_a_marker_that_somebody_else_pasted_is_not_ours(
    kind: str, github: Github, poster: MakePoster, tmp_path: Path
) -> None:
    place = places(tmp_path)[kind]
    post(poster, place.target)
    repo = github.world.repos[REPO]
    stranger = Person("mallory")
    for thread in [*repo.issues.values(), *repo.discussions.values()]:
        thread.author = stranger if thread.title.startswith("llama.cpp") else thread.author
        for item in thread.comments:
            item.author = stranger
    assert post(poster, place.target).action == "created"
    assert len(place.bodies(github.world)) == 2


def test_a_name_like_the_bots_makes_nobody_the_bot(github: Github, poster: MakePoster) -> None:
    target = f"issue:{REPO}#1"
    post(poster, target)
    github.world.repos[REPO].issues[1].comments[0].author = Person("github-actions", bot=False)
    assert post(poster, target).action == "created"


def test_our_comment_is_found_behind_a_hundred_others(github: Github, poster: MakePoster) -> None:
    target = f"issue:{REPO}#1"
    post(poster, target)
    thread = github.world.repos[REPO].issues[1]
    thread.comments += [Comment(5000 + n, OWNER, f"comment {n}", RUN.created) for n in range(230)]
    github.calls.clear()
    assert post(poster, target).action == "unchanged"
    assert len(github.calls) == 3
    assert len(thread.comments) == 231


def test_comments_much_older_than_the_run_are_not_all_read(github: Github, poster: MakePoster) -> None:
    thread = github.world.repos[REPO].issues[1]
    thread.comments += [Comment(n, OWNER, f"comment {n}", "2025-01-01T00:00:00Z") for n in range(500)]
    assert post(poster, f"issue:{REPO}#1").action == "created"
    assert len(github.calls) == 2


def test_a_discussion_is_named_in_both_languages(github: Github, poster: MakePoster) -> None:
    post(poster, f"discussion:{REPO}/General")
    (thread,) = [item for item in github.world.repos[REPO].discussions.values() if item.number != 3]
    assert thread.title == "llama.cpp b9556 → b9602 · 可升可不升 / optional upgrade here · RTX 5080"
    assert thread.category == "general"


def test_the_rest_of_a_releases_text_stays_byte_for_byte(github: Github, poster: MakePoster) -> None:
    release = github.world.repos[REPO].releases[0]
    post(poster, f"release:{REPO}@v1")
    assert release.body is not None and release.body.startswith(RELEASE_TEXT + "\n\n<!-- llama-release-bot")
    release.body += "\r\n\r\nMore notes, written later. "
    other = runs.run(verdict=RUN.verdict, id="b9556-b9602-second")
    changed = other.model_copy(update={"comparisons": ()})
    assert post(poster, f"release:{REPO}@v1", changed).action == "edited"
    assert release.body.startswith(RELEASE_TEXT + "\n\n<!-- llama-release-bot")
    assert release.body.endswith("-->\r\n\r\nMore notes, written later. ")
    assert release.body.count("llama-release-bot:v1") == 2
    assert release.name == "One"


def test_profiles_of_one_machine_share_one_comment(github: Github, poster: MakePoster) -> None:
    target = f"issue:{REPO}#1"
    other = RUN.model_copy(update={"profile": RUN.profile.model_copy(update={"name": "small"})})
    post(poster, target)
    assert post(poster, target, other).action == "edited"
    assert post(poster, target, RUN, other).action == "unchanged"
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert comment.body.count("### b9556 → b9602") == 2
    assert comment.body.count("llama-release-bot:profile") == 2


def test_many_profiles_together_stay_below_the_limit(github: Github, poster: MakePoster) -> None:
    long = RUN.model_copy(update={"changes": runs.commits(), "notes": ()})
    many = [
        long.model_copy(update={"profile": long.profile.model_copy(update={"name": f"p{n}"})})
        for n in range(12)
    ]
    post(poster, f"issue:{REPO}#1", *many[:11])
    assert post(poster, f"issue:{REPO}#1", many[11]).action == "edited"
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert comment.body.count("llama-release-bot:profile") == 12
    assert 30000 < len(comment.body) < 65536


def test_who_asked_is_mentioned_and_gets_a_report_of_their_own(github: Github, poster: MakePoster) -> None:
    target = parse(f"issue:{REPO}#1")
    poster().post([RUN], [target])
    poster().post([RUN], [target], Asked("4711", "asker"))
    again = poster().post([RUN], [target], Asked("4711", "asker"))
    assert [outcome.action for outcome in again] == ["unchanged"]
    automatic, asked = github.world.repos[REPO].issues[1].comments
    assert "@asker" not in automatic.body
    assert re.findall(r"(?<![\w`])@\w+", re.sub(r"`[^`\n]*`", "", asked.body)) == ["@asker"]


def test_a_closed_thread_takes_only_what_was_asked_for_in_it(github: Github, poster: MakePoster) -> None:
    github.world.repos[REPO].issues[1].closed = True
    target = parse(f"issue:{REPO}#1")
    (refused,) = poster().post([RUN], [target])
    assert refused.error and refused.error.code == "github-closed"
    (answered,) = poster().post([RUN], [target], Asked("4711", "asker"))
    assert answered.action == "created"


def test_hidden_lines_in_a_quoted_log_are_disarmed(github: Github, poster: MakePoster) -> None:
    key = "<!-- llama-release-bot:end -->\n<!-- /llama-release-bot:v1 key=0 -->"
    launch = runs.launch("head", 1, status="crashed_serving", log_tail=key, samples=())
    broken = finished("head-broken")
    rounds = tuple(
        item.model_copy(update={"launches": (item.launches[0], launch)}) if item.launches else item
        for item in broken.rounds
    )
    post(poster, f"issue:{REPO}#1", broken.model_copy(update={"rounds": rounds}))
    (comment,) = github.world.repos[REPO].issues[1].comments
    assert "llama-release-bot:end" in comment.body.replace("<!-- llama-release-bot:end -->", "", 1)
    assert comment.body.count("<!-- llama-release-bot:end -->") == 1
    assert "<!-- /llama-release-bot" not in comment.body


def test_runs_of_two_pairs_make_no_post(poster: MakePoster) -> None:
    other = RUN.model_copy(update={"pair": RUN.pair.model_copy(update={"head": RUN.pair.base})})
    with pytest.raises(BotError) as caught:
        poster().post([RUN, other], [parse(f"issue:{REPO}#1")])
    assert caught.value.code == "runs-differ"


def test_an_unfinished_run_is_not_posted(github: Github, poster: MakePoster) -> None:
    with pytest.raises(BotError) as caught:
        poster().post([runs.run()], [parse(f"issue:{REPO}#1")])
    assert caught.value.code == "run-unfinished"
    assert github.calls == []


def test_writes_are_at_least_a_second_apart(github: Github, poster: MakePoster) -> None:
    repo = github.world.repos[REPO]
    repo.issues[5] = Thread(5, "Another", OWNER)
    poster().post([RUN], [parse(f"issue:{REPO}#{n}") for n in (1, 2, 5)])
    times = [call.at for call in github.writes()]
    assert len(times) == 3
    assert all(later - earlier >= 1 for earlier, later in pairwise(times))
