"""What a finished workflow leaves on the branch of the state: `state.json`, records, charts."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.delivery.handover import Plan
from bot.delivery.watching import STATE, read_state
from bot.github.state import Files
from bot.records import Run
from bot.report.charts import charts, themed
from bot.report.render import render
from bot.report.words import catalog
from bot.watch.jobs import Job
from bot.watch.state import Done, Posted


@dataclass(frozen=True)
class Result:
    """A job with its record, and the addresses of its reports."""

    job: Job
    run: Run
    posts: tuple[str, ...] = ()

    def posted(self, addresses: Sequence[str]) -> "Result":
        """The same, posted there too."""
        return replace(self, posts=tuple(dict.fromkeys((*self.posts, *addresses))))

    @property
    def folder(self) -> str:
        """Where its files lie on the branch; made of what the plan says alone."""
        return f"runs/{self.job.head}/{self.job.machine}-{self.job.profile}-{self.job.id}"


@dataclass(frozen=True)
class Standing:
    """Reports to look over again: `new` ones, and the keys of those for which it is `done`."""

    new: tuple[Posted, ...] = ()
    done: tuple[str, ...] = ()


def change(
    files: Files, plan: Plan, results: Sequence[Result], now: float, standing: Standing | None = None
) -> dict[str, str]:
    """`state.json` as it is now, with this plan's jobs. Called again where another job pushed first.

    A job without a record is remembered too, so that a tag that cannot be measured is not tried for ever.
    """
    state = read_state(files.read(STATE))
    state = state.with_tags(plan.listed, plan.moved)
    state = state.with_done(_done(plan, results, now))
    if standing:
        state = state.with_posted(standing.new, standing.done, now)
    if plan.digest:
        state = state.model_copy(update={"digest_at": now})
    return {STATE: state.model_dump_json(indent=1) + "\n"}


def records(results: Sequence[Result]) -> dict[str, str]:
    """Every record with the reports and charts that are made from it; drawn once."""
    return files_of((item.folder, item.run) for item in results)


def files_of(runs: Iterable[tuple[str, Run]]) -> dict[str, str]:
    """As `records`, for runs with the folders they lie in."""
    return {f"{folder}/{name}": text for folder, run in runs for name, text in _files(run).items()}


def _done(plan: Plan, results: Sequence[Result], now: float) -> list[Done]:
    by_job = {item.job.id: item for item in results}
    return [_entry(plan, job, by_job.get(job.id), now) for job in plan.jobs]


def _entry(plan: Plan, job: Job, result: Result | None, now: float) -> Done:
    verdict = result.run.verdict if result else None
    return Done(
        job=job.id,
        subject=job.subject,
        base=job.base,
        base_sha=job.base_sha,
        head=job.head,
        head_sha=job.head_sha,
        at=now,
        seconds=round(sum(max(0.0, item) for item in result.run.seconds.values()), 1) if result else 0.0,
        verdict=verdict.code if verdict else None,
        measured=result is not None and _is_measured(result.run),
        asked=plan.request is not None,
        preset=job.preset or None,
        path=result.folder if result else "",
        posts=result.posts if result else (),
    )


def _is_measured(run: Run) -> bool:
    undecided = run.verdict is None or run.verdict.code == "unknown"
    return bool(run.comparisons) and not run.failed_builds and not undecided


def _files(run: Run) -> dict[str, str]:
    drawn = charts(run, tuple(catalog(tag) for tag in run.languages))
    return {
        "run.json": json.dumps(run.model_dump(mode="json", by_alias=True), ensure_ascii=False) + "\n",
        **render(run),
        **{f"charts/{name}": text for name, text in (drawn | themed(drawn)).items()},
    }
