"""The self-test (A/A) before the first comparison: base against itself, from two folders, by the same code.

It is due where nothing is known of this machine, driver, model and flags, and again every 90 days. It has a
budget of its own, a folder of its own in the run's (so that a killed run goes on with it), and it ends like
any run: all shown equal, or the last look. What it found fixes K of the comparison that follows.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from math import floor

from bot.build.builder import Built
from bot.build.builder import build as build_one
from bot.pipeline import calibrations
from bot.pipeline.building import request_of
from bot.pipeline.checkpoint import RunFolder
from bot.pipeline.context import Context
from bot.pipeline.explaining import conclude
from bot.pipeline.identity import seed_of
from bot.pipeline.launching import load_tokens, save_tokens
from bot.pipeline.measuring import measure
from bot.pipeline.preparing import TOKENS, priced
from bot.progress import clock
from bot.records import Pair, Plan, Reason, Run, SelfTest
from bot.stats.decide import LOOKS
from bot.stats.noise import noise

STEP = "self_test"
#: A driver or a kernel may be the same for long; dust, fans and other programs are not.
_FRESH = timedelta(days=90)
_FOLDER = "self-test"


def twin(context: Context, run: Run) -> Built | None:
    """Base's second build, in a folder of its own; None where no self-test is due.

    Raises what the builder raises.
    """
    if not is_due(context, run) or context.folder.has(STEP):
        return None
    base = run.build("base")
    assert base is not None
    request = replace(request_of(context, "head", run.pair.base), twin=True, native=base.native)
    with context.reporter.stage("progress-self-test-build", tag=run.pair.base.name) as advance:
        return build_one(request, progress=advance)


def is_due(context: Context, run: Run) -> bool:
    """Whether this comparison has to wait for a self-test.

    A preset's short run never does, nor one whose base was not built here: it has no second build.
    """
    wanted, base = context.settings.machine.self_test, run.build("base")
    if run.pair.is_self_test or run.profile.preset or wanted == "never":
        return False
    if context.folder.has_rounds:  # begun without one: its launches' requests are settled
        return False
    if base is None or any(build.source != "build" for build in run.builds):  # the twin would be another
        return False
    if wanted == "auto" and context.backend == "cpu":
        return False
    found = calibrations.known(context.settings, run)
    if found is None or not found.past or (context.folder.path / _FOLDER).is_dir():
        return True
    return datetime.fromisoformat(run.created) - datetime.fromisoformat(found.past[-1].at) > _FRESH


def measured(context: Context, run: Run, second: Built | None) -> Run:
    """The run with its self-test, and planned anew where that says how many requests a launch is worth."""
    assert second is not None
    made = _plan(context, run)
    if second.folder is None or made.max_rounds < LOOKS[0]:
        return _without(context, run, made, second)
    _say_cost(context, run, made)
    began = measure(_inner(context), _question(run, made, second))
    done = calibrations.tested(context.settings, conclude(began))
    result = _result(done, made)
    _say_result(context, result)
    now = run.model_copy(update={"self_test": result})
    again = calibrations.with_requests(context.settings, now)
    now = now if again == now.profile.scenarios else priced(context, now)
    requests = {item.name: item.requests for item in now.profile.scenarios}
    return now.model_copy(update={"self_test": result.model_copy(update={"requests": requests})})


def _plan(context: Context, run: Run) -> Plan:
    """Up to twelve rounds, as far as the self-test's own budget goes; the comparison's does not matter."""
    assert run.plan is not None
    budget = float(context.settings.machine.self_test_budget_s)
    rounds = min(LOOKS[-1], floor(budget / (2 * run.plan.launch_s)) if run.plan.launch_s else LOOKS[-1])
    update = {
        "seed": seed_of(_id(run)),
        "max_rounds": rounds,
        "looks": tuple(look for look in LOOKS if look <= rounds) or (rounds,),
        "budget_s": budget,
        "estimate_s": 2 * rounds * run.plan.launch_s,
        "cuts": (),
    }
    return run.plan.model_copy(update=update)


def _id(run: Run) -> str:
    return f"{run.id}-aa"


def _question(run: Run, made: Plan, second: Built) -> Run:
    """Base against itself as a run of its own, by the conditions of this one."""
    base = run.build("base")
    assert base is not None
    update = {
        "id": _id(run),
        "pair": Pair(base=run.pair.base, head=run.pair.base, ancestor=True),
        "builds": (base, second.record.model_copy(update={"side": "head"})),
        "plan": made,
        "rounds": (),
        "notes": (),
        "differences": (),
    }
    return run.model_copy(update=update)


def _inner(context: Context) -> Context:
    """The same machine and settings in the self-test's own folder; what is planted in base is in both."""
    folder = RunFolder(context.folder.path / _FOLDER)
    save_tokens(folder.path / TOKENS, load_tokens(context.folder.path / TOKENS))
    planted = context.wrapper.get("base")
    return replace(context, folder=folder, wrapper={"base": planted, "head": planted} if planted else {})


def _result(done: Run, made: Plan) -> SelfTest:
    launches = [launch for item in done.rounds for launch in item.launches]
    return SelfTest(
        tag=done.pair.base.name,
        plan=made,
        rounds=len(done.valid_rounds),
        launches=len(launches),
        comparisons=done.comparisons,
        noise=noise(done.valid_rounds, done.comparisons),
        seconds=sum(launch.seconds.get("total", 0.0) for launch in launches),
        why=next(iter(done.notes), None),
    )


def _without(context: Context, run: Run, made: Plan, second: Built) -> Run:
    """The run with the reason why there is no self-test: no second build, or too small a budget."""
    tag = run.pair.base.name
    why = Reason(code="self_test_build", args={"tag": tag}) if second.folder is None else _too_short(made)
    context.reporter.say(f"note-{why.code}", **{name: str(value) for name, value in why.args.items()})
    found = SelfTest(tag=tag, plan=made, why=why)
    return run.model_copy(update={"self_test": found, "notes": (*run.notes, why)})


def _too_short(made: Plan) -> Reason:
    least = clock(2 * LOOKS[0] * made.launch_s)
    return Reason(code="self_test_budget", args={"least": least, "budget": clock(made.budget_s)})


def _say_cost(context: Context, run: Run, made: Plan) -> None:
    context.reporter.say(
        "progress-self-test-cost",
        tag=run.pair.base.name,
        least=clock(2 * LOOKS[0] * made.launch_s),
        most=clock(made.estimate_s),
        budget=clock(made.budget_s),
    )


def _say_result(context: Context, result: SelfTest) -> None:
    case = "alarm" if result.alarmed else "open" if result.unresolved or not result.comparisons else "quiet"
    metrics = ", ".join(result.alarmed or result.unresolved)
    context.reporter.say(
        f"progress-self-test-{case}",
        tag=result.tag,
        rounds=result.rounds,
        metrics=metrics,
        time=clock(result.seconds),
    )
