"""What makes a launch invalid, and what is only said: by evidence, never by speed."""

from typing import Any

import pytest

from bot.bench.guards import Expected, cool_to, judged
from bot.records import GpuTrace, HostTrace, Launch, ServerFacts, Side, Spread
from tests.support.facts import launch

CUDA = Expected("cuda", (("NVIDIA GeForce RTX 3090", "8.6"),))
CPU = Expected("cpu")


def spread(value: float) -> Spread:
    return Spread(low=value, median=value, high=value)


def gpu(**changes: Any) -> GpuTrace:
    """A GPU that behaves."""
    values: dict[str, Any] = {
        "id": "GPU-1",
        "total_mib": 24576.0,
        "baseline_mib": 500.0,
        "peak_mib": 9000.0,
        "after_mib": 505.0,
        "idle_use": 0.0,
        "busy": 100,
        "sm_mhz": spread(1900),
        "memory_mhz": spread(9501),
        "pstates": {"P2": 1.0},
        "start_c": 55.0,
        "limit_w": 350.0,
        "pcie_width": 16,
        "foreign_before": 0,
        "foreign_after": 0,
    }
    return GpuTrace.model_validate(values | changes)


def host(**changes: Any) -> HostTrace:
    values: dict[str, Any] = {
        "seconds": 30.0,
        "cores": 16,
        "others": 0.02,
        "steal": 0.0,
        "swapped_in_mib": 0.0,
    }
    return HostTrace.model_validate(values | changes)


def one(side: Side = "base", slot: int = 0, *, on: GpuTrace | None = None, **changes: Any) -> Launch:
    return launch(side, slot, gpus=(on or gpu(),), **changes)


EARLIER = [one("base", -2), one("head", -1), one("base", 0), one("head", 1)]


def codes(
    item: Launch, earlier: list[Launch] = EARLIER, expected: Expected = CUDA
) -> tuple[str | None, list[str]]:
    done = judged(item, earlier, expected)
    return done.invalid, [guard.code for guard in done.guards]


def test_a_calm_launch_has_no_guard() -> None:
    assert codes(one(host=host())) == (None, [])
    assert codes(one(host=host()), earlier=[]) == (None, [])


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"foreign_before": 1}, "foreign_process"),
        ({"foreign_after": 2}, "foreign_process"),
        ({"idle_use": 40.0}, "gpu_busy"),
        ({"baseline_mib": 700.0, "after_mib": 700.0}, "memory_taken"),
        ({"after_mib": 700.0}, "memory_not_back"),
        ({"after_mib": 300.0}, "memory_not_back"),
        ({"slowdown_run": 2, "reasons": {"hw_slowdown": 0.02}}, "hw_slowdown"),
        ({"hardware": 0.01}, "hw_slowdown"),
        ({"reasons": {"sw_thermal": 0.3}}, "sw_thermal"),
        ({"start_c": 63.0}, "hot_start"),
        ({"memory_mhz": spread(5001)}, "memory_clock"),
        ({"pstates": {"P2": 0.9, "P5": 0.1}}, "pstate"),
        ({"limit_w": 280.0}, "power_limit"),
        ({"pcie_width": 8}, "pcie_width"),
    ],
)
def test_a_disturbed_gpu_makes_the_launch_invalid(changes: dict[str, Any], code: str) -> None:
    assert codes(one(on=gpu(**changes))) == (code, [code])


@pytest.mark.parametrize(
    "changes",
    [
        {"reasons": {"sw_power_cap": 1.0}},
        {"slowdown_run": 1, "reasons": {"hw_slowdown": 0.01}, "hardware": 0.004},
        {"idle_use": 4.0},
        {"baseline_mib": 560.0, "after_mib": 540.0},
        {"reasons": {"bit-9": 1.0, "sync_boost": 1.0}},
        {"pcie_generation": 1},
        {"foreign_before": None, "foreign_after": None, "idle_use": None, "memory_mhz": None, "pstates": {}},
    ],
)
def test_what_a_healthy_gpu_does_too_is_no_guard(changes: dict[str, Any]) -> None:
    """The power cap above all: decoding runs into it, and a clock under it is an outcome of the build."""
    assert codes(one(on=gpu(**changes))) == (None, [])


def test_a_clock_off_its_own_sides_is_said_and_counts() -> None:
    done = judged(one(on=gpu(sm_mhz=spread(1750))), EARLIER, CUDA)
    assert done.is_valid
    assert [(item.code, item.args) for item in done.guards] == [("sm_clock", {"mhz": 1750, "usual": 1900})]
    others = [
        one("head", 0),
        one("head", 1),
        *(one("base", slot, on=gpu(sm_mhz=spread(1750))) for slot in (2, 3)),
    ]
    assert codes(one("base", 4, on=gpu(sm_mhz=spread(1750))), others) == (None, [])


