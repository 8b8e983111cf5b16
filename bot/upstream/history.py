"""What lies between two commits, read from a bare repository. All commits are given as full ids.

The history is the first-parent line: what became of the branch, step by step; a merge counts as one
step with everything that it brought.
"""

import re
from collections import deque
from collections.abc import Iterator

from bot.errors import environment
from bot.records import Commit, FileChange
from bot.upstream.git import Git

#: A path of a tree never starts with a slash, so this tells the next commit from a path.
_FORMAT = "--format=/%H%x00%s%x00%b%x00"
_PULL_REQUEST = re.compile(r"\(#(\d+)\)\s*$|^Merge pull request #(\d+) ")


def is_ancestor(git: Git, base: str, head: str) -> bool:
    """Whether `base` is `head` or in its history."""
    return git.test("merge-base", "--is-ancestor", base, head)


def ancestor(git: Git, base: str, head: str) -> bool | None:
    """As `is_ancestor`, but None where the two share no history at all."""
    if is_ancestor(git, base, head):
        return True
    return False if git.test("merge-base", base, head) else None


def count(git: Git, base: str, head: str) -> int:
    """How many first-parent commits of `head` are not in `base`."""
    return int(git.text("rev-list", "--count", "--first-parent", f"{base}..{head}"))


def commits(git: Git, base: str, head: str) -> tuple[Commit, ...]:
    """The first-parent commits of `head` that are not in `base`, newest last, with the paths they touch.

    Trees and messages only, so a clone without blobs needs no network. Raises BotError (exit 4) when git
    fails or when the number read is not the number that `rev-list --count` names.
    """
    listed = git.text("rev-list", "--first-parent", "--reverse", "--parents", f"{base}..{head}")
    # Naming only the first parent makes a merge's diff the one against the line it was merged into.
    steps = "".join(" ".join(line.split()[:2]) + "\n" for line in listed.splitlines())
    read = tuple(_parse(_diff(git, steps)))
    expected = count(git, base, head)
    if len(read) != expected:
        raise environment("commits-mismatch", read=len(read), expected=expected, base=base, head=head)
    return read


def tree_diff(git: Git, base: str, head: str) -> tuple[FileChange, ...]:
    """The paths that differ between two commits' trees, in path order.

    Line counts only where all blobs are here (never fetched for it), and never for binary files.
    """
    plain = ("diff-tree", "-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
    if not _has_blobs(git, base, head):
        names = git.text(*plain, "--name-only", base, head).split("\0")
        return tuple(FileChange(path=name) for name in names if name)
    lines = git.text(*plain, "--numstat", base, head).split("\0")
    return tuple(_counted(line) for line in lines if line)


def _diff(git: Git, steps: str) -> str:
    return git.text(
        *("-c", "i18n.logOutputEncoding=UTF-8", "diff-tree", "--stdin", "-r", "--root", "--always", "-z"),
        *("--no-renames", "--name-only", _FORMAT),
        stdin=steps.encode(),
    )


def _parse(text: str) -> Iterator[Commit]:
    fields = deque(text.split("\0")[:-1])
    while fields:
        sha, subject, body, _ = (fields.popleft() for _ in range(4))
        paths: list[str] = []
        while fields and not fields[0].startswith("/"):
            paths.append(fields.popleft())
        yield _commit(sha[1:], subject, body.strip(), paths)


def _commit(sha: str, subject: str, body: str, paths: list[str]) -> Commit:
    named = _PULL_REQUEST.search(subject)
    # Git sets the first path off from the message with a line feed.
    files = tuple(
        FileChange(path=path) for path in [path.removeprefix("\n") for path in paths[:1]] + paths[1:]
    )
    return Commit(
        sha=sha,
        subject=subject,
        body=body,
        files=files,
        pr=int(named[1] or named[2]) if named else None,
    )


def _counted(line: str) -> FileChange:
    added, deleted, path = line.split("\t", 2)
    if added == "-":
        return FileChange(path=path)
    return FileChange(path=path, added=int(added), deleted=int(deleted))


def _has_blobs(git: Git, *shas: str) -> bool:
    listed = git.text("rev-list", "--objects", "--no-walk", "--missing=print", *shas)
    return not any(line.startswith("?") for line in listed.splitlines())
