"""What a look for new tags found, for a program and for a reader."""

from collections.abc import Callable
from typing import Any

from bot.delivery.handover import Plan
from bot.report.words import Words
from bot.watch.jobs import Silence


def facts(plan: Plan) -> dict[str, Any]:
    """As `watch --once --json` prints it: the pairs to run, why nothing else is due, and which tags moved."""
    return {
        "pairs": [job.model_dump(mode="json", exclude={"labels", "minutes"}) for job in plan.jobs],
        "silent": [
            {**item.model_dump(mode="json"), "code": item.code.removeprefix("watch-")}
            for item in plan.silences
        ],
        "moved": [item.model_dump(mode="json") for item in plan.moved],
    }


def lines(plan: Plan, words: Words) -> list[str]:
    """One line for each pair, silence and moved tag."""
    due = [
        words.text("watch-due", base=job.base, head=job.head, profile=job.profile, machine=job.machine)
        for job in plan.jobs
    ]
    silent = [silence(item, words) for item in plan.silences]
    moved = [
        words.text("watch-moved", tag=item.name, was=item.was[:9], now=item.now[:9])
        if item.now
        else words.text("watch-vanished", tag=item.name, was=item.was[:9])
        for item in plan.moved
    ]
    return [*due, *silent, *moved]


def silence(item: Silence, words: Words, quoted: Callable[[str], str] = str) -> str:
    """Why nothing is done for a subject; `quoted` puts names into the form of the place they stand in."""
    return words.text(
        item.code,
        profile=quoted(item.subject.profile),
        machine=quoted(item.subject.machine),
        base=quoted(item.base or ""),
        head=quoted(item.head or ""),
        commits=item.commits or 0,
    )
