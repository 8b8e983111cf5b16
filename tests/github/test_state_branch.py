"""State on an orphan branch, with real git: two writers lose nothing, and nothing else is touched."""

import json
import subprocess
from pathlib import Path

import pytest

from bot.errors import BotError
from bot.github import state as state_module
from bot.github.state import Files, StateBranch
from tests.support.repository import FakeUpstream

BRANCH = "llama-release-bot"


@pytest.fixture
def repository(tmp_path: Path) -> FakeUpstream:
    """A repository with something on its main branch, as a server has it."""
    made = FakeUpstream(tmp_path / "repository")
    made.commit("start", {"config.yml": "profiles: {}\n"})
    made.git("config", "receive.denyCurrentBranch", "ignore")
    return made


def counted(files: Files) -> dict[str, str]:
    """One more run in `state.json`."""
    known = json.loads(files.read("state.json") or "[]")
    return {"state.json": json.dumps([*known, len(known)])}


def test_the_branch_is_made_by_the_first_change_and_has_no_history_of_the_code(
    repository: FakeUpstream,
) -> None:
    branch = StateBranch(repository.url, BRANCH)
    assert branch.read("state.json") is None
    assert branch.change(lambda _: {"state.json": "{}\n", "runs/b2/den-1/run.json": "{}"}, "b2") is True
    assert branch.read("state.json") == "{}\n"
    assert repository.git("ls-tree", "-r", "--name-only", BRANCH).splitlines() == [
        "runs/b2/den-1/run.json",
        "state.json",
    ]
    assert repository.git("rev-list", "--count", BRANCH) == "1"
    assert repository.git("ls-tree", "--name-only", "master") == "config.yml"


def test_other_files_stay_and_an_equal_one_makes_no_commit(repository: FakeUpstream) -> None:
    branch = StateBranch(repository.url, BRANCH)
    branch.change(lambda _: {"a.txt": "说明\n", "b/c.txt": "2"}, "first")
    assert branch.change(lambda _: {"b/c.txt": "3"}, "second") is True
    assert branch.change(lambda _: {"b/c.txt": "3"}, "third") is False
    assert branch.read("a.txt") == "说明\n"
    assert repository.git("log", "--format=%s", BRANCH).splitlines() == ["second", "first"]


def test_who_loses_the_race_goes_on_from_the_winners_files(repository: FakeUpstream) -> None:
    branch, other = StateBranch(repository.url, BRANCH), StateBranch(repository.url, BRANCH)
    branch.change(counted, "0")
    seen: list[str | None] = []

    def slow(files: Files) -> dict[str, str]:
        seen.append(files.read("state.json"))
        if len(seen) <= 2:
            other.change(counted, "theirs")
        return counted(files)

    assert branch.change(slow, "ours") is True
    assert seen == ["[0]", "[0, 1]", "[0, 1, 2]"]
    assert branch.read("state.json") == "[0, 1, 2, 3]"
    assert repository.git("log", "--format=%s", BRANCH).splitlines() == ["ours", "theirs", "theirs", "0"]


def test_two_that_make_the_branch_at_once_both_get_in(repository: FakeUpstream) -> None:
    branch, other = StateBranch(repository.url, BRANCH), StateBranch(repository.url, BRANCH)
    calls = iter([True, False])

    def slow(files: Files) -> dict[str, str]:
        if next(calls):
            other.change(counted, "theirs")
        return counted(files)

    branch.change(slow, "ours")
    assert branch.read("state.json") == "[0, 1]"
    assert repository.git("rev-list", "--count", BRANCH) == "2"


def test_a_remote_that_takes_no_push_is_an_error_and_not_asked_for_ever(repository: FakeUpstream) -> None:
    hook = repository.path / ".git" / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho called >> ../called\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(BotError) as caught:
        StateBranch(repository.url, BRANCH).change(counted, "no")
    assert (caught.value.code, caught.value.exit_code) == ("state-not-pushed", 5)
    assert len((repository.path / "called").read_text().splitlines()) == 1


def test_the_token_is_in_no_argument_address_or_error(
    repository: FakeUpstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[tuple[str, ...], dict[str, str]]] = []
    network = state_module.Git.network

    def spy(git: object, *args: str, **options: object) -> str:
        seen.append((args, dict(options["env"])))  # type: ignore[call-overload]
        return str(network(git, *args, **options))  # type: ignore[arg-type]

    monkeypatch.setattr(state_module.Git, "network", spy)
    branch = StateBranch(repository.url, BRANCH, token="S3cr3t")
    branch.change(counted, "0")
    assert all("S3cr3t" not in " ".join(args) for args, _ in seen)
    assert {env["GIT_CONFIG_KEY_0"] for _, env in seen} == {f"http.{repository.url}.extraHeader"}
    assert "S3cr3t" not in repr(branch)
    config = subprocess.run(
        ["git", "config", "--list"], cwd=repository.path, capture_output=True, text=True, check=True
    )
    assert "S3cr3t" not in config.stdout
