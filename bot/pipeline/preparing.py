"""The step before the rounds: tokenize once, warm both sides up, compare their servers, price the run."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from bot.bench.facts_diff import compare_facts
from bot.bench.planning import Shape, plan, timing_of
from bot.bench.prompts import TokenizedText
from bot.bench.runner import LaunchRequest, Prepared
from bot.bench.runner import prepare as probe
from bot.bench.scenarios import FIRST_WARMUPS, WARMUPS
from bot.bench.spill import spill
from bot.errors import environment
from bot.pipeline.calibrations import with_requests
from bot.pipeline.context import Context
from bot.pipeline.fingerprints import between_sides
from bot.pipeline.identity import seed_of
from bot.pipeline.launching import Launcher, checked, request_for, save_tokens
from bot.progress import clock
from bot.records import BROKEN_STATUSES, Difference, Launch, Plan, Round, Run, Side

TOKENS = "tokens.json"
#: One broken start may be a fluke of the machine; two of the same build are a finding.
_TRIES = 2
#: The watch broke off; it may hold the next time.
_UNWATCHED = frozenset({"sampler_lost", "nvml_lost"})


@dataclass
class _Warming:
    """The launches made so far in this step, in the order run."""

    context: Context
    run: Run
    launches: list[Launch] = field(default_factory=list)

    def start(self, side: Side, request: LaunchRequest) -> Prepared:
        """Start one side, again where it or its watch broke.

        Raises BotError (exit 4) where the machine is to blame.
        """
        for attempt in range(_TRIES):
            folder = request.folder.with_name(f"{request.folder.name}-{attempt}")
            answer = probe(replace(request, folder=folder), side=side)
            launch = checked(answer.launch, folder)
            self.launches.append(launch)
            if launch.status not in BROKEN_STATUSES and launch.invalid not in _UNWATCHED:
                break
        _must_be_usable(self.context, launch, side)
        return Prepared(launch, answer.texts)


def prepare(context: Context, run: Run) -> Run:
    """The run with its warm-up pair, its plan, and what the sides' servers disagree on.

    Without a plan there is nothing to measure: a side broke, or the two are not comparable.
    Raises BotError (exit 4) where the machine is to blame.
    """
    warming = _Warming(context, run)
    with context.reporter.stage("progress-prepare") as advance:
        texts = {item.name: item.text() for item in context.profile.scenarios}
        head = warming.start("head", _with(request_for(context, run, "head", "tokenize-head"), texts))
        advance(1, 3)
        if not head.texts:
            warming.start("base", _with(request_for(context, run, "base", "tokenize-base"), texts))
            return run.model_copy(update={"warmup": _pair(warming.launches)})
        pair = [_warm_up(warming, side, head.texts, texts) for side in ("base", "head")]
        advance(3, 3)
    save_tokens(context.folder.path / TOKENS, head.texts)
    base_launch, head_launch = (item.launch for item in pair)
    differences = (
        *spill((base_launch, head_launch)),
        *compare_facts(base_launch.facts, head_launch.facts),
        *_tokenizers(pair[0].texts, head.texts),
        *between_sides(run),
    )
    warmed = run.model_copy(update={"warmup": _pair(warming.launches), "differences": differences})
    if not (base_launch.is_valid and head_launch.is_valid) or any(item.blocks for item in differences):
        return warmed
    return priced(context, warmed)


def _warm_up(
    warming: _Warming, side: Side, tokens: dict[str, TokenizedText], texts: dict[str, str]
) -> Prepared:
    """A launch with one measured request per scenario: soaks the machine, and tells what requests cost."""
    run = warming.run
    once = tuple(item.model_copy(update={"requests": 1}) for item in run.profile.scenarios)
    calibration = run.model_copy(update={"profile": run.profile.model_copy(update={"scenarios": once})})
    launcher = Launcher(warming.context, calibration, tokens)
    plans = launcher.plans([item.name for item in once], round_index=-1, warmups=FIRST_WARMUPS)
    request = request_for(warming.context, run, side, f"warmup-{side}", plans)
    return warming.start(side, _with(request, texts))


def _with(request: LaunchRequest, texts: dict[str, str]) -> LaunchRequest:
    return replace(request, texts=texts)


def _pair(launches: Sequence[Launch]) -> Round:
    return Round(index=0, order="AB", launches=tuple(launches))


def _must_be_usable(context: Context, launch: Launch, side: Side) -> None:
    if side == "base" and launch.invalid == "cpu_fallback":
        raise environment("no-device")


def _tokenizers(base: dict[str, TokenizedText], head: dict[str, TokenizedText]) -> tuple[Difference, ...]:
    """Both sides get head's ids, so that a tokenizer that changed is news and no obstacle."""
    changed = [name for name, text in head.items() if base.get(name, text) != text]
    if not changed:
        return ()
    sides = (sum(len(texts[name].ids) for name in changed) for texts in (base, head))
    return (Difference(name="tokenizer", base=str(next(sides)), head=str(next(sides)), blocks=False),)


def priced(context: Context, run: Run) -> Run:
    """The run with a plan that fits its budget, by what its warm-up pair took; what it costs is said.

    K follows this machine's noise, as far as it is known.
    """
    launches = [_last(run, side) for side in ("base", "head")]
    spent = sum(launch.seconds.get("total", 0.0) for launch in run.warmup.launches) if run.warmup else 0.0
    looks = context.profile.looks
    if run.has_mixed_sources:  # no speed is judged, and a few launches tell the memory
        looks = looks[:1]
    shape = Shape(
        max_rounds=min(context.profile.rounds, looks[-1]),
        looks=looks,
        warmups=WARMUPS,
        budget_s=max(0.0, context.settings.budget_s - spent),
        seed=seed_of(run.id),
    )
    wanted = with_requests(context.settings, run)
    scenarios, made = plan(wanted, timing_of(launches, wanted), shape)
    if run.plan:
        # What was cut before stays cut; the rounds were counted anew.
        kept = {cut.code: cut for cut in run.plan.cuts if cut.code != "cut_rounds"}
        cuts = (kept | {cut.code: cut for cut in made.cuts}).values()
        made = made.model_copy(update={"cuts": tuple(cuts)})
    _say_cost(context, made)
    profile = run.profile.model_copy(update={"scenarios": scenarios})
    return run.model_copy(update={"profile": profile, "plan": made})


def _last(run: Run, side: Side) -> Launch:
    """That side's warm-up launch with requests: the last of them."""
    assert run.warmup is not None
    return [item for item in run.warmup.launches if item.side == side and item.samples][-1]


def _say_cost(context: Context, made: Plan) -> None:
    context.reporter.say(
        "progress-cost",
        first=min(made.looks),
        first_time=clock(2 * min(made.looks) * made.launch_s),
        most=made.max_rounds,
        most_time=clock(made.estimate_s),
        budget=clock(made.budget_s),
    )
    if context.profile.evidence:
        context.reporter.say("progress-cost-evidence", budget=clock(context.settings.evidence_budget_s))
