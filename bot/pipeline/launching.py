"""From the record to one launch: arguments in the build's own spelling, prompts, a judged answer."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bot import process, store
from bot.bench.conditions import parse_help, server_arguments
from bot.bench.plan import ScenarioPlan
from bot.bench.prompts import TokenizedText, nonce_of, prompt_for
from bot.bench.runner import LaunchRequest, run_launch
from bot.bench.validity import judge
from bot.errors import environment
from bot.pipeline.context import Context
from bot.records import Build, Launch, Run, Scenario, Side

#: measurement.md 1.8: CUDA graphs need repeats, and a build's first launch of a run more of them.
FIRST_WARMUPS, WARMUPS, MOST_WARMUPS = 4, 2, 6
_HELP_S = 60.0


@dataclass(frozen=True)
class Launcher:
    """Starts launches of one run; `tokens` are the scenarios' texts as ids, by scenario name."""

    context: Context
    run: Run
    tokens: dict[str, TokenizedText]

    def launch(
        self, side: Side, *, slot: int, round_index: int, scenarios: Sequence[str], warmups: int = WARMUPS
    ) -> Launch:
        """One launch of one side, judged. Raises BotError (exit 4) when the disk is full."""
        plans = self.plans(scenarios, round_index=round_index, warmups=warmups)
        request = request_for(self.context, self.run, side, f"{slot:03}-{side}", plans)
        return self._checked(run_launch(request, side=side, slot=slot), request.folder)

    def plans(self, scenarios: Sequence[str], *, round_index: int, warmups: int) -> tuple[ScenarioPlan, ...]:
        """The requests of these scenarios, in this order, the same for both sides of a round."""
        known = {item.name: item for item in self.run.profile.scenarios}
        return tuple(self._plan(known[name], round_index, warmups) for name in scenarios)

    def _plan(self, scenario: Scenario, round_index: int, warmups: int) -> ScenarioPlan:
        place = [item.name for item in self.run.profile.scenarios].index(scenario.name)
        text = self.tokens[scenario.name]
        prompts = [
            list(
                prompt_for(
                    text.ids,
                    scenario.prompt_tokens,
                    nonce=nonce_of(round_index, place, number),
                    prefix=text.prefix,
                )
            )
            for number in range(scenario.requests + MOST_WARMUPS)
        ]
        return {
            "name": scenario.name,
            "n_predict": scenario.n_predict,
            "settle": "decode" if "decode" in scenario.judged else "prefill",
            "min_warmups": warmups,
            "warmups": prompts[scenario.requests :],
            "prompts": prompts[: scenario.requests],
        }

    def _checked(self, launch: Launch, folder: Path) -> Launch:
        if launch.status == "no_space":
            raise environment("no-space", path=str(folder))
        return judge(launch, self.context.backend)


def request_for(
    context: Context, run: Run, side: Side, name: str, scenarios: tuple[ScenarioPlan, ...] = ()
) -> LaunchRequest:
    """The request for one launch of one side, in a folder of its own."""
    build = run.build(side)
    assert build is not None
    binaries = context.binaries(build)
    uuid = context.device.uuid if context.device else None
    return LaunchRequest(
        argv=(*context.server(build), *_arguments(context, run, build)),
        folder=context.folder.path / "launches" / name,
        scenarios=scenarios,
        hashes={str(binaries / name): sha256 for name, sha256 in build.binaries.items()},
        env={"CUDA_VISIBLE_DEVICES": uuid, "CUDA_DEVICE_ORDER": "PCI_BUS_ID"} if uuid else {},
        gpu_uuid=uuid,
        isolate=context.settings.machine.isolation != "none",
    )


def _arguments(context: Context, run: Run, build: Build) -> tuple[str, ...]:
    help_text = process.run([*context.server(build), "--help"], timeout_s=_HELP_S, network="none").stdout
    return server_arguments(
        parse_help(help_text),
        model=str(context.profile.model),
        flags=run.profile.flags,
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
