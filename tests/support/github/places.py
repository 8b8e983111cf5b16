"""A world with one of each place a report can be posted in, and how many posts of ours stand there."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bot.github import marker
from bot.records import Run
from bot.report.verdict import conclude
from tests.support.github.state import Grant, Person, Release, Repo, Thread, World
from tests.support.outcomes import OUTCOMES

REPO = "octo/bench"
TOKEN = "ghs_" + "S3cr3t" * 6
BOT = Person("github-actions", bot=True)
OWNER = Person("octo")
RELEASE_TEXT = "Hand-written notes.\r\n\r\n* one\t \r\n* two "


@dataclass(frozen=True)
class Place:
    """A target, and the texts that stand there."""

    target: str
    bodies: Callable[[World], list[str]]


def populate(world: World) -> Repo:
    """Issue 1, pull request 2, discussion 3, release v1 in `octo/bench`, and the bot's token."""
    repo = world.add_repo(REPO)
    repo.issues[1] = Thread(1, "Reports", OWNER)
    repo.issues[2] = Thread(2, "Faster", OWNER, kind="PullRequest")
    repo.discussions[3] = Thread(3, "Talk", OWNER, kind="Discussion", category="general")
    repo.releases.append(Release(world.next_id(), "v1", RELEASE_TEXT, "One"))
    world.tokens[TOKEN] = Grant(BOT)
    return repo


def _comments(number: int) -> Callable[[World], list[str]]:
    def found(world: World) -> list[str]:
        repo = world.repos[REPO]
        thread = (repo.issues | repo.discussions)[number]
        return [item.body for item in thread.comments if marker.is_ours(item.body)]

    return found


def _discussions(world: World) -> list[str]:
    return [item.body for item in world.repos[REPO].discussions.values() if marker.is_ours(item.body)]


def _release(world: World) -> list[str]:
    body = world.repos[REPO].releases[0].body or ""
    return body.split(f"<!-- {marker.NAME}:v1")[1:]


def places(folder: Path) -> dict[str, Place]:
    """Every kind of place; the file lies in `folder`."""

    def file(_: World) -> list[str]:
        path = folder / "out.md"
        return [path.read_text()] if path.exists() else []

    return {
        "issue": Place(f"issue:{REPO}#1", _comments(1)),
        "pull": Place(f"issue:{REPO}#2", _comments(2)),
        "comment": Place(f"discussion:{REPO}#3", _comments(3)),
        "discussion": Place(f"discussion:{REPO}/general", _discussions),
        "release": Place(f"release:{REPO}@v1", _release),
        "file": Place(f"file:{folder / 'out.md'}", file),
    }


KINDS = ("issue", "pull", "comment", "discussion", "release", "file")


def finished(outcome: str = "optional") -> Run:
    """A finished run of `tests.support.outcomes`."""
    run = OUTCOMES[outcome]()
    return run.model_copy(update={"verdict": conclude(run)})
