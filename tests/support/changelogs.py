"""What changed between the two tags of the example, as the changelog room tells it."""

from typing import Any

from bot.records import AreaChange, Changes, Commit, Highlight, Highlights, Reason, Suspect


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
