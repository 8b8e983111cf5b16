"""The builds' other programs under the conditions of the run."""

from collections.abc import Sequence
from dataclasses import replace

from bot.bench.tool import ToolEnd, run_tool
from bot.isolation import Box
from bot.pipeline.evidence.desk import Desk
from bot.records import SIDES, Side


def program(desk: Desk, side: Side, name: str) -> tuple[str, ...]:
    """The command that starts one side's program, without arguments."""
    context, build = desk.context, desk.run.build(side)
    assert build is not None
    return (*context.wrapper.get(side, ()), str(context.binaries(build) / name))


def run(desk: Desk, argv: Sequence[str]) -> ToolEnd:
    """To its end, or to that of the budget (`timeout`). Raises BotError where it cannot be started."""
    context = desk.context
    uuid = context.device.uuid if context.device else None
    return run_tool(
        argv,
        env={"CUDA_VISIBLE_DEVICES": uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"} if uuid else {},
        timeout_s=max(1.0, desk.left_s),
        box=box(desk),
    )


def box(desk: Desk) -> Box:
    """What the programs of either side may see, besides what their command line names."""
    builds = [build for side in SIDES if (build := desk.run.build(side)) is not None]
    boxes = [desk.context.box(build) for build in builds]
    return replace(boxes[0], reads=tuple(place for one in boxes for place in one.reads))
