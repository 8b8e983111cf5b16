"""What is examined, and the facts that several checks need: the GPU, the model, the tools."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from bot.config import ProfileSettings, Settings
from bot.doctor import tools
from bot.doctor.tools import Tools
from bot.doctor.weights import Weights
from bot.doctor.weights import look as look_at_model
from bot.gpu.nvml import Device
from bot.pipeline.begin import find_device
from bot.records import Backend

Result = TypeVar("Result")


@dataclass(frozen=True)
class Case:
    """One configuration on this machine. What could not be found out holds the exception instead.

    `device` is None where the run would be on the CPU. `runs` is where the run's folder would lie.
    """

    config: Path
    settings: Settings
    profile: ProfileSettings
    device: Device | Exception | None
    weights: Weights | Exception
    tools: Tools | Exception
    runs: Path = Path("runs")

    @property
    def backend(self) -> Backend:
        """What would be built for; a GPU that cannot be used is still what was asked for."""
        return "cpu" if self.device is None else "cuda"

    @property
    def gpu(self) -> Device | None:
        """The GPU to measure on; None on the CPU, and where none could be chosen."""
        return None if isinstance(self.device, Exception) else self.device


def take(config: Path, settings: Settings, profile: str | None = None) -> Case:
    """Gather what the checks share (0.3 s). Raises BotError (exit 2) for an unknown profile."""
    chosen = settings.profile(profile)
    with ThreadPoolExecutor() as pool:
        model = pool.submit(attempt, lambda: look_at_model(chosen.model, settings.cache / "models"))
        device = attempt(lambda: find_device(settings))
        backend: Backend = "cpu" if device is None else "cuda"
        found = attempt(lambda: tools.look(backend, device if isinstance(device, Device) else None))
        return Case(config, settings, chosen, device=device, weights=model.result(), tools=found)


def attempt(action: Callable[[], Result]) -> Result | Exception:
    """The result, or what was raised instead: one unlucky look must not hide the others."""
    try:
        return action()
    except Exception as error:
        return error
