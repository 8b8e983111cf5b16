"""Upstream's open issues as a report may know them, and what was reverted since."""

from typing import Any

from bot.records import Credit, Recheck, Trouble, Undone, UpstreamTrouble

LOOKED_UP_AT = "2026-06-02T07:17:00+00:00"
WEB = "https://github.com/ggml-org/llama.cpp"
#: A title as people write them, with what must do nothing in a report.
TITLE = "Eval bug: @everyone `--fit off` crashes | #1 <b>since</b> b9602"


def trouble(number: int = 27001, **changes: Any) -> Trouble:
    """An issue about CUDA that names the head."""
    values: dict[str, Any] = {
        "number": number,
        "title": TITLE,
        "url": f"{WEB}/issues/{number}",
        "why": "head",
        "names": "b9602",
        "created": "2026-06-01T20:11:00Z",
        "labels": ("bug-unconfirmed",),
        "backends": ("CUDA",),
    }
    return Trouble.model_validate(values | changes)


def newer(number: int = 27010, **changes: Any) -> Trouble:
    """One that names a newer tag."""
    return trouble(
        number,
        **{"title": "Misc. bug: slots stall", "why": "newer", "names": "b9611", "backends": (), **changes},
    )


def change(number: int = 27020, pull: int = 24411, **changes: Any) -> Trouble:
    """One that names a pull request."""
    return trouble(
        number,
        **{
            "title": "Regression after the slot fix",
            "why": "pr",
            "names": str(pull),
            "backends": (),
            **changes,
        },
    )


def looked_up(*items: Trouble, **changes: Any) -> UpstreamTrouble:
    """A look that found these."""
    return UpstreamTrouble(looked_up_at=LOOKED_UP_AT, items=items, **changes)


def undone(sha: str = "2" * 40, pull: int = 24411) -> Undone:
    """A fix that was told here, and taken back a week later."""
    credit = Credit(
        sha=sha,
        pr=pull,
        tag="b9602",
        role="highlight",
        area="server",
        text="fix crash when a slot is reused",
        texts={"zh-Hans": "修复重复使用 slot 时的崩溃"},
    )
    return Undone(credit=credit, tag="b9688", by_sha="3" * 40, by_pr=24715)


def recheck(*found: Undone) -> Recheck:
    """A look a week later."""
    return Recheck(at="2026-06-09T07:17:00+00:00", newest="b9688", undone=found)
