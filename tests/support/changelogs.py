"""What changed between the two tags of the example, as the changelog room tells it."""

from typing import Any

from bot.records import (
    AreaChange,
    Changes,
    Commit,
    Credit,
    Highlight,
    Highlights,
    Reason,
    RevertLink,
    Suspect,
    Theme,
    Undone,
)


def commits() -> Changes:
    """Four commits of the example's range."""
    return Changes(
        source="commits",
        commits=(
            Commit(sha="1" * 40, subject="CUDA: Fix ssm_scan_f32 data-races (#24360)", pr=24360),
            Commit(sha="2" * 40, subject="server : skip checkpoints beyond `pos_next` (#24411)", pr=24411),
            Commit(
                sha="3" * 40, subject="cuda: reset cuda context after reading memory size (#23935)", pr=23935
            ),
            Commit(sha="4" * 40, subject="ci : bump ubuntu | fix @ggerganov's runner"),
        ),
    )


def highlights(**changes: Any) -> Highlights:
    """What the changelog makes of `commits`."""
    values: dict[str, Any] = {
        "items": (
            Highlight(
                sha="2" * 40,
                pr=24411,
                area="server",
                type="bugfix",
                applies="yes",
                text="skip checkpoints beyond `pos_next`",
                score=7.0,
            ),
            Highlight(
                sha="3" * 40,
                pr=23935,
                area="cuda",
                type="bugfix",
                applies="unknown",
                text="reset cuda context after reading memory size",
                score=6.8,
            ),
            Highlight(
                sha="1" * 40,
                pr=24360,
                area="cuda",
                type="bugfix",
                applies="no",
                text="Fix ssm_scan_f32 data-races",
                score=7.0,
                why=(Reason(code="need-model", args={"value": "mamba"}),),
            ),
        ),
        "accounted": {"ci": 1, "not-applicable": 1, "shown": 2},
        "reasons": {"1" * 40: "not-applicable", "2" * 40: "shown", "3" * 40: "shown", "4" * 40: "ci"},
        "suspects": {
            "vram": (
                Suspect(
                    sha="3" * 40,
                    pr=23935,
                    area="cuda",
                    reasons=("area-cuda", "suspect-context"),
                    text="reset cuda context after reading memory size",
                    score=5.0,
                ),
            ),
        },
    }
    return Highlights.model_validate(values | changes)


def busy_commits() -> Changes:
    """A range in which one commit was taken back, and an older one was undone."""
    subjects = (
        ("tensor-split meta backend fixes (#26502)", 26502),
        ('Revert "tensor-split meta backend fixes (#26502)" (#27433)', 27433),
        ('Revert "cuda: reset cuda context after reading memory size (#23935)" (#24715)', 24715),
        ("server : keep the slot when a client goes away (#27440)", 27440),
        ("server : follow-up of #27440 (#27441)", 27441),
        ("CUDA: faster MMQ for q4_K (#27450)", 27450),
        ("CUDA: faster FlashAttention at depth (#27451)", 27451),
        ("ui: fix a button", None),
    )
    return Changes(
        source="commits",
        commits=tuple(
            Commit(sha=f"{number}" * 40, subject=subject, pr=pr)
            for number, (subject, pr) in enumerate(subjects, 1)
        ),
    )


def busy_highlights() -> Highlights:
    """What the changelog makes of `busy_commits`: a revert, a line with a follow-up and a text, a theme."""
    mmq = Highlight(
        sha="6" * 40,
        pr=27450,
        area="cuda",
        type="perf",
        applies="yes",
        text="faster MMQ for q4_K",
        score=5.0,
    )
    shown = (
        Highlight(
            sha="3" * 40,
            pr=24715,
            area="cuda",
            type="revert",
            applies="yes",
            text="cuda: reset cuda context after reading memory size",
            score=8.0,
        ),
        Highlight(
            sha="4" * 40,
            pr=27440,
            area="server",
            type="bugfix",
            applies="yes",
            text="keep the slot when a client goes away",
            texts={"zh-Hans": "客户端断开时保留 slot"},
            score=7.0,
            followups=("5" * 40,),
        ),
    )
    reasons = ("reverted", "reverted", "shown", "shown", "follow-up", "more", "more", "ui")
    return Highlights(
        items=shown,
        accounted={name: reasons.count(name) for name in sorted(set(reasons))},
        reasons={f"{number}" * 40: reason for number, reason in enumerate(reasons, 1)},
        reverts=(
            RevertLink(sha="2" * 40, target_sha="1" * 40, target_pr=26502, in_range=True),
            RevertLink(sha="3" * 40, target_pr=23935, in_range=False),
        ),
        themes=(Theme(area="cuda", type="perf", count=2, exemplars=(mmq,), shas=("6" * 40, "7" * 40)),),
        undone=(
            Undone(
                credit=Credit(
                    sha="9" * 40,
                    pr=23935,
                    tag="b9556",
                    role="suspect",
                    metric="vram",
                    area="cuda",
                    text="reset cuda context after reading memory size",
                ),
                tag="b9602",
                by_sha="3" * 40,
                by_pr=24715,
            ),
        ),
    )


def trees() -> Changes:
    """Two trees without history between them."""
    sizes = {
        "server": (12, 940, 310),
        "cuda": (9, 410, 155),
        "mm": (6, 520, 48),
        "model": (5, 209, 31),
        "common": (4, 88, 20),
        "kv": (3, 61, 44),
        "docs": (7, 90, 12),
        "ci": (2, 9, 9),
    }
    return Changes(
        source="trees",
        areas=tuple(
            AreaChange(area=area, files=files, added=added, deleted=deleted)
            for area, (files, added, deleted) in sizes.items()
        ),
    )
