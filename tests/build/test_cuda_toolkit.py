"""Which CUDA toolkit and host compiler are taken, from toolkits made of scripts and headers."""

import shutil
from pathlib import Path

import pytest

from bot.build import cuda_toolkit, pip_toolkit, toolchain
from bot.build.cuda_toolkit import Choice, Toolkit, choose, toolkits
from bot.build.toolchain import Target
from bot.errors import BotError
from bot.records import Tool
from bot.report.words import catalog

GCC_12 = Tool(name="c++", version="12.2.0", path="/usr/bin/g++")
GCC_15 = Tool(name="c++", version="15.1.0", path="/usr/bin/g++-15")
KEPLER_TO_HOPPER = "50 60 61 70 75 80 86 89 90"
TURING_TO_BLACKWELL = "75 80 86 89 90 100 120"


def lay(
    root: Path,
    version: str = "13.0.88",
    archs: str = TURING_TO_BLACKWELL,
    gcc: int = 15,
    *,
    cublas: bool = True,
) -> Path:
    """A toolkit that answers what real ones are asked."""
    for name in ("bin", "include/crt", "lib64"):
        (root / name).mkdir(parents=True)
    listed = "\\n".join(f"compute_{arch}" for arch in archs.split())
    nvcc = root / "bin" / "nvcc"
    nvcc.write_text(f"""#!/bin/sh
case "$1" in
--list-gpu-arch) printf '{listed}\\n' ;;
-v) printf '#$ TOP={root}/bin/..\\n' >&2 ;;
*) echo 'Cuda compilation tools, release {version.rpartition(".")[0]}, V{version}' ;;
esac
""")
    nvcc.chmod(0o755)
    (root / "include/crt/host_config.h").write_text(
        f"#if __GNUC__ > {gcc}\n#error -- unsupported GNU version!\n#endif\n#if (__clang_major__ >= 21)\n"
    )
    if cublas:
        (root / "include/cublas_api.h").write_text(
            "#define CUBLAS_VER_MAJOR 13\n#define CUBLAS_VER_MINOR 1\n#define CUBLAS_VER_PATCH 0\n"
        )
        for name in ("libcublas.so", "libcudart.so"):
            (root / "lib64" / name).touch()
    return root


def kit(root: Path, origin: cuda_toolkit.Origin = "system") -> Toolkit:
    found = cuda_toolkit._toolkit(((root,), origin), origin)
    assert found is not None
    return found


def whys(choice: Choice) -> list[tuple[str, object]]:
    return [(reason.code, reason.args["why"]) for reason in choice.reasons]


@pytest.fixture(autouse=True)
def nothing_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine's own toolkits are out of the way."""
    (tmp_path / "path").mkdir()
    monkeypatch.setenv("PATH", f"{tmp_path / 'path'}:/bin:/usr/bin")
    monkeypatch.delenv("CUDA_HOME", raising=False)
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.setattr(cuda_toolkit, "_SYSTEM", tmp_path / "local")
    monkeypatch.setattr(cuda_toolkit, "_sites", lambda: [tmp_path / "site-packages"])


def test_every_place_is_looked_at_and_one_toolkit_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = lay(tmp_path / "home")
    new, old = lay(tmp_path / "local/cuda-13.0"), lay(tmp_path / "local/cuda-12.4", "12.4.131")
    (tmp_path / "local/cuda").symlink_to(new)
    (tmp_path / "path/nvcc").symlink_to(old / "bin/nvcc")
    packaged = lay(tmp_path / "site-packages/nvidia/cu13", "13.1.2")
    monkeypatch.setenv("CUDA_HOME", str(home))
    found = {(item.origin, item.nvcc.version, item.parts[0]) for item in toolkits()}
    assert found == {
        ("environment", "13.0.88", home),
        ("path", "12.4.131", old),
        ("system", "13.0.88", new),
        ("packages", "13.1.2", packaged),
    }


def test_an_nvcc_on_path_that_is_a_script_says_where_its_toolkit_lies(tmp_path: Path) -> None:
    root = lay(tmp_path / "elsewhere")
    script = tmp_path / "path/nvcc"
    script.write_text(f'#!/bin/sh\nexec {root}/bin/nvcc "$@"\n')
    script.chmod(0o755)
    assert [(item.origin, item.parts) for item in toolkits()] == [("path", (root,))]


