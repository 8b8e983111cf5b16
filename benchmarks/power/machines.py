"""Simulated machines: what the launches of one session would have measured, as arrays.

Log rates, + = better. Axes: report, round, metric, request; one array for base, one for head.
"""

from dataclasses import dataclass, replace
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from bot.records import MetricKind
from bot.stats.decide import LOOKS
from bot.stats.metrics import Metric
from bot.stats.order import orders

Array = NDArray[np.float64]

REQUESTS, MOST_REQUESTS = 5, 12
ROUNDS = LOOKS[-1]
LAUNCHES = 2 * ROUNDS
#: Launches of the base on earlier days, one a day: what the rules with a history look back on.
HISTORY = 31
KINDS: tuple[MetricKind, ...] = ("ttft", "prefill", "decode")
SCENARIOS = ("chat", "document", "coding")
METRICS = tuple(Metric(kind, scenario) for scenario in SCENARIOS for kind in KINDS)
#: The metric in which a change is planted.
JUDGED = Metric("decode", "coding")
#: Requests of a short chat are the noisiest: a fixed cost is a larger part of them.
REQUEST_NOISE = {"chat": 2.0, "document": 1.0, "coding": 1.0}


@dataclass(frozen=True)
class Machine:
    """Noise of a simulated machine; all sizes are fractions of the rate, shares are of launches.

    A launch's own offset, its clock mode, a contamination and a fault of the head are shared by all its
    metrics; requests of each metric vary on their own. `drift` is reached linearly over 24 launches,
    `heat` is lost over the first few, after the discarded warm-up pair. `burst` (low, high): what a
    contaminated launch loses.
    """

    name: str
    request_sd: float = 0.01
    launch_sd: float = 0.005
    head_launch_sd: float | None = None
    outliers: float = 0.03
    drift: float = -0.01
    heat: float = 0.0
    walk: float = 0.0005
    mode_share: float = 0.0
    contaminated: float = 0.0
    burst: tuple[float, float] = (0.05, 0.15)
    head_faults: float = 0.0


QUIET = Machine("quiet", 0.003, 0.002, outliers=0.01, drift=0.0, walk=0.0)
TYPICAL = Machine("typical")
NOISY = Machine("noisy", 0.02, outliers=0.05, drift=-0.02, heat=0.015, walk=0.001, contaminated=0.02)
BIMODAL = replace(TYPICAL, name="bimodal clocks", mode_share=0.2)
DRIFTING = replace(TYPICAL, name="drift", drift=-0.03, heat=0.03, walk=0.001)
#: 8 % of launches disturbed, of which the guards catch and repeat 70 %.
CONTAMINATED = replace(TYPICAL, name="contaminated", contaminated=0.08 * 0.3)
UNEVEN = replace(TYPICAL, name="uneven arms", head_launch_sd=0.02)
#: The head loses 12 % in a quarter of its launches: a call is right here, "within" is wrong.
FAULTY = replace(TYPICAL, name="faulty head", head_faults=0.25)
#: Two shared cores of which others take most, in bursts that outlast a launch.
BUSY = Machine("busy", 0.06, 0.04, outliers=0.15, walk=0.02, contaminated=0.30, burst=(0.10, 0.45))


@dataclass(frozen=True)
class Measured:
    """`base` and `head`: (reports, rounds, metrics, 12 requests), of which a rule takes the first K.

    `swapped` (reports, rounds): the head was launched first. `history`: (reports, 31, metrics, requests).
    """

    base: Array
    head: Array
    swapped: NDArray[np.bool_]
    history: Array


def simulate(machine: Machine, change: float, reports: int, seed: int) -> Measured:
    """That many sessions with `change` (-0.05 = 5 % slower) planted in coding's decode."""
    draw = np.random.default_rng((seed, crc32(machine.name.encode()), round(1000 * (1 + change))))
    swapped = np.array(
        [[order == "BA" for order in orders(int(draw.integers(2**32)), ROUNDS)] for _ in range(reports)]
    )
    offsets = _offsets(machine, _is_head(swapped), draw)
    size = (reports, ROUNDS)
    arms = np.where(swapped[..., None], offsets[..., ::-1], offsets)
    base, head = (arms[..., side, None, None] + _requests(machine, size, draw) for side in (0, 1))
    head[:, :, METRICS.index(JUDGED)] += np.log1p(change)
    past = _launch_effects(machine, np.zeros((reports, HISTORY), dtype=bool), draw)
    history = past[..., None, None] + _requests(machine, (reports, HISTORY), draw)
    return Measured(base, head, swapped, history)


def _is_head(swapped: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(reports, launches in the order run): which of them are the head's."""
    return np.stack([swapped, ~swapped], axis=-1).reshape(len(swapped), LAUNCHES)


def _offsets(machine: Machine, is_head: NDArray[np.bool_], draw: np.random.Generator) -> Array:
    """(reports, rounds, 2): what each launch shares among its metrics, first launch of the round first."""
    slot = np.arange(LAUNCHES)
    walked = draw.normal(0, machine.walk, is_head.shape).cumsum(axis=1)
    smooth = machine.drift * slot / LAUNCHES + machine.heat * np.exp(-(slot + 2) / 2)
    every: Array = smooth + walked + _launch_effects(machine, is_head, draw)
    return every.reshape(len(is_head), ROUNDS, 2)


def _launch_effects(machine: Machine, is_head: NDArray[np.bool_], draw: np.random.Generator) -> Array:
    head_sd = machine.head_launch_sd or machine.launch_sd
    found = draw.normal(0, np.where(is_head, head_sd, machine.launch_sd))
    found -= 0.03 * _chance(machine.mode_share, is_head.shape, draw)
    found -= draw.uniform(*machine.burst, is_head.shape) * _chance(machine.contaminated, is_head.shape, draw)
    return found - 0.12 * is_head * _chance(machine.head_faults, is_head.shape, draw)


def _requests(machine: Machine, shape: tuple[int, int], draw: np.random.Generator) -> Array:
    size = (*shape, len(METRICS), MOST_REQUESTS)
    spread = np.array([machine.request_sd * REQUEST_NOISE[metric.scenario] for metric in METRICS])
    slow = draw.uniform(0.05, 0.20, size) * _chance(machine.outliers, size, draw)
    return draw.normal(0, spread[:, None], size) - slow


def _chance(share: float, shape: tuple[int, ...], draw: np.random.Generator) -> NDArray[np.bool_]:
    return draw.random(shape) < share
