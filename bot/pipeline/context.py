"""What one run has in hand: settings, sources, folders, the machine, someone to tell."""

from dataclasses import dataclass, field
from pathlib import Path

import psutil

from bot.bench.conditions import Capabilities
from bot.bench.runner import capabilities
from bot.build import boxes
from bot.build.layout import SERVER, Folder
from bot.build.usage import hold
from bot.config import ProfileSettings, Settings
from bot.errors import BotError
from bot.gpu.nvml import Device
from bot.isolation import Box
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.sides import Sides
from bot.progress import Reporter
from bot.records import Backend, Build, Run, Side
from bot.upstream.mirror import Mirror


@dataclass(frozen=True)
class Context:
    """Everything outside the record that the steps of one run need.

    `wrapper` is put before a side's server command: the tests plant slow or broken builds with it.
    """

    settings: Settings
    profile: ProfileSettings
    mirror: Mirror
    folder: RunFolder
    reporter: Reporter
    backend: Backend
    device: Device | None
    sides: Sides = field(default_factory=dict)
    wrapper: dict[Side, tuple[str, ...]] = field(default_factory=dict)
    _known: dict[Side, Capabilities] = field(default_factory=dict, init=False)

    @property
    def cache(self) -> Path:
        """Where builds, mirrors and hashes are kept."""
        return self.settings.cache

    @property
    def threads(self) -> int:
        """Physical cores, named explicitly because the server's own default has moved between tags."""
        return psutil.cpu_count(logical=False) or psutil.cpu_count() or 1

    def binaries(self, build: Build) -> Path:
        """One side's folder with llama-server and llama-bench, found again from the build's key.

        A published record holds no paths. From then on nobody removes that build while this process lives.
        """
        folder = Folder((self.cache / "builds").resolve() / build.key)
        hold(folder.root)
        return folder.bin

    def box(self, build: Build) -> Box:
        """What one side's programs may see, besides their own folder and what their command line names."""
        level = self.settings.machine.isolation
        return Box(reads=boxes.libraries(self.binaries(build)), gpus=self.backend == "cuda", level=level)

    def server(self, build: Build) -> tuple[str, ...]:
        """The command that starts this side's server, without arguments."""
        return (*self.wrapper.get(build.side, ()), str(self.binaries(build) / SERVER))

    def capabilities(self, run: Run, side: Side) -> Capabilities:
        """What this side's server understands; asked once per run.

        A build whose `--help` already fails is asked in the other's spelling, so that its launches tell why.
        Raises BotError (exit 4) where neither answers.
        """
        if side not in self._known:
            try:
                self._known[side] = self._ask(run, side)
            except BotError:
                self._known[side] = self._ask(run, "head" if side == "base" else "base")
        return self._known[side]

    def _ask(self, run: Run, side: Side) -> Capabilities:
        build = run.build(side)
        assert build is not None
        return capabilities(self.server(build), self.box(build))