def test_a_machine_that_is_always_at_its_thermal_limit_is_noisy_not_invalid() -> None:
    hot = [one(on=gpu(reasons={"sw_thermal": 0.5})) for _ in range(4)]
    done = judged(one(on=gpu(reasons={"sw_thermal": 0.52})), hot, CUDA)
    assert (done.invalid, [item.code for item in done.guards]) == (None, ["sw_thermal"])
    assert codes(one(on=gpu(reasons={"sw_thermal": 0.7})), hot)[0] == "sw_thermal"


def test_a_desktop_that_is_never_quite_idle_is_its_own_usual() -> None:
    desktop = [one(on=gpu(idle_use=12.0)) for _ in range(3)]
    assert codes(one(on=gpu(idle_use=15.0)), desktop) == (None, [])
    assert codes(one(on=gpu(idle_use=18.0)), desktop)[0] == "gpu_busy"


def test_memory_that_the_host_shares_moves_with_its_page_cache() -> None:
    shared = gpu(unified=True, baseline_mib=9000.0, after_mib=12000.0)
    assert codes(one(on=shared)) == (None, [])


def test_each_gpu_is_held_against_itself() -> None:
    both = [launch("base", slot, gpus=(gpu(), gpu(id="GPU-2", pcie_width=4))) for slot in range(3)]
    calm = launch("base", 3, gpus=(gpu(), gpu(id="GPU-2", pcie_width=4)))
    assert codes(calm, both) == (None, [])
    assert (
        codes(launch("base", 3, gpus=(gpu(pcie_width=4), gpu(id="GPU-2", pcie_width=4))), both)[0]
        == "pcie_width"
    )


def test_a_stranger_excuses_a_crash_and_its_leftovers_do_not() -> None:
    """A server that died for want of memory that somebody else took says nothing of the build."""
    crash = one(status="out_of_memory", on=gpu(foreign_before=1))
    assert codes(crash)[0] == "foreign_process"
    assert codes(one(status="crashed_serving", on=gpu(after_mib=9000.0))) == (None, [])


def test_the_server_must_run_where_it_should() -> None:
    right = ServerFacts(devices=("NVIDIA GeForce RTX 3090 (cc 8.6)",), offloaded=(49, 49))
    wrong = ServerFacts(devices=("NVIDIA GeForce GT 1030 (cc 6.1)",))
    assert codes(one(facts=right)) == (None, [])
    assert codes(one(facts=wrong))[0] == "wrong_device"
    fewer = right.model_copy(update={"offloaded": (40, 49)})
    assert codes(one(facts=fewer), [one(facts=right)])[0] == "offload_changed"
    assert codes(one("head", facts=fewer), [one("base", facts=right)]) == (None, [])


def test_the_first_reason_stands_and_all_are_kept() -> None:
    found = one(invalid="cached", on=gpu(foreign_before=1, limit_w=100.0))
    assert codes(found) == ("cached", ["foreign_process", "power_limit"])


def test_a_gpu_may_cool_down_to_the_sessions_usual_start() -> None:
    """The very first launch began cold and does not count."""
    starts = [one(on=gpu(start_c=degrees)) for degrees in (31.0, 54.0, 55.0, 56.0)]
    assert cool_to(starts) == 60.0
    assert cool_to(starts[:2]) is None


HOST = [
    ({"others": 0.3}, "host_load"),
    ({"steal": 0.05}, "steal"),
    ({"swapped_in_mib": 40.0}, "swapping"),
    ({"pressure": 12.0}, "memory_pressure"),
    ({"battery": True}, "battery"),
]


@pytest.mark.parametrize(("changes", "code"), HOST)
def test_a_disturbed_host_makes_the_launch_invalid(changes: dict[str, Any], code: str) -> None:
    assert codes(one(host=host(**changes))) == (code, [code])


@pytest.mark.parametrize(
    "changes",
    [
        {"others": 0.14, "steal": 0.009, "swapped_in_mib": 0.5, "pressure": 4.0, "battery": False},
        {"others": 0.9, "seconds": 1.0},
    ],
)
def test_less_is_noise_and_a_moment_tells_nothing(changes: dict[str, Any]) -> None:
    assert codes(one(host=host(**changes))) == (None, [])


@pytest.mark.parametrize(("changes", "code"), HOST)
def test_on_a_shared_machine_without_a_gpu_two_reruns_are_the_price(
    changes: dict[str, Any], code: str
) -> None:
    """A demo on two rented cores must come to an end: what is always there is that machine."""
    done: list[Launch] = [launch("base", 0, host=host())]
    for slot in range(1, 6):
        done.append(judged(launch("base", slot, host=host(**changes)), done, CPU))
    assert [item.invalid for item in done] == [None, code, code, None, None, None]
    assert all(guard.code == code for item in done[1:] for guard in item.guards)
    with_gpu = [judged(item, done, CUDA) for item in done[3:4]]
    assert with_gpu[0].invalid == code


def test_a_governor_that_saves_power_is_said() -> None:
    done = judged(one(host=host(governors="powersave")), EARLIER, CUDA)
    assert (done.invalid, done.guards[0].args) == (None, {"governor": "powersave"})
    assert codes(one(host=host(governors="performance"))) == (None, [])
