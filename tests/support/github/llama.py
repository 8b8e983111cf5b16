"""llama.cpp's own repository, as a world knows it: public, read by anyone, written by no test."""

from tests.support.github.state import Commit, Person, Repo, Thread, World

UPSTREAM = "ggml-org/llama.cpp"


def add_upstream(world: World, *shas: str) -> Repo:
    """The repository with these commits on its main line."""
    repo = world.add_repo(UPSTREAM)
    repo.commits |= {sha: Commit(sha) for sha in shas}
    return repo


def report(repo: Repo, number: int, title: str, body: str = "", **changes: object) -> Thread:
    """An open issue of somebody's."""
    thread = Thread(number, title, Person("ada"), body)
    for name, value in {"labels": ("bug-unconfirmed",), **changes}.items():
        setattr(thread, name, value)
    repo.issues[number] = thread
    return thread