@pytest.mark.parametrize(
    ("gpu", "version", "passed"),
    [("61", "12.4.131", "new"), ("120a", "13.0.88", "old"), ("90", "13.0.88", "fits")],
)
def test_the_newest_toolkit_that_knows_the_gpu_is_taken(
    tmp_path: Path, gpu: str, version: str, passed: str
) -> None:
    known = [kit(lay(tmp_path / "old", "12.4.131", KEPLER_TO_HOPPER)), kit(lay(tmp_path / "new"))]
    choice = choose(known, [GCC_12], (gpu,), None)
    assert choice.toolkit.nvcc.version == version
    assert sorted(whys(choice)) == [("toolkit-passed", passed), ("toolkit-picked", "fits")]


def test_a_fleet_needs_a_toolkit_that_knows_all_its_gpus(tmp_path: Path) -> None:
    known = [kit(lay(tmp_path / "12.4", "12.4.131", KEPLER_TO_HOPPER)), kit(lay(tmp_path / "13"))]
    assert choose(known, [GCC_12], ("61", "86"), None).toolkit is known[0]
    assert choose(known, [GCC_12], ("86", "120a"), None).toolkit is known[1]


def test_what_the_environment_names_comes_before_a_newer_one_that_fits_as_well(tmp_path: Path) -> None:
    named = kit(lay(tmp_path / "named", "12.8.93"), "environment")
    newer = kit(lay(tmp_path / "newer"))
    assert choose([named, newer], [GCC_12], ("90",), None).toolkit is named
    assert choose([named, newer], [GCC_12], ("90",), "535.1").toolkit is named
    blind = kit(lay(tmp_path / "blind", "12.0.1", "86"), "environment")
    assert choose([blind, newer], [GCC_12], ("90",), None).toolkit is newer


def test_a_toolkit_too_new_for_the_driver_is_passed_over(tmp_path: Path) -> None:
    known = [kit(lay(tmp_path / "new")), kit(lay(tmp_path / "old", "12.8.93"))]
    choice = choose(known, [GCC_12], ("90",), "570.86.10")
    assert choice.toolkit is known[1]
    assert ("toolkit-passed", "driver") in whys(choice)


def test_a_compiler_without_libraries_is_no_toolkit(tmp_path: Path) -> None:
    known = [kit(lay(tmp_path / "bare", cublas=False)), kit(lay(tmp_path / "whole", "12.8.93"))]
    choice = choose(known, [GCC_12], ("90",), None)
    assert choice.toolkit is known[1]
    assert ("toolkit-passed", "cublas") in whys(choice)


def test_a_host_compiler_that_the_toolkit_takes_goes_before_a_newer_default(tmp_path: Path) -> None:
    toolkit = kit(lay(tmp_path / "kit", gcc=14))
    choice = choose([toolkit], [GCC_15, GCC_12], ("90",), None)
    assert (choice.host, whys(choice)) == (GCC_12, [("toolkit-picked", "fits")])
    assert choice.reasons[0].args["host"] == "c++ 12.2.0"


def test_where_no_pair_fits_the_compiler_is_to_say_why(tmp_path: Path) -> None:
    choice = choose([kit(lay(tmp_path / "kit", gcc=13))], [GCC_15], ("90",), None)
    assert (choice.host, whys(choice)) == (GCC_15, [("toolkit-picked", "host")])


def test_limits_of_clang_are_its_own(tmp_path: Path) -> None:
    toolkit = kit(lay(tmp_path / "kit", gcc=9))
    clang = tmp_path / "clang++-20"
    clang.touch()
    assert (
        choose([toolkit], [Tool(name="c++", version="20.1", path=str(clang))], (), None).host.version
        == "20.1"
    )
    assert toolkit.newest_host("clang") == 20


def test_an_old_nvcc_that_cannot_list_what_it_knows_is_judged_by_the_table(tmp_path: Path) -> None:
    toolkit = kit(lay(tmp_path / "kit", "11.5.119", ""))
    assert whys(choose([toolkit], [GCC_12], ("120a",), None)) == [("toolkit-picked", "old")]


