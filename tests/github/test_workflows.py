"""The workflows as files: their `run:` lines, executed job by job against GitHub's stand-in."""

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.records import Reason
from tests.support.github.places import TOKEN
from tests.support.github.server import Github
from tests.support.github.state import WorkflowRun
from tests.support.scene import BRANCH, REPO, Scene, make_scene
from tests.support.workflows import ROOT, JobResult

BENCH = "bench / den · default · b9556..b9602"


@pytest.fixture
def scene(tmp_path: Path, github: Github) -> Scene:
    return make_scene(tmp_path, github)


def ended(jobs: dict[str, JobResult]) -> dict[str, str]:
    return {name: job.result for name, job in jobs.items()}


def logs(jobs: dict[str, JobResult]) -> str:
    return "\n".join(job.log for job in jobs.values())


def test_a_new_tag_is_measured_posted_and_remembered(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "success"}, logs(jobs)
    (post,) = scene.posts()
    assert "b9556 → b9602" in post.title
    assert "planted by the machine" not in post.body
    assert "@everyone" not in post.body
    (done,) = scene.state["done"]
    assert (done["base"], done["head"], done["asked"], done["verdict"]) == (
        "b9556",
        "b9602",
        False,
        "upgrade",
    )
    assert f"{done['path']}/run.json" in scene.files()
    assert f"{done['path']}/charts/rounds.svg" in scene.files()
    assert "planted by the machine" not in scene.home.git("show", f"{BRANCH}:{done['path']}/report.md")
    assert jobs["post"].summary.startswith("### b9556 → b9602") or "b9556 → b9602" in jobs["post"].summary


