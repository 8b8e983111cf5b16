"""What the workflows may never do, read from their files; two linters say the rest."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.support.workflows import ROOT, WORKFLOWS

NAMES = tuple(sorted(path.stem for path in WORKFLOWS.glob("*.yml")))
PINNED = re.compile(r"actions/[a-z-]+@[0-9a-f]{40}")


def load(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((WORKFLOWS / f"{name}.yml").read_text(encoding="utf-8"))
    return loaded


def program(name: str) -> str:
    """A linter of the development environment. Skips, and says so, where it cannot be had."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        pytest.skip(f"{name} IS NOT INSTALLED: the workflows were not checked (pip install -e .[dev])")
    return found


@pytest.mark.parametrize(
    ("linter", "words"), [("zizmor", ["--offline", "--quiet", str(WORKFLOWS)]), ("actionlint", [])]
)
def test_the_linters_find_nothing(linter: str, words: list[str]) -> None:
    done = subprocess.run(
        [program(linter), *words], cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_nobody_has_a_right_that_its_job_does_not_name(name: str) -> None:
    workflow = load(name)
    assert workflow["permissions"] == {}
    assert all("permissions" in job for job in workflow["jobs"].values())


@pytest.mark.parametrize("name", NAMES)
def test_no_word_from_outside_gets_into_a_shell(name: str) -> None:
    for job in load(name)["jobs"].values():
        for step in job.get("steps", []):
            assert "${{" not in step.get("run", "")
            assert "comment.body" not in str(step)


@pytest.mark.parametrize("name", NAMES)
def test_every_action_is_pinned_and_leaves_no_token_behind(name: str) -> None:
    for job in load(name)["jobs"].values():
        for step in (step for step in job.get("steps", []) if "uses" in step):
            assert PINNED.fullmatch(step["uses"]), step["uses"]
            if "checkout" in step["uses"]:
                assert step["with"]["persist-credentials"] is False


def test_the_machine_with_the_gpu_gets_no_secret_no_token_and_no_pull_request() -> None:
    text = (WORKFLOWS / "bench.yml").read_text(encoding="utf-8")
    (job,) = load("bench")["jobs"].values()
    assert job["permissions"] == {"contents": "read"}
    assert "secrets" not in text.replace("no secret", "") and "github.token" not in text
    assert load("bench")[True] == {
        "workflow_call": {"inputs": load("bench")[True]["workflow_call"]["inputs"]}
    }
    assert job["concurrency"]["queue"] == "max"
    assert "timeout-minutes" in job
    for name in ("watch", "command"):
        assert "secrets" not in load(name)["jobs"]["bench"]
        assert "pull_request" not in load(name)[True]
    for name in NAMES:
        for job in load(name)["jobs"].values():
            is_ours = "matrix" in str(job.get("runs-on", ""))
            assert is_ours == (name == "bench" and "steps" in job)


def test_a_secret_reaches_the_step_that_posts_and_nothing_else() -> None:
    for name in ("watch", "command"):
        jobs = load(name)["jobs"]
        steps = [(key, step) for key, job in jobs.items() for step in job.get("steps", ())]
        assert [(key, step["name"]) for key, step in steps if "secrets." in str(step)] == [
            ("post", "Post and remember")
        ]
        assert not any("secrets." in str({**job, "steps": None}) for job in jobs.values())


def test_only_the_last_job_may_write_the_repository() -> None:
    for name in ("watch", "command"):
        rights = {key: job["permissions"].get("contents") for key, job in load(name)["jobs"].items()}
        assert rights == {"gate": "read", "bench": "read", "post": "write"}
    assert load("watch")["jobs"]["gate"]["permissions"] == {"contents": "read"}


def test_the_schedule_avoids_the_full_hour_and_no_look_overtakes_a_run() -> None:
    (entry,) = load("watch")[True]["schedule"]
    assert all(int(minute) % 10 == 7 for minute in entry["cron"].split()[0].split(","))
    assert load("watch")["concurrency"] == {"group": "watch", "cancel-in-progress": False}


def test_the_documentation_names_what_the_workflows_need() -> None:
    text = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
    for word in (
        "LLAMA_RELEASE_BOT",
        "self-hosted",
        "contents: write",
        "/bench",
        "watch.targets",
        "category",
    ):
        assert word in text, word