def test_packages_are_laid_out_as_one_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = tmp_path / "site-packages/nvidia/cu13"
    lay(site)
    (site / "lib64/libcublas.so").rename(site / "lib64/libcublas.so.13")
    (site / "lib64/libcudart.so").rename(site / "lib64/libcudart.so.13")
    (site / "lib64").rename(site / "lib")
    driver = tmp_path / "driver/libcuda.so.1"
    driver.parent.mkdir()
    driver.touch()
    monkeypatch.setattr(pip_toolkit, "_DRIVER_PLACES", (driver.parent,))
    cuda = toolchain.find("cuda", Target(("90",), None, tmp_path / "toolkits")).cuda
    assert cuda is not None
    root = Path(cuda.nvcc.path).parent.parent
    assert root.parent == tmp_path / "toolkits"
    assert pip_toolkit.is_plain(root)
    for name in ("libcublas.so", "libcublas.so.13", "libcudart.so", "stubs/libcuda.so"):
        assert (root / "lib64" / name).exists(), name
    assert (cuda.cublas.version, cuda.has_driver) == ("13.1.0", True)
    assert pip_toolkit.lay((site,), tmp_path / "toolkits") == root
    (site / "lib/libcublasLt.so.13").touch()  # a package installed since
    assert (pip_toolkit.lay((site,), tmp_path / "toolkits") / "lib64/libcublasLt.so").exists()


def test_another_place_of_the_same_toolkit_makes_another_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Binaries name the folder of their CUDA libraries."""
    identities = []
    for name in ("a", "b", "a"):
        root = tmp_path / name
        monkeypatch.setenv("CUDA_HOME", str(root if root.exists() else lay(root)))
        identities.append(toolchain.find("cuda", Target(("90",), None, tmp_path)).identity)
    assert identities[0] == identities[2] != identities[1]


def test_the_same_packages_in_another_place_are_the_same_toolkit(tmp_path: Path) -> None:
    """A new virtual environment costs no build: compilers and binaries see one path."""
    first = lay(tmp_path / "first")
    second = shutil.copytree(first, tmp_path / "second")
    newer = lay(tmp_path / "newer", "13.1.2")
    roots = [pip_toolkit.lay((site,), tmp_path / "toolkits") for site in (first, second, newer)]
    assert roots[0] == roots[1] != roots[2]
    assert (roots[0] / "bin/nvcc").resolve().is_relative_to(first)
    shutil.rmtree(first)
    assert not (roots[0] / "bin/nvcc").exists()
    assert pip_toolkit.lay((second,), tmp_path / "toolkits") == roots[0]
    assert (roots[0] / "bin/nvcc").resolve().is_relative_to(second)


def test_packages_of_one_component_each_are_joined(tmp_path: Path) -> None:
    nvidia = tmp_path / "site-packages/nvidia"
    whole = lay(tmp_path / "whole", "12.9.86")
    for component, names in {
        "cuda_nvcc": ("bin",),
        "cublas": ("lib64",),
        "cuda_runtime": ("include",),
    }.items():
        (nvidia / component).mkdir(parents=True)
        for name in names:
            (whole / name).rename(nvidia / component / name)
    toolkit = toolkits()[0]
    assert (toolkit.origin, toolkit.cublas, toolkit.is_plain) == ("packages", "13.1.0", False)
    root = toolkit.root(tmp_path / "toolkits")
    assert all(
        (root / name).exists() for name in ("bin/nvcc", "include/crt/host_config.h", "lib64/libcublas.so")
    )


def test_no_toolkit_at_all_is_named_with_its_remedy(tmp_path: Path) -> None:
    with pytest.raises(BotError) as caught:
        toolchain.find("cuda", Target(("90",), None, tmp_path))
    assert caught.value.code == "tool-missing-nvcc"


@pytest.mark.parametrize("language", ["en", "zh-Hans"])
def test_every_reason_has_words(language: str) -> None:
    words = catalog(language)
    for code in ("toolkit-picked", "toolkit-passed"):
        said = {
            words.text(code, version="13.0.88", origin=origin, why=why, host="c++ 12.2.0")
            for origin in ("environment", "path", "system", "packages")
            for why in ("fits", *filter(None, cuda_toolkit._PROBLEMS))
        }
        assert len(said) == 4 * 6
        assert all("13.0.88" in sentence for sentence in said)