def test_a_look_without_news_costs_no_request_and_writes_nothing(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("watch")
    tip = scene.home.git("rev-parse", BRANCH)
    scene.github.calls.clear()
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success"}
    assert jobs["gate"].outputs["jobs"] == "[]"
    assert scene.github.calls == []
    assert scene.home.git("rev-parse", BRANCH) == tip


def test_two_new_tags_make_one_pair(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("watch")
    scene.tags("b9610", "b9620")
    scene.record("b9602", "b9620")
    scene.later(2)
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "success"}, logs(jobs)
    assert [(item["base"], item["head"]) for item in scene.state["done"]] == [
        ("b9556", "b9602"),
        ("b9602", "b9620"),
    ]
    assert len(scene.posts()) == 2


def test_nothing_that_matters_in_between_is_no_run(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("watch")
    scene.upstream.commit("docs : fix typo (#9700)", {"docs/build.md": "x\n"})
    scene.upstream.tag("b9700")
    scene.later(2)
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success"}
    assert "there is one commit; it cannot act on default" in jobs["gate"].log


def test_the_machine_with_the_gpu_has_no_token_and_sees_no_comment(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.secrets["LLAMA_RELEASE_BOT_PHONE"] = "json://my-phone"
    jobs = scene.actions.run("command", scene.comment("/bench b9602 b9556\nand a secret word"))
    seen = (scene.actions.recorded / "seen-by-bench").read_text()
    assert ended(jobs)["bench"] == "success"
    assert "BASE=b9556\n" in seen
    assert TOKEN not in seen
    assert "PLAN=" not in seen
    assert all(TOKEN not in str(one) for one in jobs["bench"].environments)
    told = [name for name, job in jobs.items() if "my-phone" in str(job.environments)]
    assert told == ["post"]


def test_bench_by_a_writer_is_acknowledged_first_then_reported_to_them(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    event = scene.comment("/bench b9602 b9556")
    after_gate: list[str] = []
    scene.actions.on_job = lambda name: after_gate.extend(scene.ours()) if name == "bench" else None
    jobs = scene.actions.run("command", event)
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "success"}, logs(jobs)
    first = scene.github.writes()[0]
    assert first.path.endswith(f"/issues/comments/{event['comment']['id']}/reactions")
    assert len(after_gate) == 1 and "Accepted" in after_gate[0]
    progress, report = scene.ours()
    assert progress.startswith(after_gate[0].splitlines()[0])
    assert "[Report](https://" in progress and "Accepted" not in progress
    assert "b9556 → b9602" in report and "@ada" in report
    assert scene.reactions() == ["eyes", "rocket"]
    (done,) = scene.state["done"]
    assert done["asked"] is True


def test_a_whole_finish_costs_at_most_eight_requests(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    scene.actions.on_job = lambda name: scene.github.calls.clear() if name == "post" else None
    scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    assert len(scene.github.calls) <= 8, scene.github.calls
    comments = scene.github.world.repos[REPO].issues[12].comments
    reports = [item for item in comments if "@ada" in item.body]
    assert [item.minimized for item in reports] == ["outdated", None]


def test_bench_in_a_discussion_works_the_same(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    jobs = scene.actions.run("command", scene.comment("/bench b9602 b9556", kind="discussion"))
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "success"}, logs(jobs)
    progress, report = scene.ours("discussion")
    assert "[Report](https://" in progress
    assert "@ada" in report
    asking = scene.github.world.repos[REPO].discussions[12].comments[0]
    assert [content for _, content in asking.reactions] == ["EYES", "ROCKET"]


def test_bench_by_a_reader_is_refused_once(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    for _ in range(2):
        jobs = scene.actions.run("command", scene.comment("/bench b9602", author="mallory"))
        assert ended(jobs) == {"gate": "success"}, logs(jobs)
        assert scene.reactions() == ["-1"]
    (answer,) = scene.ours()
    assert "write access" in answer


def test_bench_by_a_bot_starts_no_job_and_no_request(scene: Scene) -> None:
    event = scene.comment("/bench b9602")
    event["comment"]["user"]["type"] = "Bot"
    assert scene.actions.run("command", event) == {}
    event["comment"]["user"]["type"] = "User"
    event["sender"]["type"] = "Bot"
    assert ended(scene.actions.run("command", event)) == {"gate": "success"}
    assert scene.github.calls == []


@pytest.mark.parametrize(
    ("line", "said"),
    [("/bench latest", "b9602"), ("/bench b9603", "no tag `b9603`"), ("/bench a b c", "HEAD")],
)
def test_a_malformed_command_gets_the_right_form_and_no_run(scene: Scene, line: str, said: str) -> None:
    scene.tags("b9556", "b9602")
    jobs = scene.actions.run("command", scene.comment(line))
    assert ended(jobs) == {"gate": "success"}, logs(jobs)
    (answer,) = scene.ours()
    assert said in answer
    assert "confused" in scene.reactions()


def test_a_comment_that_only_mentions_the_command_costs_nothing(scene: Scene) -> None:
    jobs = scene.actions.run("command", scene.comment("I would use `/bench b9602` here"))
    assert ended(jobs) == {"gate": "success"}
    assert scene.github.calls == []


def test_a_run_that_fails_is_told_and_remembered(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.fails()
    jobs = scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    assert ended(jobs) == {"gate": "success", "bench": "failure", "post": "success"}, logs(jobs)
    (progress,) = scene.ours()
    assert "without a result" in progress
    assert scene.reactions() == ["eyes", "confused"]
    assert [item["path"] for item in scene.state["done"]] == [""]


def test_a_build_that_fails_is_a_report(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602", "head-build-failed")
    (scene.actions.recorded / "exit").write_text("3")
    jobs = scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    assert ended(jobs) == {"gate": "success", "bench": "failure", "post": "success"}, logs(jobs)
    assert len(scene.ours()) == 2
    assert scene.reactions() == ["eyes", "rocket"]


def test_a_tag_that_cannot_be_measured_is_not_tried_for_ever(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.fails()
    assert ended(scene.actions.run("watch"))["post"] == "success"
    assert ended(scene.actions.run("watch")) == {"gate": "success"}


def test_a_post_that_fails_half_way_is_finished_by_running_the_job_again(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    event = scene.comment("/bench b9602 b9556")

    def break_after_the_report(name: str) -> None:
        if name == "post":
            scene.github.faults.add("502", lambda call: call.method in ("PATCH",), times=10)
            scene.github.faults.add("graphql_forbidden", lambda call: call.operation == "minimizeComment", 10)

    hook = scene.home.path / ".git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    scene.actions.on_job = break_after_the_report
    jobs = scene.actions.run("command", event)
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "failure"}
    assert len([body for body in scene.ours() if "@ada" in body]) == 1
    hook.unlink()
    scene.actions.on_job = lambda _: None
    scene.github.faults.pending.clear()
    again = scene.actions.again("command", "post", jobs, event)
    assert again.result == "success", again.log
    assert len([body for body in scene.ours() if "@ada" in body]) == 1
    assert any("[Report](https://" in body for body in scene.ours())
    assert len(scene.state["done"]) == 1


def test_a_record_of_another_pair_is_not_posted(scene: Scene) -> None:
    scene.tags("b9500", "b9556", "b9602")
    scene.record("b9500", "b9602")
    jobs = scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    assert ended(jobs)["post"] == "failure"
    assert "was asked for" in jobs["post"].log
    (progress,) = scene.ours()
    assert "without a result" in progress


def test_names_links_and_languages_are_the_plans_and_not_the_artifacts(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    run = scene.record("b9556", "b9602")
    evil = run.pair.model_copy(
        update={
            "base": run.pair.base.model_copy(update={"name": "evil-base"}),
            "web": "https://evil.example",
        }
    )
    planted = run.model_copy(update={"pair": evil, "languages": ("zh-Hans",)})
    (scene.actions.recorded / "run.json").write_text(planted.model_dump_json(by_alias=True))
    scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    report = scene.ours()[-1]
    assert "b9556 → b9602" in report
    assert "evil" not in report
    assert "升级" not in report


def test_a_record_that_cannot_be_told_is_an_error_and_the_tag_is_left_alone(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    run = scene.record("b9556", "b9602")
    assert run.verdict
    odd = run.model_copy(
        update={"verdict": run.verdict.model_copy(update={"reasons": (Reason(code="x-y"),)})}
    )
    (scene.actions.recorded / "run.json").write_text(odd.model_dump_json(by_alias=True))
    jobs = scene.actions.run("watch")
    assert ended(jobs)["post"] == "failure"
    assert "This is a bug" not in jobs["post"].log
    assert ended(scene.actions.run("watch")) == {"gate": "success"}
    assert scene.posts() == []


def test_a_moved_tag_is_reported_and_not_followed(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("watch")
    scene.upstream.commit("server : evil twin", {"src/x.cpp": "1\n"})
    scene.upstream.tag("b9602")
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "post": "success"}, logs(jobs)
    assert "b9602 was moved upstream" in jobs["gate"].log
    assert [item["name"] for item in scene.state["moved"]] == ["b9602"]
    assert ended(scene.actions.run("watch")) == {"gate": "success"}


def test_a_weekly_digest_says_what_was_measured_and_what_was_quiet(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("watch")
    (report,) = scene.posts()
    scene.later(5)
    scene.upstream.commit("docs : fix typo (#9700)", {"docs/build.md": "x\n"})
    scene.upstream.tag("b9700")
    assert ended(scene.actions.run("watch")) == {"gate": "success"}
    scene.later(2.5)
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "post": "success"}, logs(jobs)
    digest = scene.posts()[-1]
    assert digest is not report and digest.title.startswith("llama.cpp: the week to 2026-")
    assert "Between `b9602` and `b9700` there is one commit; it cannot act on `default`" in digest.body
    assert ended(scene.actions.run("watch")) == {"gate": "success"}


def test_status_cancel_and_retry_speak_of_this_threads_runs(scene: Scene) -> None:
    runs = scene.github.world.repos[REPO].workflow_runs
    runs += [
        WorkflowRun(501, "bench 12 · 71", "completed", "failure"),
        WorkflowRun(502, "bench 12 · 72", "completed", "success"),
        WorkflowRun(503, "bench 99 · 73", "in_progress", jobs={BENCH: "in_progress"}),
        WorkflowRun(504, "bench 12 · 74", "queued", jobs={BENCH: "queued"}),
        WorkflowRun(505, "Merge /bench 12 · 75", "queued"),
    ]
    jobs = scene.actions.run("command", scene.comment("/bench status"))
    assert ended(jobs) == {"gate": "success"}, logs(jobs)
    answer = scene.ours()[-1]
    assert [word in answer for word in ("501", "502", "503", "504", "505")] == [
        False,
        False,
        True,
        True,
        False,
    ]
    assert "Building and measuring." in answer and "place 2" in answer
    scene.actions.run("command", scene.comment("/bench cancel"))
    assert "`504` is cancelled" in scene.ours()[-1]
    assert (runs[3].status, runs[3].conclusion) == ("completed", "cancelled")
    scene.actions.run("command", scene.comment("/bench retry 501"))
    assert "`501` starts again" in scene.ours()[-1]
    assert runs[0].status == "queued"
    scene.actions.run("command", scene.comment("/bench cancel 777"))
    assert "no run `777`" in scene.ours()[-1]


def test_who_asks_hears_how_many_are_ahead_and_when_to_expect_the_report(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.record("b9556", "b9602")
    scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    seconds = scene.state["done"][0]["seconds"]
    scene.github.world.repos[REPO].workflow_runs += [
        WorkflowRun(501, "bench 12 · 71", "in_progress", jobs={BENCH: "in_progress"}),
        WorkflowRun(502, "bench 12 · 72", "queued", jobs={BENCH: "queued"}),
    ]
    scene.actions.on_job = stop_at("bench")
    with pytest.raises(StopIteration):
        scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    told = scene.ours()[-1]
    assert "Accepted, place 3 in the queue of its machine." in told
    assert f"Report in about {round(seconds * 2 / 60)} min" in told
    assert "/actions/runs/" in told


def stop_at(job: str) -> Callable[[str], None]:
    def stop(name: str) -> None:
        if name == job:
            raise StopIteration

    return stop


def test_one_variable_switches_everything_off(scene: Scene) -> None:
    scene.tags("b9556", "b9602")
    scene.actions.variables["LLAMA_RELEASE_BOT"] = "off"
    assert scene.actions.run("watch") == {}
    assert scene.actions.run("command", scene.comment("/bench b9602 b9556")) == {}
    assert scene.github.calls == []


def test_a_repository_of_upstreams_is_never_written_to(scene: Scene) -> None:
    event = scene.comment("/bench b9602 b9556")
    event["repository"] = {
        "name": "llama.cpp",
        "full_name": "ggml-org/llama.cpp",
        "owner": {"login": "ggml-org"},
    }
    jobs = scene.actions.run("command", event)
    assert ended(jobs) == {"gate": "failure"}
    assert scene.github.writes() == []


def test_what_a_checkout_holds_is_what_the_workflows_install() -> None:
    for name in ("bench", "watch", "command"):
        assert "requirements.lock" in (ROOT / ".github" / "workflows" / f"{name}.yml").read_text()
    assert (ROOT / "requirements.lock").is_file()
