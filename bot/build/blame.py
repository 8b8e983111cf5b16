"""Whose doing a failed build is: the machine's where the base fails alike, else some commits'. Pure."""

import re
from collections.abc import Iterable, Sequence

from bot.records import Build, BuildFailure, Commit

#: More commits than this in one file point at none of them.
MOST = 3
#: Where a compiler or CMake says that the error is: `path:line`, or nvcc's `path(line)`.
_PLACE = re.compile(r"([\w./+-]*\w\.(?:c|cc|cpp|cxx|cu|cuh|h|hpp|inc|cmake|txt))(?::\d|\(\d)")
_CODE = frozenset({"code", "unknown"})


def judged(base: Build, head: Build) -> tuple[Build, Build]:
    """Both builds; where they failed alike, code cannot be at fault: the class is `environment` then.

    A cause that is of another class already (memory, network) says more and stays.
    """
    one, other = base.failure, head.failure
    if one is None or other is None or (one.stage, one.cause) != (other.stage, other.cause):
        return base, head
    return _of_environment(base, one), _of_environment(head, other)


def touching(failure: BuildFailure, commits: Sequence[Commit]) -> tuple[Commit, ...]:
    """The commits between the tags that changed a file in which the error is reported, newest first.

    None for an error that is not of the code, and where more than `MOST` did.
    """
    if failure.kind not in _CODE:
        return ()
    places = set(_PLACE.findall(failure.excerpt))
    found = [commit for commit in reversed(commits) if _touches(commit, places)]
    return tuple(found) if len(found) <= MOST else ()


def _touches(commit: Commit, places: Iterable[str]) -> bool:
    """A build names files by paths that lead through its own folder: the tree's path is their end."""
    paths = [f"/{change.path}" for change in commit.files]
    return any(f"/{place}".endswith(path) for place in places for path in paths)


def _of_environment(build: Build, failure: BuildFailure) -> Build:
    if failure.kind not in _CODE:
        return build
    return build.model_copy(update={"failure": failure.model_copy(update={"kind": "environment"})})
