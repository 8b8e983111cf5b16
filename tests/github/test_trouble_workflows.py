"""Upstream's open issues and later reverts, in the workflows: found by the gate, told by the post job."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support.github.llama import UPSTREAM
from tests.support.github.server import Github
from tests.support.scene import BRANCH, Scene, make_scene
from tests.support.troubles import looked_up, trouble
from tests.support.workflows import JobResult


@pytest.fixture
def scene(tmp_path: Path, github: Github) -> Scene:
    made = make_scene(tmp_path, github)
    config = made.actions.files / "config.yml"
    config.write_text(config.read_text().replace("every: tag", "every: tag\n  digest: false"))
    made.tags("b9556", "b9602")
    made.record("b9556", "b9602")
    return made


def ended(jobs: dict[str, JobResult]) -> dict[str, str]:
    return {name: job.result for name, job in jobs.items()}


def logs(jobs: dict[str, JobResult]) -> str:
    return "\n".join(job.log for job in jobs.values())


def asked_of_upstream(scene: Scene) -> list[str]:
    return [f"{call.method} {call.path}" for call in scene.github.calls if UPSTREAM in call.path]


def kept(scene: Scene) -> dict[str, Any]:
    (done,) = scene.state["done"]
    record: dict[str, Any] = json.loads(scene.home.git("show", f"{BRANCH}:{done['path']}/run.json"))
    return record


def told(scene: Scene) -> str:
    (post,) = scene.posts()
    return post.body


def test_an_upgrade_that_open_issues_name_is_optional_in_post_record_and_state(scene: Scene) -> None:
    scene.reported(27001, "crash @everyone", "version: 9602 (4d5e6f7)\n\n### GGML backends\n\nCUDA\n")
    scene.reported(27002, "slow", "b9602\n\n### GGML backends\n\nVulkan\n")
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "success"}, logs(jobs)
    (post,) = scene.posts()
    assert "optional upgrade here" in post.title
    assert "One open report upstream names b9602" in post.body
    assert "@everyone" not in post.body
    assert "/issues/27002" in post.body
    record = kept(scene)
    assert record["verdict"]["code"] == "optional"
    assert [item["number"] for item in record["upstream_trouble"]["items"]] == [27001, 27002]
    assert scene.state["done"][0]["verdict"] == "optional"
    assert asked_of_upstream(scene) == [f"GET /repos/{UPSTREAM}/issues"]


def test_what_the_machine_with_the_gpu_says_of_upstream_is_not_believed(scene: Scene) -> None:
    planted = looked_up(trouble(title="planted by the machine"))
    scene.record("b9556", "b9602", upstream_trouble=planted)
    scene.actions.run("watch")
    assert "planted" not in told(scene)
    assert kept(scene)["verdict"]["code"] == "upgrade"
    assert kept(scene)["upstream_trouble"]["items"] == []


def test_bench_looks_up_after_it_has_answered(scene: Scene) -> None:
    scene.reported(27001, "crash since b9602")
    jobs = scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    assert ended(jobs)["post"] == "success", logs(jobs)
    _, report = scene.ours()
    assert "open report upstream names b9602" in report
    assert len(asked_of_upstream(scene)) == 2
    order = [call.path for call in scene.github.calls]
    assert order.index(f"/repos/{UPSTREAM}/issues") > next(
        number for number, call in enumerate(scene.github.calls) if call.write
    )


def test_a_self_test_asks_nothing_of_upstream(scene: Scene) -> None:
    jobs = scene.actions.run("command", scene.comment("/bench self"))
    assert jobs["gate"].outputs["work"] == "true", logs(jobs)
    assert asked_of_upstream(scene) == []


def test_without_an_answer_the_report_comes_and_says_so(scene: Scene) -> None:
    scene.github.faults.add("502", lambda call: UPSTREAM in call.path, times=99)
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "bench": "success", "post": "success"}, logs(jobs)
    assert "Upstream's open reports could not be looked up" in told(scene)
    assert kept(scene)["verdict"]["code"] == "upgrade"


def test_many_issues_fit_into_what_one_job_hands_to_the_next(scene: Scene) -> None:
    for number in range(1, 500):
        scene.reported(number, "长" * 150 + f" b9602 {number}", "#1 " * 50)
    jobs = scene.actions.run("watch")
    assert ended(jobs)["post"] == "success", logs(jobs)
    assert len(jobs["gate"].outputs["plan"].encode()) < 120_000
    assert "Only the latest reports were read" in told(scene)


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("b9602 b1", "b9602 b9556"),
        ("b9557...b9603", "b9602 b9556"),
    ],
)
def test_a_line_that_is_not_understood_is_answered_with_tags_that_there_are(
    scene: Scene, line: str, near: str
) -> None:
    jobs = scene.actions.run("command", scene.comment(f"/bench {line}"))
    assert ended(jobs) == {"gate": "success"}, logs(jobs)
    assert f"`/bench {near}`" in scene.ours()[-1]


# --- a week later -------------------------------------------------------------------------------------


def test_a_report_whose_fix_was_reverted_is_edited_once_and_says_when(scene: Scene) -> None:
    scene.record("b9556", "b9602", "upgrade-fix")
    scene.actions.run("watch")
    (before,) = [post.title for post in scene.posts()]
    assert "optional" not in before
    (posted,) = scene.state["posted"]
    assert posted["targets"] == ["discussion:acme/bench/general"]
    scene.upstream.commit(
        'Revert "server : fix" (#24715)', {"docs/r.md": "r\n"}, body=f"This reverts commit {'2' * 40}."
    )
    scene.upstream.tag("b9688")
    scene.later(7.1)
    scene.github.calls.clear()
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "post": "success"}, logs(jobs)
    (post,) = scene.posts()
    assert "optional upgrade here" in post.title
    assert "Upstream has since reverted what is named here: “fix crash when a slot is reused”" in post.body
    assert "Looked over again on 2026-12-07, when b9688 was upstream's newest tag." in post.body
    assert scene.state["posted"] == []
    assert {line.split()[0] for line in asked_of_upstream(scene)} == {"GET"}
    assert kept(scene)["recheck"]["newest"] == "b9688"
    assert kept(scene)["verdict"]["code"] == "optional"
    assert "Looked over again" in scene.home.git(
        "show", f"{BRANCH}:{scene.state['done'][0]['path']}/report.md"
    )
    assert len([call for call in scene.github.calls if call.write]) == 1
    scene.github.calls.clear()
    assert ended(scene.actions.run("watch")) == {"gate": "success"}
    assert scene.github.calls == []


def test_a_report_of_bench_is_looked_over_too_and_stays_one_comment(scene: Scene) -> None:
    scene.reported(27000, "about nothing")
    scene.actions.run("command", scene.comment("/bench b9602 b9556"))
    count = len(scene.ours())
    scene.reported(27001, "crash since b9602", created="2026-12-01T00:00:00Z")
    scene.later(7.1)
    jobs = scene.actions.run("watch")
    assert ended(jobs)["post"] == "success", logs(jobs)
    assert len(scene.ours()) == count
    assert "One open report upstream names b9602" in scene.ours()[-1]
    assert "@ada" in scene.ours()[-1]


def test_closed_issues_give_an_upgrade_back(scene: Scene) -> None:
    issue = scene.reported(27001, "crash since b9602")
    scene.actions.run("watch")
    assert "optional" in scene.posts()[0].title
    issue.closed = True
    scene.later(7.1)
    scene.actions.run("watch")
    assert "optional" not in scene.posts()[0].title
    assert kept(scene)["verdict"]["code"] == "upgrade"


def test_an_outage_on_the_day_is_waited_for_and_then_done_without(scene: Scene) -> None:
    scene.actions.run("watch")
    scene.reported(27001, "crash since b9602", created="2026-12-01T00:00:00Z")
    scene.github.faults.add("502", lambda call: UPSTREAM in call.path, times=99)
    scene.later(7.1)
    assert ended(scene.actions.run("watch")) == {"gate": "success"}
    assert len(scene.state["posted"]) == 1
    scene.github.faults.pending.clear()
    scene.later(0.1)
    jobs = scene.actions.run("watch")
    assert ended(jobs) == {"gate": "success", "post": "success"}, logs(jobs)
    assert "One open report upstream names b9602" in told(scene)


def test_an_edit_that_github_refuses_for_now_is_made_at_the_next_look(scene: Scene) -> None:
    scene.actions.run("watch")
    scene.reported(27001, "crash since b9602", created="2026-12-01T00:00:00Z")
    scene.later(7.1)
    scene.github.faults.add("502", times=99)
    jobs = scene.actions.run("watch")
    assert ended(jobs)["post"] == "failure"
    assert len(scene.state["posted"]) == 1
    scene.github.faults.pending.clear()
    jobs = scene.actions.run("watch")
    assert ended(jobs)["post"] == "success", logs(jobs)
    assert len(scene.posts()) == 1 and "One open report" in told(scene)
    assert scene.state["posted"] == []
