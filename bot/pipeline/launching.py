"""From the record to one launch: arguments in the build's own spelling, prompts, a judged answer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bot import store
from bot.bench.conditions import server_arguments, user_arguments
from bot.bench.guards import Expected, cool_to, judged
from bot.bench.plan import ScenarioPlan
from bot.bench.prompts import TokenizedText
from bot.bench.runner import LaunchRequest, run_launch
from bot.bench.scenarios import WARMUPS, scenario_plan
from bot.errors import environment
from bot.flags import replaced
from bot.pipeline.context import Context
from bot.records import Launch, Run, Side


@dataclass(frozen=True)
class Launcher:
    """Starts launches of one run; `tokens` are the scenarios' texts as ids, by scenario name.

    `earlier` are the launches so far: a guard knows from them what is usual here.
    """

    context: Context
    run: Run
    tokens: dict[str, TokenizedText]
    earlier: list[Launch] = field(default_factory=list)

    def launch(
        self, side: Side, *, slot: int, round_index: int, scenarios: Sequence[str], warmups: int = WARMUPS
    ) -> Launch:
        """One launch of one side, judged. Raises BotError (exit 4) where the machine ended it."""
        plans = self.plans(scenarios, round_index=round_index, warmups=warmups)
        request = request_for(self.context, self.run, side, f"{slot:03}-{side}", plans)
        request = replace(request, cool_to=cool_to(self.earlier))
        launch = checked(run_launch(request, side=side, slot=slot), request.folder)
        launch = judged(launch, self.earlier, expected(self.context))
        self.earlier.append(launch)
        return launch

    def plans(self, scenarios: Sequence[str], *, round_index: int, warmups: int) -> tuple[ScenarioPlan, ...]:
        """The requests of these scenarios, in this order, the same for both sides of a round."""
        places = {item.name: place for place, item in enumerate(self.run.profile.scenarios)}
        return tuple(
            scenario_plan(
                self.run.profile.scenarios[places[name]],
                self.tokens[name],
                round_index=round_index,
                scenario_index=places[name],
                min_warmups=warmups,
            )
            for name in scenarios
        )


def expected(context: Context) -> Expected:
    """What the guards hold a launch against."""
    devices = context.device.each if context.device else ()
    return Expected(context.backend, tuple((item.name, item.compute_capability) for item in devices))


def checked(launch: Launch, folder: Path) -> Launch:
    """The launch, unless the machine is to blame for how it ended: then BotError (exit 4)."""
    if launch.status == "no_space":
        raise environment("no-space", path=str(folder))
    if launch.status == "binary_changed":
        raise environment("binary-changed", side=launch.side, detail=launch.detail)
    return launch


def request_for(
    context: Context,
    run: Run,
    side: Side,
    name: str,
    scenarios: tuple[ScenarioPlan, ...] = (),
    *,
    as_user: bool = False,
) -> LaunchRequest:
    """The request for one launch of one side, in a folder of its own; `as_user`: the user's flags alone."""
    build = run.build(side)
    assert build is not None
    binaries = context.binaries(build)
    uuid = context.device.uuid if context.device else None
    return LaunchRequest(
        argv=(*context.server(build), *_arguments(context, run, side, as_user=as_user)),
        folder=context.folder.path / "launches" / name,
        scenarios=scenarios,
        backend=context.backend,
        hashes={str(binaries / name): sha256 for name, sha256 in build.binaries.items()},
        env={"CUDA_VISIBLE_DEVICES": uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"} if uuid else {},
        gpu_uuid=uuid,
        box=context.box(build),
    )


def _arguments(context: Context, run: Run, side: Side, *, as_user: bool) -> tuple[str, ...]:
    arguments = user_arguments if as_user else server_arguments
    flags = replaced(run.profile.flags, context.profile.daily_flags) if as_user else run.profile.flags
    return arguments(
        context.capabilities(run, side),
        model=str(context.profile.model),
        flags=flags,
        backend=context.backend,
        threads=context.threads,
    )


def save_tokens(path: Path, tokens: dict[str, TokenizedText]) -> None:
    """Keep the ids beside the run, so that a resumed run sends the same prompts."""
    store.write_json(path, {name: [list(text.ids), list(text.prefix)] for name, text in tokens.items()})


def load_tokens(path: Path) -> dict[str, TokenizedText]:
    """The ids that `save_tokens` kept."""
    data = json.loads(path.read_text())
    return {name: TokenizedText(tuple(ids), tuple(prefix)) for name, (ids, prefix) in data.items()}
