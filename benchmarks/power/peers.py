"""How peers would call the same measurements: +1 faster, -1 slower, 0 no change, per report and metric.

Each is its tool's own rule with its own defaults, fed with launches in the balanced order, which none of them
asks for: the comparison flatters them. Sources: docs/measuring.md.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit
from scipy.stats import mannwhitneyu  # type: ignore[attr-defined]

from benchmarks.power.machines import HISTORY, REQUESTS, Array, Measured

Calls = NDArray[np.int_]


@dataclass(frozen=True)
class Peer:
    """`launches`: of both builds together, without its history (`history` launches of earlier days)."""

    name: str
    launches: int
    call: Callable[[Measured, int], Calls]
    history: int = 0

    def __call__(self, measured: Measured) -> Calls:
        """(reports, metrics), from the first rounds that its launches allow."""
        return self.call(measured, max(1, self.launches // 2))


def _both(measured: Measured, rounds: int) -> tuple[Array, Array]:
    """(reports, metrics, requests pooled over these rounds): log rates of base and head."""
    return _pooled(measured.base[:, :rounds]), _pooled(measured.head[:, :rounds])


def _pooled(values: Array) -> Array:
    kept = np.moveaxis(values[..., :REQUESTS], 1, 2)
    return kept.reshape(*kept.shape[:2], -1)


def _beyond(ratio: Array, threshold: float | Array) -> Calls:
    return _calls(ratio - 1 > threshold, 1 - ratio > threshold)


def _calls(faster: NDArray[np.bool_], slower: NDArray[np.bool_]) -> Calls:
    return faster.astype(np.int_) - slower.astype(np.int_)


def _ratio_of_means(measured: Measured, rounds: int) -> Array:
    base, head = _both(measured, rounds)
    ratio: Array = np.exp(head).mean(axis=-1) / np.exp(base).mean(axis=-1)
    return ratio


def threshold(share: float) -> Callable[[Measured, int], Calls]:
    """A fixed threshold on the ratio of means; as slower-by-factor where `share` is 1 or more."""

    def call(measured: Measured, rounds: int) -> Calls:
        ratio = _ratio_of_means(measured, rounds)
        return _beyond(ratio, share) if share < 1 else _calls(ratio > np.inf, ratio < 1 / share)

    return call


def benchstat(gate: float = 0.0) -> Callable[[Measured, int], Calls]:
    """Mann-Whitney over all requests at .05, optionally with a gate on the ratio of medians."""

    def call(measured: Measured, rounds: int) -> Calls:
        base, head = _both(measured, rounds)
        p = mannwhitneyu(head, base, axis=-1, method="asymptotic").pvalue
        ratio = np.exp(np.median(head, axis=-1) - np.median(base, axis=-1))
        return np.where(p < 0.05, _beyond(ratio, gate), 0)

    return call


def nanosoldier(measured: Measured, rounds: int) -> Calls:
    """The minimum time, with a tolerance of 5 %."""
    base, head = _both(measured, rounds)
    return _beyond(np.exp(head.max(axis=-1) - base.max(axis=-1)), 0.05)


def criterion(measured: Measured, rounds: int) -> Calls:
    """Significant at .05, and the whole 95 % interval of the mean's change beyond its noise threshold, 1 %.

    Its bootstrap is replaced by what that tends to with 20 and more values a side: Welch's interval.
    """
    base, head = (np.exp(values) for values in _both(measured, rounds))
    count = base.shape[-1]
    mean = base.mean(axis=-1)
    variances = [values.var(axis=-1, ddof=1) / count for values in (base, head)]
    df = sum(variances) ** 2 / sum(item**2 / (count - 1) for item in variances)
    half = stdtrit(df, 0.975) * np.sqrt(sum(variances)) / mean
    change = head.mean(axis=-1) / mean - 1
    return _calls(change - half > 0.01, change + half < -0.01)


def rustc_perf(measured: Measured, rounds: int) -> Calls:
    """One value a commit: significant beyond Q3 + 3 IQR of the sizes of past changes from day to day."""
    past = np.exp(np.median(measured.history[..., :REQUESTS], axis=-1))
    sizes = np.abs(np.diff(past, axis=1) / past[:, :-1])
    q1, q3 = np.percentile(sizes, [25, 75], axis=1)
    head = np.median(measured.head[:, 0, :, :REQUESTS], axis=-1)
    base = np.median(measured.base[:, 0, :, :REQUESTS], axis=-1)
    return _beyond(np.exp(head - base), q3 + 3 * (q3 - q1))


def conbench(measured: Measured, rounds: int) -> Calls:
    """One value a commit, five standard deviations off its history's mean."""
    past = np.exp(measured.history[..., :REQUESTS]).mean(axis=-1)
    now = np.exp(measured.head[:, 0, :, :REQUESTS]).mean(axis=-1)
    z = (now - past.mean(axis=1)) / past.std(axis=1, ddof=1)
    return _calls(z >= 5, z <= -5)


def peers() -> tuple[Peer, ...]:
    """Each at its tool's own number of launches, and where it takes any number also at 8, 16 and 24."""
    single = (
        Peer("llama-bench -r 5, 3 % (compare-llama-bench)", 2, threshold(0.03)),
        Peer("rustc-perf, Q3 + 3 IQR of 31 days", 2, rustc_perf, HISTORY),
        Peer("conbench, z ≥ 5 on 31 days", 1, conbench, HISTORY),
        Peer("github-action-benchmark, 200 %", 16, threshold(2.0)),
    )
    repeated = {
        "github-action-benchmark, set to 3 %": threshold(0.03),
        "benchstat (Mann–Whitney)": benchstat(),
        "benchstat and a gate of 3 %": benchstat(0.03),
        "Nanosoldier (minimum, 5 %)": nanosoldier,
        "criterion": criterion,
    }
    return (*single, *(Peer(name, count, call) for name, call in repeated.items() for count in (8, 16, 24)))
