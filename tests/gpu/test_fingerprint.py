"""What is noted of a machine, through the real pynvml."""

import pytest

from bot.gpu import host, nvml
from bot.gpu.fingerprint import machine_facts
from tests.gpu.conftest import Machines
from tests.support.nvml_stub import uuid


def test_the_gpus_settings_are_noted(gpus: Machines) -> None:
    gpus(limit_mw=280000, ecc=1, persistence=0, display=1, clock2=9501, nvml="13.610")
    found = machine_facts(nvml.find("auto"))
    wanted = {
        "gpu.driver": "550.54.14",
        "gpu.nvml": "13.610",
        "gpu.cuda": "12.4",
        "gpu.name": "NVIDIA GeForce RTX 3090",
        "gpu.vbios": "94.02.42.00.A9",
        "gpu.power_limit": "280 W",
        "gpu.default_limit": "350 W",
        "gpu.persistence": "off",
        "gpu.ecc": "on",
        "gpu.display": "on",
        "gpu.memory": "24576 MiB, 300 reserved",
        "gpu.sm_clock": "-/2100 MHz",
        "gpu.memory_clock": "-/9751 MHz",
        "gpu.pcie_width": "16",
    }
    assert {name: found.get(name) for name in wanted} == wanted
    assert "gpu.mig" not in found
    assert not any(uuid() in value for value in found.values())


def test_each_of_several_gpus_has_its_own_facts(gpus: Machines) -> None:
    gpus(**{"count": 2, "1.limit_mw": 200000})
    found = machine_facts(nvml.find(f"{uuid(0)},{uuid(1)}"))
    assert (found["gpu.power_limit"], found["gpu2.power_limit"]) == ("350 W", "200 W")


def test_shared_memory_and_silence_are_noted_too(gpus: Machines) -> None:
    gpus(**{"rc.nvmlDeviceGetMemoryInfo": 3, "rc.nvmlDeviceGetVbiosVersion": 3})
    found = machine_facts(nvml.find("auto"))
    assert found["gpu.memory"] == "unified"
    assert "gpu.vbios" not in found


def test_a_driver_that_is_lost_leaves_the_host(gpus: Machines) -> None:
    machine = gpus()
    device = nvml.find("auto")
    machine.set({"lost": 999})
    found = machine_facts(device)
    assert "host.kernel" in found
    assert "gpu.vbios" not in found


def test_without_a_gpu_it_is_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "governors", lambda: "powersave")
    found = machine_facts(None)
    assert {name.partition(".")[0] for name in found} == {"host"}
    assert found["host.governor"] == "powersave"
    assert float(found["host.ram_gib"]) > 0
