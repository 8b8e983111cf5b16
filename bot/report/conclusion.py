"""The headline, the conclusion and what to do, in one language: from the rows and the verdict."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from bot.records import Reason
from bot.report import numbers
from bot.report.alarms import ALARMS
from bot.report.breakage import BASE_ONCE, HEAD_ONCE, is_broken
from bot.report.doubted import told as doubts_told
from bot.report.doubts import DECISIVE, RESERVED
from bot.report.headroom import lost
from bot.report.markdown import escape
from bot.report.outlook import outlooks
from bot.report.phrases import capital, common, facts, items, label, listing, series, turn, unmeasured
from bot.report.story import Story
from bot.report.verdict import is_upgrade_at_heart
from bot.report.words import Words

Args = dict[str, str | int]

#: Reasons with a remedy of their own.
_OWN_REMEDY = frozenset(
    {
        "environment_unstable",
        "self_test_alarm",
        "self_test_failed",
        "spilled",
        "sources_differ",
        "not_comparable",
        "both_build_failed",
        "base_build_failed",
        "base_broken",
        "both_broken",
        "nothing_measured",
    }
)
#: The changes' own heading says it already.
_NOTHING = "worth-nothing"
_METRIC_LISTS = frozenset({"regression", "improvement", "inconclusive_primary", "inconclusive"})


def headline(words: Words, story: Story, *, short: bool = False) -> str:
    """The verdict line. `short` leaves out the tags, for a second language beside the first."""
    self_test = story.run.pair.is_self_test
    kind = "self-test" if self_test else "headline"
    verdict = words.text(
        f"verdict-self-test-{story.self_test}" if self_test else f"verdict-{story.verdict.code}"
    )
    summary = _summary(words, story)
    if short:
        return capital(words.text(f"{kind}-short", verdict=verdict, summary=summary))
    args: Args = {"verdict": capital(verdict), "summary": capital(summary)}
    return words.text(kind, **common(story.run), **args)


def sentences(words: Words, story: Story) -> list[str]:
    """The conclusion: every reason, most important first, then what of the changes is of use here."""
    reasons = groupby(story.verdict.reasons, key=lambda reason: reason.code)
    said = [sentence for code, group in reasons for sentence in _reason(words, story, code, list(group))]
    return [*said, *_worth(words, story)]


def todo(words: Words, story: Story) -> str:
    """What to do now."""
    if story.run.pair.is_self_test:
        message = f"todo-self-test-{story.self_test}"
    elif story.leading and story.leading.code in _OWN_REMEDY:
        message = f"todo-{story.leading.code}"
    elif story.verdict.reasons[0].code in DECISIVE and is_upgrade_at_heart(story.verdict):
        message = f"todo-{story.verdict.reasons[0].code}"
    else:
        message = f"todo-{story.verdict.code}"
    return words.text(message, **common(story.run))


def last_line(words: Words, story: Story) -> str:
    """What to do, and how to go back where there is a base that works."""
    run = story.run
    said = [todo(words, story)]
    base_works = run.build("base") not in (None, *run.failed_builds) and not is_broken(run, "base")
    if base_works and not run.pair.is_self_test:
        base = run.build("base")
        is_own = base is not None and base.source == "path"
        said.append(words.text("way-back-own" if is_own else "way-back", **common(run)))
    return words.text("sentence-separator").join(said)


def _summary(words: Words, story: Story) -> str:
    """The clauses; what further evidence found may end in a list, so that more than a comma follows it."""
    found = [] if story.leading else _alarms(words, story)
    rest = words.text("clause-separator").join(_clauses(words, story))
    return words.text("clause-break").join([*found, rest] if rest else found)


def _clauses(words: Words, story: Story) -> list[str]:
    if story.leading is not None:
        args = facts(words, story.leading, story.run) | _memory_args(story)
        return [words.text(f"headline-{story.leading.code}", **args)]
    speed = [*_moved(words, story), *_open_and_equal(words, story)]
    fixes = [words.text("headline-fix")] if story.standing_fixes else []
    if story.has("headroom_below_reserve"):
        tight = words.text("headline-headroom_below_reserve", **_memory_args(story))
        return [tight, *_once(words, story), *speed, *fixes]
    memory = f"headline-memory-{story.memory_code}"
    room = [words.text(memory, **_memory_args(story))] if story.memory_code else []
    return [*_once(words, story), *_doubts(words, story), *speed, *fixes, *room]


def _alarms(words: Words, story: Story) -> list[str]:
    """What the further evidence found stands first: it matters more than any speed."""
    found = (reason for reason in story.verdict.reasons if reason.code in ALARMS)
    return [words.text(f"headline-{reason.code}", **facts(words, reason, story.run)) for reason in found]


def _once(words: Words, story: Story) -> list[str]:
    """A launch that broke and did so only once is news, whatever the verdict."""
    found = (reason for reason in story.verdict.reasons if reason.code in (HEAD_ONCE, BASE_ONCE))
    return [words.text(f"headline-{reason.code}", **facts(words, reason, story.run)) for reason in found]


def _doubts(words: Words, story: Story) -> list[str]:
    """What upstream learned since stands first: it is why this is no upgrade."""
    found = (reason for reason in story.verdict.reasons if reason.code in DECISIVE)
    return [words.text(f"headline-{reason.code}", **facts(words, reason, story.run)) for reason in found]


def _moved(words: Words, story: Story) -> Iterator[str]:
    if story.run.pair.is_self_test:
        if rows := story.rows_with("slower", "faster"):
            yield words.text("headline-differs", items=items(words, rows))
        return
    if rows := story.rows_with("slower"):
        yield words.text("headline-slower", items=items(words, rows))
    if rows := story.rows_with("faster"):
        yield words.text("headline-faster", items=items(words, rows))


def _open_and_equal(words: Words, story: Story) -> list[str]:
    """Main metrics that are equal come first; "the rest" comes after what it is the rest of."""
    equal = [words.text(f"headline-same-{story.within_scope}")] if story.rows_with("within") else []
    rows = story.rows_with("unresolved")
    if rows and len(rows) == len(story.metric_rows):
        return [words.text("headline-open-all")]
    open_ = _named(words, "headline-open", series(words, (label(words, row) for row in rows)))
    open_ += _named(words, "headline-unmeasured", unmeasured(words, story.unmeasured))
    return equal + open_ if story.within_scope == "main" else open_ + equal


def _named(words: Words, message: str, names: str) -> list[str]:
    return [words.text(message, items=names)] if names else []


def _reason(words: Words, story: Story, code: str, reasons: Sequence[Reason]) -> list[str]:
    args = facts(words, reasons[0], story.run) | _memory_args(story)
    if code in _METRIC_LISTS:
        return _metrics(words, story, code, reasons)
    if code == "within":
        args["scope"] = story.within_scope_told
    elif code == "not_comparable":
        told = (words.text("item-difference", **facts(words, reason, story.run)) for reason in reasons)
        args["items"] = listing(words, told)
    elif code == "fix":
        fixes = story.standing_fixes
        if not fixes:
            return []
        quoted = (words.text("quoted", text=escape(str(reason.args["text"]))) for reason in fixes)
        args["items"] = listing(words, quoted)
    elif code in (*DECISIVE, *RESERVED):
        args |= doubts_told(words, story.run)
    message = f"memory-{story.memory_code}" if code == "memory" else code
    return [words.text(f"reason-{message}", **args), *(_cost(words, story) if code == "memory" else ())]


def _cost(words: Words, story: Story) -> list[str]:
    turns = lost(story.run, story.run.memory) if story.run.memory else ()
    return _named(words, "memory-cost", listing(words, map(turn, turns)))


def _worth(words: Words, story: Story) -> list[str]:
    found = story.run.highlights.worth if story.run.highlights else ()
    found = tuple(reason for reason in found if reason.code != _NOTHING)
    told = (words.text(reason.code, **facts(words, reason, story.run)) for reason in found)
    return _named(words, "conclusion-worth", listing(words, told))


def _metrics(words: Words, story: Story, code: str, reasons: Sequence[Reason]) -> list[str]:
    metrics = {str(reason.args["metric"]) for reason in reasons}
    shown = items(words, story.rows_of(metrics), story.open_intervals)
    differs = story.run.pair.is_self_test and code in ("regression", "improvement")
    message = "reason-differs" if differs else f"reason-{code}"
    said = [words.text(message, items=shown, **common(story.run))] if shown else []
    missing = unmeasured(words, (item for item in story.unmeasured if item.metric in metrics))
    said += _named(words, "reason-unmeasured", missing)
    return said + (_outlooks(words, story) if code == "inconclusive_primary" else [])


def _outlooks(words: Words, story: Story) -> list[str]:
    told = []
    for reason in outlooks(story.run):
        rows = story.rows_of(set(str(reason.args.get("metrics", "")).split()))
        names = series(words, (label(words, row) for row in rows))
        args = facts(words, reason, story.run) | {"items": names}
        told.append(words.text(f"outlook-{reason.code}", **args))
    return told


def _memory_args(story: Story) -> Args:
    memory = story.run.memory
    if memory is None:
        return {}
    return {
        "mib": str(abs(numbers.mib_change(memory.base_mib, memory.head_mib))),
        "headroom": numbers.mib(memory.head_headroom_mib),
        "reserve": numbers.mib(story.run.profile.reserve_mib),
    }
