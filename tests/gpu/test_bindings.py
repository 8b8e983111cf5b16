"""The packages that all bring a module `pynvml`."""

import subprocess
import sys
from pathlib import Path

import pytest

from bot.errors import BotError, Exit
from bot.gpu import bindings


@pytest.mark.parametrize(
    ("found", "current"),
    [
        ({"nvidia-ml-py": "13.615", "nvidia-ml-py3": "7.352.0"}, True),
        ({"nvidia-ml-py": "13.615", "pynvml": "11.5.3"}, True),
        ({"nvidia-ml-py": "11.515"}, False),
    ],
)
def test_a_clash_ends_the_run_before_it_measures(found: dict[str, str], current: bool) -> None:
    with pytest.raises(BotError) as caught:
        bindings.check(found, current=current)
    assert (caught.value.code, caught.value.exit_code) == ("nvml-clash", Exit.ENVIRONMENT)
    assert all(f"{name} {version}" in str(caught.value.values["names"]) for name, version in found.items())


def test_bindings_of_ten_years_ago_fail_with_a_sentence_not_at_import(tmp_path: Path) -> None:
    """nvidia-ml-py3 7.352.0 lacks half of the names: importing our door to NVML must not need them."""
    (tmp_path / "pynvml.py").write_text("class NVMLError(Exception): pass\n")
    info = tmp_path / "nvidia_ml_py3-7.352.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: nvidia-ml-py3\nVersion: 7.352.0\n")
    program = "import bot.gpu.nvml\nfrom bot.gpu import bindings\nbindings.check()"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        env={"PYTHONPATH": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "nvml-clash" in done.stderr.splitlines()[-1]


def test_the_wrapper_and_the_right_package_are_no_clash() -> None:
    bindings.check({"nvidia-ml-py": "13.615", "pynvml": "13.0.1"}, current=True)


def test_this_environment_is_sound() -> None:
    bindings.check()
    assert "nvidia-ml-py" in bindings.installed()
