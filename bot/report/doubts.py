"""What speaks against an upgrade although the measurement speaks for it: what upstream learned since.

An open issue that names a tag says only that: it may be about another machine, or name the tag that works.
So it takes no verdict further than from upgrade to optional.
"""

from collections.abc import Collection, Iterator, Sequence

from bot.records import Reason, Run, Trouble

#: These make an upgrade optional; the others are reservations beside it.
DECISIVE = ("reverted_since", "upstream_trouble")
RESERVED = ("trouble_change", "trouble_newer")


def doubts(run: Run, codes: Collection[str]) -> tuple[Reason, ...]:
    """Reasons besides those (`codes`) of the measurement, which must neither hold nor be open."""
    if run.pair.is_self_test:
        return ()
    gains = frozenset({"improvement", "fix"} & set(codes))
    return tuple(_doubts(run, gains))


def bearing(run: Run) -> tuple[Trouble, ...]:
    """The issues that count: those that may be about this backend."""
    found = run.upstream_trouble
    return tuple(item for item in found.items if not item.elsewhere) if found else ()


def _doubts(run: Run, gains: frozenset[str]) -> Iterator[Reason]:
    undone = run.recheck.undone if run.recheck else ()
    if undone and gains:
        yield Reason(code="reverted_since", args={"count": len(undone)})
    items = bearing(run)
    named = [item for item in items if item.why == "head"]
    changes = [item for item in items if item.why == "pr"]
    newer = [item for item in items if item.why == "newer"]
    rests = _rests_on(run, changes) if gains == {"fix"} else False
    if named or rests:
        yield Reason(code="upstream_trouble", args={"count": len(named), "changes": len(changes) * rests})
    if gains and changes and not rests:
        yield Reason(code="trouble_change", args={"count": len(changes)})
    if gains and newer:
        yield Reason(code="trouble_newer", args={"count": len(newer)})


def _rests_on(run: Run, changes: Sequence[Trouble]) -> bool:
    """Whether every fix that the upgrade is for is named by an open issue."""
    lines = run.highlights.items if run.highlights else ()
    fixes = {item.pr for item in lines if item.severity and item.applies == "yes"}
    return bool(fixes) and fixes <= {int(item.names) for item in changes}
