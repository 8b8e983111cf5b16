"""Which GPUs there are, through the real pynvml."""

import pytest

from bot.errors import BotError, Exit
from bot.gpu import nvml
from bot.gpu.nvml import MIB
from tests.gpu.conftest import Machines
from tests.support.nvml_stub import uuid

BOTH = {"count": 2, "0.name": "NVIDIA GeForce RTX 3090", "1.name": "NVIDIA GeForce RTX 5080", "1.cc": "12.0"}


def refused(wanted: str = "auto") -> BotError:
    with pytest.raises(BotError) as caught:
        nvml.find(wanted)
    assert caught.value.exit_code == Exit.ENVIRONMENT
    return caught.value


def test_the_only_gpu_is_found_with_its_memory_by_v1(gpus: Machines) -> None:
    gpus(used=900, reserved=400)
    found = nvml.find("auto")
    assert (found.uuid, found.name, found.driver) == (uuid(), "NVIDIA GeForce RTX 3090", "550.54.14")
    assert (found.total_mib, found.used_mib) == (24576.0, 900.0)
    assert (found.compute_capability, found.cuda_arch) == ("8.6", "86")
    assert MIB == 2**20


def test_of_two_gpus_one_must_be_named_by_its_uuid(gpus: Machines) -> None:
    gpus(**BOTH)
    error = refused()
    assert error.code == "several-gpus"
    assert f"{uuid(1)} (NVIDIA GeForce RTX 5080)" in str(error.values["uuids"])
    assert (nvml.find(uuid(1)).name, nvml.find(uuid(1)).cuda_arch) == ("NVIDIA GeForce RTX 5080", "120a")
    assert refused("GPU-99999999-0000").values["uuids"] == f"{uuid(0)}, {uuid(1)}"


def test_two_gpus_together_have_the_sum_of_their_memory(gpus: Machines) -> None:
    gpus(**BOTH, **{"1.total": 16303, "1.used": 300})
    found = nvml.find(f"{uuid(1)}, {uuid(0)}")
    assert found.uuid == f"{uuid(1)},{uuid(0)}"
    assert (found.total_mib, found.used_mib) == (16303 + 24576, 800)
    assert [item.uuid for item in found.each] == [uuid(1), uuid(0)]
    assert (found.cuda_arch, found.compute_capability) == ("120a;86", "8.6")


def test_a_gpu_that_is_cut_up_is_its_instances(gpus: Machines) -> None:
    """The parent's memory needs privileges that a container lacks (container-toolkit#842)."""
    gpus(**{"mig": 2, "name": "NVIDIA A100", "total": 40000, "0.0.total": 9856, "0.0.used": 12, "cc": "8.0"})
    found = nvml.devices()
    assert [item.uuid for item in found] == [uuid(0, 0), uuid(0, 1)]
    assert (found[0].total_mib, found[0].used_mib, found[0].compute_capability) == (9856.0, 12.0, "8.0")
    assert nvml.find(uuid(0, 1)).uuid == uuid(0, 1)


@pytest.mark.parametrize("lines", [{"rc.nvmlDeviceGetMemoryInfo": 3}, {"total": 0, "used": 0}])
def test_memory_that_host_and_gpu_share_is_no_number_of_the_gpu(
    gpus: Machines, lines: dict[str, int]
) -> None:
    gpus(name="NVIDIA GB10", cc="12.1", **lines)
    found = nvml.find("auto")
    assert (found.total_mib, found.used_mib, found.cuda_arch) == (None, None, "121a")


def test_a_name_that_is_no_utf8_is_no_obstacle(gpus: Machines) -> None:
    gpus(name="\\xff\\xfe\\x80")
    assert nvml.find("auto").name == "unknown GPU"


def test_an_old_driver_without_the_newer_symbols_does(gpus: Machines) -> None:
    gpus("old", used=700)
    assert nvml.find("auto").used_mib == 700.0


def test_without_a_driver_there_is_no_gpu(no_library: None) -> None:
    assert nvml.devices() == ()
    assert refused().code == "no-gpu"


def test_a_driver_that_is_not_loaded_is_no_gpu(gpus: Machines) -> None:
    gpus(**{"rc.nvmlInitWithFlags": 9})
    assert nvml.devices() == ()


def test_an_update_without_a_restart_says_so(gpus: Machines) -> None:
    gpus(**{"rc.nvmlInitWithFlags": 18})
    assert refused().code == "driver-mismatch"


def test_a_driver_that_fails_is_not_mistaken_for_none(gpus: Machines) -> None:
    """A container whose devices were taken away would else be measured on the CPU (nvidia-docker#1730)."""
    gpus(**{"rc.nvmlInitWithFlags": 999})
    error = refused()
    assert (error.code, error.values["why"]) == ("nvml-failed", "Unknown Error")


def test_a_lost_gpu_hides_no_other(gpus: Machines) -> None:
    gpus(**BOTH, **{"0.lost": 15})
    assert nvml.find("auto").uuid == uuid(1)
    gpus(**BOTH, lost=15)
    assert refused().values["why"] == "GPU is lost"
