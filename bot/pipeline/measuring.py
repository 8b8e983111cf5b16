"""The rounds: each is on disk before the next begins."""

from bot.bench import rounds
from bot.bench.rounds import Next
from bot.bench.spill import spill
from bot.pipeline.context import Context
from bot.pipeline.launching import Launcher, load_tokens
from bot.pipeline.preparing import TOKENS
from bot.records import Round, Run
from bot.stats.order import scenario_order


def measure(context: Context, run: Run) -> Run:
    """The run with every round measured that its plan allows and its decision needs."""
    assert run.plan is not None
    done_before = context.folder.rounds()
    warmed = run.warmup.launches if run.warmup else ()
    earlier = [*warmed, *(launch for item in done_before for launch in item.launches)]
    launcher = Launcher(context, run, load_tokens(context.folder.path / TOKENS), earlier)
    most = 2 * run.plan.max_rounds
    with context.reporter.stage("progress-rounds", most=run.plan.max_rounds) as advance:

        def launch_round(step: Next) -> Round:
            scenarios = scenario_order(step.scenarios, step.index)
            launches = []
            for place, side in enumerate(step.sides):
                advance(min(2 * step.index + place, most), most)
                launches.append(
                    launcher.launch(side, slot=step.slot + place, round_index=step.index, scenarios=scenarios)
                )
            done = Round(index=step.index, attempt=step.attempt, order=step.order, launches=tuple(launches))
            context.folder.save_round(done)
            return done

        measured, note = rounds.run(run.profile, run.plan, done_before, launch_round)
    notes = (*run.notes, note) if note else run.notes
    spilled = spill(launch for item in measured for launch in item.launches)
    differences = (*spilled, *run.differences)
    return run.model_copy(update={"rounds": measured, "notes": notes, "differences": differences})
