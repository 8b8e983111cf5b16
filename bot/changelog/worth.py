"""What of a range acts on the profile, as codes with counts: the changelog's part of the conclusion."""

from collections import Counter
from collections.abc import Sequence

from bot.changelog.rank import Scored
from bot.records import Reason

_ORDER = ("security", "bugfix", "perf", "feature", "model", "breaking", "revert")


def worth(eligible: Sequence[Scored]) -> tuple[Reason, ...]:
    """`worth-<type>` with the number of commits that apply, most telling first; `worth-severe` (crash and
    corruption fixes among them); `worth-other`; `worth-unknown` for those that may; else `worth-nothing`.

    What does not apply is never counted.
    """
    sure = [item for item in eligible if item.answer == "yes"]
    kinds = Counter(item.reading.type for item in sure)
    severe = sum(item.reading.severity in {"crash", "corruption"} for item in sure)
    counts = {
        "flags": sum(bool(item.touches) for item in sure),
        **{kind: kinds[kind] for kind in _ORDER},
        "severe": severe,
        "other": sum(count for kind, count in kinds.items() if kind not in _ORDER),
        "unknown": len(eligible) - len(sure),
    }
    told = tuple(Reason(code=f"worth-{key}", args={"count": count}) for key, count in counts.items() if count)
    return told or (Reason(code="worth-nothing"),)
