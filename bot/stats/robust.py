"""Numbers beside the estimate: Hodges-Lehmann, slow launches, and Holm's correction."""

from collections.abc import Sequence
from itertools import combinations_with_replacement
from statistics import median

#: Modified z-score above which a value stands apart (Iglewicz & Hoaglin 1993).
APART = 3.5
#: Median absolute deviation to standard deviation, for normal data.
MAD_TO_SD = 1.4826
#: A launch less than this below its arm is not worth a word (log units; a judgement: 1 %, the
#: difference from which the Hodges-Lehmann estimate is printed as well).
SLOW_FLOOR = 0.01


def hodges_lehmann(ratios: Sequence[float]) -> float:
    """Median of all means of two ratios (each with itself too); 0 where there are none."""
    if not ratios:
        return 0.0
    return median((one + other) / 2 for one, other in combinations_with_replacement(ratios, 2))


def slow_launches(base: Sequence[float], head: Sequence[float]) -> tuple[int, int]:
    """How many launches of each arm are slow (base, head); z with + = better.

    Slow: below the arm's own median by more than 3.5 robust sd, and by more than 1 %. The robust sd is
    1.4826 * MAD over both arms, so that an arm with an intermittent fault does not hide it in its own
    spread. Launches are counted and shown, never deleted: deleting by value doubles false alarms.
    """
    arms = [[z - median(arm) for z in arm] if arm else [] for arm in (base, head)]
    deviations = [abs(deviation) for arm in arms for deviation in arm]
    if not deviations:
        return 0, 0
    limit = max(SLOW_FLOOR, APART * MAD_TO_SD * median(deviations))
    slow_base, slow_head = (sum(deviation < -limit for deviation in arm) for arm in arms)
    return slow_base, slow_head


def holm(p_values: Sequence[float], alpha: float = 0.05) -> tuple[bool, ...]:
    """Which hypotheses Holm's step-down procedure rejects at the familywise level `alpha` (Holm 1979)."""
    rejected = [False] * len(p_values)
    for step, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        if p_values[index] > alpha / (len(p_values) - step):
            break
        rejected[index] = True
    return tuple(rejected)
