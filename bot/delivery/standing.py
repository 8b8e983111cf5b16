"""Which posted reports are looked over once more: those that say upgrade, or would but for doubts."""

from collections.abc import Callable, Sequence
from itertools import groupby

from bot.delivery.handover import Request
from bot.delivery.remembering import Result
from bot.report.verdict import is_upgrade_at_heart
from bot.watch.state import Posted


def standing(
    results: Sequence[Result],
    targets: Sequence[str],
    request: Request | None,
    page: Callable[[Sequence[Result]], str | None],
    now: float,
) -> tuple[Posted, ...]:
    """One entry for each post that was made; `page` is the address of its files.

    Nothing that upstream learns turns the others into an upgrade, or away from one.
    """
    posted = sorted((item for item in results if item.posts), key=lambda item: item.posts)
    groups = [list(group) for _, group in groupby(posted, key=lambda item: item.posts)]
    return tuple(
        Posted(
            key=group[0].job.id,
            at=now,
            targets=tuple(targets),
            records=tuple(item.folder for item in group),
            base_sha=group[0].job.base_sha,
            head=group[0].job.head,
            head_sha=group[0].job.head_sha,
            comment=str(request.place.comment_id) if request else None,
            login=request.login if request else None,
            node=request.place.comment_node if request and request.place.kind == "discussion" else None,
            files=page(group),
        )
        for group in groups
        if any(item.run.verdict and is_upgrade_at_heart(item.run.verdict) for item in group)
    )
