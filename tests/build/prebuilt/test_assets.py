"""Which of a release's files are for this machine."""

import pytest

from bot.build.prebuilt.assets import Asset, Needs, choose
from bot.errors import BotError, Exit

#: As upstream names them (b11026 and before).
LINUX = (
    "llama-b11026-bin-ubuntu-x64.tar.gz",
    "llama-b11026-bin-ubuntu-arm64.tar.gz",
    "llama-b11026-bin-ubuntu-s390x.tar.gz",
    "llama-b11026-bin-ubuntu-vulkan-x64.tar.gz",
    "llama-b11026-bin-ubuntu-vulkan-arm64.tar.gz",
    "llama-b11026-bin-ubuntu-openvino-2026.2.1-x64.tar.gz",
    "llama-b11026-bin-ubuntu-rocm-7.14-x64.tar.gz",
    "llama-b11026-bin-ubuntu-sycl-fp16-x64.tar.gz",
    "llama-b11026-bin-ubuntu-cuda-12.8-x64.tar.gz",
    "llama-b11026-bin-ubuntu-cuda-13.3-x64.tar.gz",
    "cudart-llama-b11026-bin-ubuntu-cuda-12.8-x64.tar.gz",
    "cudart-llama-b11026-bin-ubuntu-cuda-13.3-x64.tar.gz",
)
OTHERS = (
    "llama-b11026-bin-macos-arm64.tar.gz",
    "llama-b11026-bin-win-cuda-12.4-x64.zip",
    "cudart-llama-bin-win-cuda-12.4-x64.zip",
    "nightly-tag.txt",
)


def assets(*names: str) -> tuple[Asset, ...]:
    return tuple(Asset(name, f"https://example.com/{name}", 1) for name in names or (*LINUX, *OTHERS))


def names(machine: str, variant: str, **gpu: str) -> list[str]:
    needs = Needs(machine, variant, gpu.get("driver"), gpu.get("capability"))  # type: ignore[arg-type]
    return [item.name for item in choose("b11026", assets(), needs).files]


@pytest.mark.parametrize(
    ("machine", "variant", "expected"),
    [
        ("x86_64", "cpu", "llama-b11026-bin-ubuntu-x64.tar.gz"),
        ("aarch64", "cpu", "llama-b11026-bin-ubuntu-arm64.tar.gz"),
        ("x86_64", "vulkan", "llama-b11026-bin-ubuntu-vulkan-x64.tar.gz"),
        ("aarch64", "vulkan", "llama-b11026-bin-ubuntu-vulkan-arm64.tar.gz"),
    ],
)
def test_platform_and_kind_choose_the_file(machine: str, variant: str, expected: str) -> None:
    assert names(machine, variant) == [expected]


@pytest.mark.parametrize(
    ("driver", "capability", "version"),
    [
        ("580.95.05", "9.0", "13.3"),
        ("570.86.10", "9.0", "12.8"),  # too old for CUDA 13
        ("580.95.05", "6.1", "12.8"),  # CUDA 13 has dropped Pascal
    ],
)
def test_the_newest_cuda_that_driver_and_gpu_take_comes_with_its_libraries(
    driver: str, capability: str, version: str
) -> None:
    assert names("x86_64", "cuda", driver=driver, capability=capability) == [
        f"llama-b11026-bin-ubuntu-cuda-{version}-x64.tar.gz",
        f"cudart-llama-b11026-bin-ubuntu-cuda-{version}-x64.tar.gz",
    ]


def test_a_release_without_cuda_for_linux_names_what_there_is() -> None:
    old = assets("llama-b9601-bin-ubuntu-x64.tar.gz", "llama-b9601-bin-win-cuda-12.4-x64.zip")
    with pytest.raises(BotError) as caught:
        choose("b9601", old, Needs("x86_64", "cuda", "580.95.05", "9.0"))
    assert (caught.value.code, caught.value.exit_code) == ("archive-none", Exit.USAGE)
    assert caught.value.values["names"] == "llama-b9601-bin-ubuntu-x64.tar.gz"


def test_a_driver_that_is_too_old_for_all_is_told_the_versions() -> None:
    with pytest.raises(BotError) as caught:
        names("x86_64", "cuda", driver="470.10", capability="9.0")
    assert caught.value.code == "archive-cuda-unfit"
    assert caught.value.values["versions"] == "13.3, 12.8"


def test_a_machine_that_upstream_builds_for_nobody_gets_none() -> None:
    with pytest.raises(BotError) as caught:
        names("riscv64", "cpu")
    assert caught.value.values["machine"] == "riscv64"


def test_another_tags_files_and_older_forms() -> None:
    mixed = assets("llama-b7-bin-ubuntu-x64.tar.gz", "llama-b4747-bin-ubuntu-x64.zip")
    found = choose("b4747", mixed, Needs("x86_64", "cpu"))
    assert [item.name for item in found.files] == ["llama-b4747-bin-ubuntu-x64.zip"]
