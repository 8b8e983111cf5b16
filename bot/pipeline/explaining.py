"""What changed between the two tags, and what all of it comes to."""

from bot.changelog import by_area, circumstances, highlights, worded
from bot.pipeline.blaming import blamed
from bot.pipeline.context import Context
from bot.pipeline.glossaries import lexicons, overrides
from bot.pipeline.ledger import place, reverted_since
from bot.records import Changes, Comparison, Run
from bot.report.verdict import conclude as judge
from bot.stats.decide import compare
from bot.stats.memory import compare_memory
from bot.stats.suspicion import doubt, doubted, withheld

#: Asked for every metric, whether it moved or not: the report shows those of a metric that moved.
_METRICS = ("vram", "prefill", "decode", "ttft")


def explain(context: Context, run: Run) -> Run:
    """The run with its changes: commit by commit, or by area where the source holds no history."""
    pair = run.pair
    if pair.is_self_test:
        return run.model_copy(update={"changes": Changes(source="commits")})
    if pair.ancestor is None:
        files = context.mirror.tree_diff(pair.base.sha, pair.head.sha)
        return run.model_copy(update={"changes": Changes(source="trees", areas=by_area(files))})
    commits = context.mirror.commits(pair.base.sha, pair.head.sha)
    facts = circumstances(run.profile, run.machine)
    corrections = overrides(context.settings.overrides)
    found = highlights(commits, facts, corrections, _METRICS)
    found = found.model_copy(update={"suspects": found.suspects | blamed(run, commits)})
    found = worded(found, lexicons(run.languages), corrections)
    changes = Changes(source="commits", commits=commits)
    told = run.model_copy(update={"changes": changes, "highlights": found})
    undone = reverted_since(place(context.settings), told)
    return told.model_copy(update={"highlights": found.model_copy(update={"undone": undone})})


def _trusted(run: Run, found: tuple[Comparison, ...]) -> dict[str, object]:
    """The comparisons, and a note where what moved may be the environment's doing."""
    found = withheld(found, run.notes)
    doubts = doubt(run.valid_rounds, found, run.profile.margin)
    if doubts is None or doubts.reason in run.notes:
        return {"comparisons": doubted(found, doubts)}
    return {"comparisons": doubted(found, doubts), "notes": (*run.notes, doubts.reason)}


def conclude(run: Run) -> Run:
    """The run with its comparisons and its verdict, from its rounds alone."""
    update: dict[str, object] = {"memory": compare_memory(run.valid_rounds)}
    if run.plan and not run.has_mixed_sources:
        found = compare(run.valid_rounds, run.profile, looks=run.plan.looks, final=True)
        update |= _trusted(run, found)
    decided = run.model_copy(update=update)
    return decided.model_copy(update={"verdict": judge(decided)})
