"""Which results are worth a post that nobody asked for. Pure."""

from collections.abc import Sequence
from typing import Literal

from bot.records import Run

PostWhen = Literal["always", "changed", "worse"]


def is_news(runs: Sequence[Run], when: PostWhen) -> bool:
    """Whether the runs of one pair on one machine are posted.

    `worse`: one of them says hold, got slower, or did not build. `changed`: also where one says upgrade, or
    where a speed or the memory moved. A run that could not tell is news in neither sense: the digest has it.
    """
    if when == "always":
        return True
    return any(_is_worse(run) or (when == "changed" and _has_moved(run)) for run in runs)


def _is_worse(run: Run) -> bool:
    held = run.verdict is not None and run.verdict.code == "hold"
    slower = any(item.outcome == "regression" for item in run.comparisons)
    return held or slower or any(build.side == "head" for build in run.failed_builds)


def _has_moved(run: Run) -> bool:
    reasons = {reason.code for reason in run.verdict.reasons} if run.verdict else set()
    # A fix that upstream's open issues make optional is still news.
    upgrade = run.verdict is not None and (
        run.verdict.code == "upgrade" or {"fix", "upstream_trouble"} <= reasons
    )
    faster = any(item.outcome == "improvement" for item in run.comparisons)
    return upgrade or faster or (run.memory is not None and run.memory.outcome != "same")
