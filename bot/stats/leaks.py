"""Whether memory that grows with every request is head's doing."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from bot.records import Measure
from bot.stats.slopes import Slope, growth

#: Where memory is read: resident in the host, and on the GPU.
PLACES = ("rss", "vram")

Judged = Literal["same", "better", "worse"]
#: MiB after each request, by place.
Held = Mapping[str, Sequence[float]]

#: So many standard errors are beyond noise: 3 and not 2, because memory's residuals are no white noise.
_SURE = 3.0
#: Slower growth (MiB per 100 requests) is the allocator's (a judgement: 10,000 requests cost 100 MiB).
FLOOR_MIB = 1.0


def judged(base: Slope, head: Slope) -> Judged:
    """`worse`: head grows, and faster than base, both by more than noise; `better`: the other way round.

    Where both grow alike it is `same`: nothing that the upgrade brings.
    """
    if _grows(head) and _exceeds(head, base):
        return "worse"
    return "better" if _grows(base) and _exceeds(base, head) else "same"


def _grows(slope: Slope) -> bool:
    return slope.value > max(FLOOR_MIB, _SURE * slope.error)


def _exceeds(one: Slope, other: Slope) -> bool:
    return one.value - other.value > max(FLOOR_MIB, _SURE * math.hypot(one.error, other.error))


def grown(base: Held, head: Held) -> tuple[Measure, ...]:
    """Growth of both sides in MiB per 100 requests, judged, for each place of memory that both were read in.

    Sides are compared over as many requests as both answered; with too few there is no measure.
    """
    return tuple(_measures(base, head))


def _measures(base: Held, head: Held) -> Iterator[Measure]:
    for place in PLACES:
        if place not in base or place not in head:
            continue
        count = min(len(base[place]), len(head[place]))
        slopes = [growth(range(count), side[place][:count]) for side in (base, head)]
        if slopes[0] and slopes[1]:
            yield Measure(
                name=f"{place}_growth",
                unit="mib",
                base=slopes[0].value,
                head=slopes[1].value,
                base_error=slopes[0].error,
                head_error=slopes[1].error,
                outcome=judged(slopes[0], slopes[1]),
            )


def confirmed(rounds: Sequence[Sequence[Measure]]) -> tuple[Measure, ...]:
    """The last round's measures; a difference counts where every one of two rounds or more saw it.

    Seen once and not looked for again (the budget was spent), it is unjudged.
    """
    last = tuple(rounds[-1]) if rounds else ()
    return tuple(item.model_copy(update={"outcome": _confirmed(item, rounds)}) for item in last)


def _confirmed(last: Measure, rounds: Sequence[Sequence[Measure]]) -> Judged | Literal["unjudged"]:
    seen = [item.outcome for measures in rounds for item in measures if item.name == last.name]
    if set(seen) in ({"worse"}, {"better"}):
        return last.outcome if len(seen) > 1 else "unjudged"
    return "same"
