"""What a report tells, as plain data: made from the record alone, in no language yet."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from bot.records import (
    AreaChange,
    BuildFailure,
    Comparison,
    Highlight,
    Highlights,
    Launch,
    Reason,
    Run,
    Suspect,
    Verdict,
)
from bot.report import numbers, verdict
from bot.report.disturbances import disturbances
from bot.report.headroom import Headroom, headroom
from bot.report.outlook import has_spread
from bot.report.rows import Row, Symbol, metric_rows, table

#: Areas named one by one; the rest is counted.
_AREAS_SHOWN = 6
#: Reasons whose own sentence is the whole headline: no number below them was judged.
_UNJUDGED = frozenset(
    {
        "head_build_failed",
        "head_broken",
        "both_build_failed",
        "base_build_failed",
        "base_broken",
        "both_broken",
        "spilled",
        "sources_differ",
        "not_comparable",
        "environment_unstable",
        "self_test_alarm",
        "self_test_failed",
        "nothing_measured",
    }
)


@dataclass(frozen=True)
class Story:
    """A run with what a report says of it. `rows` are those of the table."""

    run: Run
    verdict: Verdict
    rows: tuple[Row, ...]
    headroom: Headroom | None

    @property
    def leading(self) -> Reason | None:
        """The reason that alone makes the headline, None where the rows make it."""
        decisive = [item for item in self.verdict.reasons if verdict.group(item) == self._group]
        return decisive[0] if decisive[0].code in _UNJUDGED else None

    def has(self, code: str) -> bool:
        """Whether this reason is among the verdict's."""
        return any(reason.code == code for reason in self.verdict.reasons)

    @property
    def standing_fixes(self) -> tuple[Reason, ...]:
        """The fixes that speak for an upgrade, less those that upstream has reverted since."""
        again = self.run.recheck.undone if self.run.recheck else ()
        reverted = {item.credit.sha for item in again}
        fixes = (reason for reason in self.verdict.reasons if reason.code == "fix")
        return tuple(reason for reason in fixes if reason.args["sha"] not in reverted)

    @property
    def _group(self) -> str:
        return verdict.group(self.verdict.reasons[0])

    @property
    def self_test(self) -> Literal["passed", "found", "open"]:
        """What an A/A run came to."""
        codes = {item.code for item in self.verdict.reasons}
        if codes & {"regression", "improvement"}:
            return "found"
        return "passed" if self.verdict.code == "optional" else "open"

    @property
    def within_scope(self) -> Literal["all", "main", "rest"]:
        """What the metrics shown equal are: all there are, all primary ones, or the rest beside others."""
        outcomes = {item.outcome for item in self.run.comparisons}
        if outcomes <= {"within"}:
            return "all"
        primary = {item.outcome for item in self.run.comparisons if item.primary}
        return "main" if outcomes <= {"within", "inconclusive"} and primary <= {"within"} else "rest"

    @property
    def within_scope_told(self) -> Literal["all", "main", "rest", "decided"]:
        """As `within_scope`; `decided` where others are open too, so that "the rest" would say too much."""
        is_open = any(item.outcome == "inconclusive" for item in self.run.comparisons)
        return "decided" if self.within_scope == "rest" and is_open else self.within_scope

    @property
    def memory_code(self) -> str | None:
        """`<source>-<more|less>` where memory changed beyond its tolerance and sides are comparable."""
        memory = self.run.memory
        if memory is None or memory.outcome == "same" or not verdict.is_comparable(self.run):
            return None
        return f"{memory.source}-{memory.outcome}"

    @cached_property
    def open_intervals(self) -> dict[str, str]:
        """The interval of each inconclusive metric, by its id."""
        return {
            item.metric: numbers.interval(*item.change_interval)
            for item in self.run.comparisons
            if item.outcome == "inconclusive" and has_spread(item)
        }

    @property
    def unmeasured(self) -> tuple[Comparison, ...]:
        """The metrics that no round measured: they have no number to print."""
        return tuple(item for item in self.run.comparisons if not item.rounds)

    def rows_of(self, metrics: set[str]) -> tuple[Row, ...]:
        """The table's rows of these metrics; where the table shows none of them, their own."""
        shown = tuple(row for row in self.rows if row.metric in metrics)
        return shown or tuple(row for row in metric_rows(self.run) if row.metric in metrics)

    def rows_with(self, *symbols: Symbol) -> tuple[Row, ...]:
        """The table's rows of these kinds."""
        return tuple(row for row in self.rows if row.symbol in symbols)

    @property
    def metric_rows(self) -> tuple[Row, ...]:
        """The table's rows but memory."""
        return tuple(row for row in self.rows if row.metric is not None)

    @property
    def areas(self) -> tuple[AreaChange, ...]:
        """The areas named, in the record's order."""
        return _areas(self.run)[:_AREAS_SHOWN]

    @property
    def other_areas(self) -> tuple[AreaChange, ...]:
        """The areas that are only counted."""
        return _areas(self.run)[_AREAS_SHOWN:]

    @property
    def shown(self) -> tuple[Highlight, ...]:
        """The commits worth a line that apply to this profile, or may."""
        return tuple(item for item in self._highlights.items if item.applies != "no")

    @property
    def elsewhere(self) -> tuple[Highlight, ...]:
        """The commits worth a line that this profile does not use."""
        return tuple(item for item in self._highlights.items if item.applies == "no")

    @property
    def accounted(self) -> tuple[tuple[str, int], ...]:
        """Every commit by where the report has it: `shown`, `elsewhere`, `themes`, `rest` (only the fold)."""
        total = sum(self._highlights.accounted.values())
        lines = {item.sha for item in self._highlights.items}
        themed = {sha for theme in self._highlights.themes for sha in theme.shas} - lines
        counts = {"shown": len(self.shown), "themes": len(themed), "elsewhere": len(self.elsewhere)}
        counts["rest"] = total - sum(counts.values())
        return tuple((name, count) for name, count in counts.items() if count > 0)

    @property
    def _highlights(self) -> Highlights:
        return self.run.highlights or Highlights()

    @property
    def suspected(self) -> tuple[tuple[tuple[Row, ...], tuple[Suspect, ...]], ...]:
        """What moved (one row per kind) with the commits that may be related; rows that share them together.

        No commit: none was found. What was not looked for is left out.
        """
        moved = {row.kind: row for row in self.rows if row.moved}
        known = self._highlights.suspects
        sets: dict[tuple[str, ...], list[Row]] = {}
        for kind, row in moved.items():
            if kind in known:
                sets.setdefault(tuple(item.sha for item in known[kind]), []).append(row)
        return tuple((tuple(rows), known[rows[0].kind]) for rows in sets.values())

    @property
    def failures(self) -> tuple[tuple[str, BuildFailure], ...]:
        """(tag, failure) of each side that did not build."""
        return tuple((build.tag, build.failure) for build in self.run.failed_builds if build.failure)

    @property
    def wrecks(self) -> tuple[tuple[str, Launch], ...]:
        """(tag, first launch that failed) of each side that has one."""
        pair = self.run.pair
        found = ((pair.base.name, self._wreck("base")), (pair.head.name, self._wreck("head")))
        return tuple((tag, launch) for tag, launch in found if launch is not None)

    def _wreck(self, side: Literal["base", "head"]) -> Launch | None:
        further = (launch for item in self.run.evidence for launch in item.launches if launch.side == side)
        launches = (*self.run.launches(side), *further)
        return next((launch for launch in launches if launch.status != "ok"), None)

    @property
    def minutes(self) -> str:
        """How long the run took; empty where the record does not say."""
        total = sum(self.run.seconds.values())
        return numbers.duration(total) if total else ""

    @property
    def notes(self) -> tuple[Reason, ...]:
        """What a reader should know of how it was measured, besides the verdict's reasons."""
        said = {(item.code, str(item.args)) for item in self.verdict.reasons}
        conditions = tuple(_conditions(self.run))
        known = {item.code for item in conditions}
        plan = self.run.plan
        others = (*(plan.cuts if plan else ()), *self.run.notes)
        every = (*conditions, *(item for item in others if item.code not in known))
        unsaid = {(item.code, str(item.args)): item for item in every}
        return tuple(item for key, item in unsaid.items() if key not in said)


def tell(run: Run) -> Story:
    """The story of a run; its verdict is the record's, or concluded now where there is none."""
    return Story(
        run=run,
        verdict=run.verdict or verdict.conclude(run),
        rows=table(run),
        headroom=headroom(run),
    )


def _conditions(run: Run) -> Iterable[Reason]:
    if run.profile.preset:
        yield Reason(
            code="quick" if run.profile.preset == "quick" else "preset", args={"name": run.profile.preset}
        )
    if any(note.code == "demo" for note in run.notes):
        yield Reason(code="demo", args={"cores": run.machine.cores})
    if any(not build.native and build.source == "build" for build in run.builds):
        yield Reason(code="native_off")
    yield from disturbances(run)


def _areas(run: Run) -> tuple[AreaChange, ...]:
    return run.changes.areas if run.changes else ()
