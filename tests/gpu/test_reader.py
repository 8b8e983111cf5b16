"""Single numbers of one GPU, through the real pynvml."""

import pynvml
import pytest

from bot.bench import evidence
from bot.gpu import reader
from bot.gpu.reader import REASONS, GpuReader, open_all
from tests.gpu.conftest import Machines
from tests.support.nvml_stub import uuid


def the_gpu(name: str = "") -> GpuReader:
    return open_all([name or uuid()])[0]


def test_a_row_holds_what_changes_while_it_works(gpus: Machines) -> None:
    gpus(clock1=1905, clock2=9501, reasons=0x24, pstate=2, temperature0=67, power_mw=341500, use=98)
    assert the_gpu().row() == [1905, 9501, 0x24, 2, 67, 341.5, 98.0]


def test_used_is_v1_and_reserved_v2(gpus: Machines) -> None:
    gpus(total=16303, used=2000, reserved=345)
    gpu = the_gpu()
    assert (gpu.used_free(), gpu.total, gpu.reserved) == ((2000.0, 14303.0), 16303.0, 345.0)


def test_a_state_counts_in_seconds_and_joules(gpus: Machines) -> None:
    gpus(
        energy_mj=5500,
        limit_mw=320000,
        violation1_ns=2_500_000_000,
        field270=1_000_000_000,
        field271=500_000_000,
        compute="77:1500 78:-1 79:10",
        graphics="79:10 80:30",
    )
    state = the_gpu().state()
    assert (state["energy_j"], state["limit_w"], state["thermal_s"], state["hardware_s"]) == (
        5.5,
        320,
        2.5,
        1.5,
    )
    assert state["power_s"] is None
    assert (state["pcie_width"], state["pcie_generation"]) == (16, 4)
    assert state["processes"] == [(77, 1500.0), (78, None)]


def test_an_older_driver_is_asked_by_its_older_names(gpus: Machines) -> None:
    gpus("old", reasons=0x8, compute="77:1500")
    gpu = the_gpu()
    assert gpu.row()[2] == 0x8
    assert gpu.state()["processes"] == [(77, 1500.0)]
    assert (gpu.reserved, gpu.state()["hardware_s"]) == (None, None)


def test_what_a_driver_does_not_tell_is_none_and_no_error(gpus: Machines) -> None:
    names = ("ClockInfo", "PerformanceState", "Temperature", "PowerUsage", "UtilizationRates")
    silent = {f"rc.nvmlDeviceGet{name}": 3 for name in (*names, "ComputeRunningProcesses_v3")}
    silent |= {
        "rc.nvmlDeviceGetCurrentClocksEventReasons": 4,
        "rc.nvmlDeviceGetCurrentClocksThrottleReasons": 4,
    }
    gpus(**silent, **{"rc.nvmlDeviceGetComputeRunningProcesses_v2": 3})
    assert the_gpu().row() == [None] * 7
    assert the_gpu().state()["processes"] is None


def test_swapped_columns_of_r535_make_no_process(gpus: Machines) -> None:
    """pynvml#50: the memory stood where the pid belongs."""
    gpus(compute="1572864000:1")
    assert the_gpu().state()["processes"] is None


def test_an_instance_is_watched_by_its_own_memory_and_its_gpus_clocks(gpus: Machines) -> None:
    gpus(**{"mig": 1, "total": 40000, "used": 20000, "0.0.total": 9856, "0.0.used": 12, "clock1": 1410})
    gpu = the_gpu(uuid(0, 0))
    assert gpu.used_free() == (12.0, 9844.0)
    assert gpu.row()[0] == 1410


def test_shared_memory_is_left_to_the_host(gpus: Machines) -> None:
    gpus(**{"rc.nvmlDeviceGetMemoryInfo": 3})
    gpu = the_gpu()
    assert (gpu.unified, gpu.total, gpu.used_free(), gpu.reserved) == (True, None, None, None)


def test_a_gpu_that_is_lost_is_an_error_not_a_silence(gpus: Machines) -> None:
    machine = gpus()
    gpu = the_gpu()
    machine.set({"lost": 15})
    with pytest.raises(pynvml.NVMLError, match="GPU is lost"):
        gpu.row()
    machine.set({"lost": 0, "rc.nvmlDeviceGetMemoryInfo": 3})
    with pytest.raises(LookupError):
        gpu.used_free()


def test_a_uuid_that_is_not_there_is_an_error(gpus: Machines) -> None:
    gpus()
    with pytest.raises(pynvml.NVMLError):
        the_gpu("GPU-12345678-0000")


def test_the_launch_names_the_reasons_as_the_reader_does() -> None:
    """The launch cannot import the reader: that would import pynvml."""
    assert {name: bit for bit, name in evidence._NAMES.items()} == REASONS
    assert reader.REASONS["hw_slowdown"] | REASONS["hw_thermal"] | REASONS["power_brake"] == evidence.HARDWARE
