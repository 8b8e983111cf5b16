"""Which commits a build that failed on head alone points at."""

from collections.abc import Sequence

from bot.build.blame import touching
from bot.records import Commit, Run, Suspect

#: Among the metrics of `Highlights.suspects`.
BUILD = "build"


def blamed(run: Run, commits: Sequence[Commit]) -> dict[str, tuple[Suspect, ...]]:
    """Suspects under `BUILD`, newest commit first; empty unless head failed where base did not."""
    failed = {build.side: build.failure for build in run.failed_builds}
    failure = failed.get("head")
    if failure is None or "base" in failed:
        return {}
    return {BUILD: tuple(_suspect(commit) for commit in touching(failure, commits))}


def _suspect(commit: Commit) -> Suspect:
    text = commit.subject.removesuffix(f"(#{commit.pr})").strip()
    return Suspect(
        sha=commit.sha, pr=commit.pr, area="build", text=text, reasons=("suspect-build-file",), score=1.0
    )
