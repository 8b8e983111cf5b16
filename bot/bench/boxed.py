"""What a launch and a build's other programs may see, and what has to be looked at from outside then."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot import process
from bot.gpu import strangers
from bot.isolation import Box, means, named_in

if TYPE_CHECKING:
    from bot.bench.runner import LaunchRequest


def boxed(box: Box, argv: Sequence[str]) -> Box:
    """The box with what this command line names: the program's folder, the model, a template, an adapter."""
    return replace(box, reads=(*box.reads, *named_in(argv)))


def box_of(request: "LaunchRequest") -> Box:
    """A launch writes to its own folder; its builds, its model and the GPUs it may use."""
    binaries = dict.fromkeys(Path(name).parent for name in request.hashes)
    box = replace(request.box, reads=(*request.box.reads, *binaries), writes=(request.folder,))
    has_gpu = request.backend == "cuda" or request.gpu_uuid is not None
    return boxed(replace(box, gpus=has_gpu or box.gpus), request.argv)


class Outsiders:
    """Processes of others on the GPUs of a launch, which it cannot count itself (see `bot.gpu.strangers`).

    Made just before the launch.
    """

    def __init__(self, request: "LaunchRequest") -> None:
        is_blind = request.box.level != "none" and bool(means().codes)
        self._uuids = request.gpu_uuid.split(",") if request.gpu_uuid and is_blind else []
        self._before = strangers.look(self._uuids) if self._uuids else {}

    def correct(self, answer: dict[str, Any], finished: process.Finished) -> None:
        """Put the true counts into the launch's answer, where it ran among its own processes only."""
        if not self._uuids or "pid" not in finished.isolation:
            return
        after = strangers.look(self._uuids)
        for trace in answer.get("gpus", []):
            trace.update(strangers.counts(self._before, after, trace["id"]))
